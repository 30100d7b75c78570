package kit_test

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/testkit/corpus"
	"boardorder/pkg/board/upload"
	"boardorder/services/part-sourcing/internal/casecode"
	"boardorder/services/part-sourcing/internal/kit"
)

// TestCorpusPlaces: the placement files of real boards lie on their pads, whatever their
// origin and unit and however their bottom is written, and no part of them is held to be of
// another land pattern; what is asked about single parts of them is so.
func TestCorpusPlaces(t *testing.T) {
	t.Parallel()
	held, measured := 0, 0
	for _, d := range corpus.Designs(t) {
		loose, _ := corpus.Upload(t, d["name"])
		var files []upload.File
		for _, f := range loose {
			files = append(files, upload.File(f))
		}
		project := upload.Read(t.Context(), files, upload.Options{})
		for _, b := range project.Boards {
			k, ok := kit.ReadBoard(project, files, nil, b.Name)
			if !ok || len(k.Places) == 0 || k.Places[0].File == b.Name {
				continue
			}
			held++
			measured += countLands(t, k)
			if k.NoUnit || len(k.Doubts) > 0 || len(k.Misplaced) > 0 || k.Moved && k.Offset == nil {
				t.Errorf("%s: no unit %v, doubts %+v, misplaced %+v, moved %v by %v; want a unit, nothing else", d["name"], k.NoUnit, k.Doubts, k.Misplaced, k.Moved, k.Offset)
			}
		}
	}
	if held < 25 || measured < 500 {
		t.Errorf("%d boards with placement files, of %d parts what lies round them; want 25 and 500 at least", held, measured)
	}
}

// countLands counts the parts of which is known what lies round them, none of which may be
// excluded.
func countLands(t *testing.T, k kit.Kit) (n int) {
	cases := map[string]string{}
	for _, line := range k.List.Lines {
		for _, ref := range line.Refs {
			cases[ref] = line.Footprint
		}
	}
	for _, q := range k.Places[0].Parts {
		l := k.Fits[q.Ref].Land
		if l == nil {
			continue
		}
		n++
		for _, name := range []string{q.Footprint, cases[q.Ref]} {
			if why := l.Exclude(casecode.Parse(name)); why != "" {
				t.Errorf("%s: %s, %q is excluded: %s, want it to fit: %+v", k.Places[0].File, q.Ref, name, why, *l)
			}
		}
	}
	return n
}

// TestLandsOfPlaces: what the layers show round a part's place is kept for its line.
func TestLandsOfPlaces(t *testing.T) {
	t.Parallel()
	var pos, paste strings.Builder
	pos.WriteString("Designator,Mid X,Mid Y,Layer,Rotation\n")
	paste.WriteString("%FSLAX46Y46*%\n%MOMM*%\n%ADD10R,0.8X0.9*%\nD10*\n")
	for i := range 6 {
		fmt.Fprintf(&pos, "U%d,%dmm,10mm,Top,0\n", i+1, 8+i*8)
		fmt.Fprintf(&paste, "X%d200000Y10000000D03*\nX%d800000Y10000000D03*\n", 7+i*8, 8+i*8)
	}
	paste.WriteString("M02*\n")
	board := "%FSLAX46Y46*%\n%MOMM*%\n%ADD10C,0.1*%\nD10*\nX0Y0D02*\nX60000000Y0D01*\nX60000000Y20000000D01*\nX0Y20000000D01*\nX0Y0D01*\nM02*\n"
	files := []upload.File{
		{Name: "b.gko", Data: []byte(board)}, {Name: "b.gtl", Data: []byte(paste.String())}, {Name: "b.gtp", Data: []byte(paste.String())},
		{Name: "pos.csv", Data: []byte(pos.String())}, {Name: "bom.csv", Data: []byte("Reference,MPN,Footprint,Qty\n\"U1,U2,U3,U4,U5,U6\",STM32F103C8T6,LQFP-48,6\n")},
	}
	project := upload.Read(t.Context(), files, upload.Options{})
	k, ok := kit.ReadBoard(project, files, nil, project.Boards[0].Name)
	if l := k.Fits["U1"].Land; !ok || l == nil || l.Exclude(casecode.Parse("LQFP-48")) == "" || l.Exclude(casecode.Parse("0603")) != "" {
		t.Errorf("U1 between two pads: found %v, land %+v; want LQFP-48 excluded, 0603 not", ok, l)
	}
}
