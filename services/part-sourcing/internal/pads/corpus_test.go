package pads_test

import (
	"math"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/testkit/corpus"
	"boardorder/pkg/board/upload"
	"boardorder/services/part-sourcing/internal/kit"
	"boardorder/services/part-sourcing/internal/pads"
	"boardorder/services/part-sourcing/internal/placement"
	"boardorder/services/part-sourcing/internal/refdes"
)

// changeParts gives a list with every part changed.
func changeParts(l placement.List, change func(*placement.Part)) placement.List {
	l.Parts = append([]placement.Part{}, l.Parts...)
	for i := range l.Parts {
		change(&l.Parts[i])
	}
	return l
}

func turn(s placement.Side) placement.Side {
	if s == placement.Bottom {
		return placement.Top
	}
	return placement.Bottom
}

// TestCorpusMisread: lists of real boards that are changed as people and tools change them
// lie on no pads, and the pads tell how they were meant.
func TestCorpusMisread(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"broken-missing-inner", "caravel-v3-flexy", "ovc4", "re-mc33810", "tc-ocxo-daughter", "vo-hall-endstop", "zombie-relays", "vo-v0-display-rp2040"} {
		loose, _ := corpus.Upload(t, name)
		var files []upload.File
		for _, f := range loose {
			files = append(files, upload.File(f))
		}
		project := upload.Read(t.Context(), files, upload.Options{})
		b := project.Boards[0]
		k, _ := kit.ReadBoard(project, files, nil, b.Name)
		cases := map[string]string{}
		for _, line := range k.List.Lines {
			for _, ref := range line.Refs {
				cases[refdes.Fold(ref)] = line.Footprint
			}
		}
		p := pads.Gather(b, k.Frame)
		middle := k.Frame.Min.X + k.Frame.Max.X
		meant := placement.Millimetre
		if k.Places[0].Unit == meant {
			meant = placement.Inch
		}
		scale := float64(k.Places[0].Unit) / float64(meant)
		for how, change := range map[string]func(*placement.Part){
			"other side":  func(q *placement.Part) { q.Side = turn(q.Side) },
			"mirrored":    func(q *placement.Part) { q.At.X = middle - q.At.X },
			"upside down": func(q *placement.Part) { q.At.Y = k.Frame.Min.Y + k.Frame.Max.Y - q.At.Y },
			"another unit": func(q *placement.Part) {
				q.At = geom.Pt(int64(float64(q.At.X)*scale), int64(float64(q.At.Y)*scale))
			},
			"moved a bit":     func(q *placement.Part) { q.At = q.At.Add(geom.Pt(3_100_000, -1_700_000)) },
			"seen from below": func(q *placement.Part) { q.Side, q.At.X = turn(q.Side), middle-q.At.X },
		} {
			l := changeParts(k.Places[0], change)
			v := p.Judge(l, cases, false)
			if v.Doubt == nil || v.Doubt.Words == "" || v.ByPads == nil {
				t.Errorf("%s, %s: doubt %+v, want one in words, by pads", name, how, v.Doubt)
				continue
			}
			wrong := 0
			for i, q := range v.ByPads.Parts {
				if was := k.Places[0].Parts[i]; q.At.Dist(was.At) > 0.35e6 && math.Abs(float64(q.At.X+was.At.X)) > 0.35e6 || q.Side != was.Side {
					wrong++
				}
			}
			if 10*wrong > len(l.Parts) {
				t.Errorf("%s, %s: %d of %d parts are put elsewhere, want a tenth at most: %s", name, how, wrong, len(l.Parts), v.Doubt.Words)
			}
		}
	}
}
