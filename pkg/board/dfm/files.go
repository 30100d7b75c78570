package dfm

import (
	"slices"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// told are the readers' codes that a check has a name for; other problems are
// [FilesUnreadable].
var told = map[string]Name{
	"outline_missing":      OutlineMissing,
	"outline_open":         OutlineOpen,
	"layer_missing":        LayerMissing,
	"layer_count_mismatch": LayerMissing,
	"copper_missing":       LayerMissing,
	"job_file_missing":     LayerMissing,
	"layer_twice":          LayerExtra,
	"layer_count_odd":      LayerCount,
	"outline_elsewhere":    OutlineMissing,
	"holes_off_board":      HoleWithoutCopper,
	board.TooComplexCode:   TooComplex,
}

// doubtful tells whether a finding is told although it is no problem: the board
// may not be what was meant.
func doubtful(p *board.Finding) bool {
	if p.Level != board.Warning {
		return false
	}
	switch p.Code {
	case "layer_twice", "layer_count_odd", "outline_elsewhere":
		return true
	}
	return false
}

// fromFiles turns the problems that readers had into findings: what is missing or
// broken in the files would be missing on the board. Those that a rule has found
// as well are left to the rule, which knows more about it.
func fromFiles(problems []board.Finding, said []Finding) []Finding {
	var out []Finding
	for _, p := range problems {
		if p.Level != board.Problem && !doubtful(&p) {
			continue
		}
		n, ok := told[p.Code]
		if !ok {
			n = FilesUnreadable
		}
		level := levelOf(&p)
		if ok && slices.ContainsFunc(said, func(f Finding) bool {
			return f.Check == n && f.Level >= level || (n == LayerMissing || n == LayerCount) && miscounted(f)
		}) {
			continue
		}
		if i := slices.IndexFunc(out, func(f Finding) bool { return f.Check == n && f.What == sentence(p) }); i >= 0 {
			out[i].Count += max(1, p.Count)
			continue
		}
		out = append(out, fileFinding(n, level, p))
	}
	return out
}

// miscounted tells whether a finding says that there are other copper layers than
// there should be, so that what is joined to what cannot be known.
func miscounted(f Finding) bool {
	return f.Level == MustFix && (f.Check == LayerMissing || f.Check == LayerExtra)
}

func levelOf(p *board.Finding) Level {
	if p.Level == board.Problem {
		return MustFix
	}
	return Warning
}

func fileFinding(n Name, level Level, p board.Finding) Finding {
	f := Finding{Check: n, Level: level, What: sentence(p), Value: p.Size, Count: max(1, p.Count)}
	if p.At != nil {
		f.Places = []Place{{Layer: p.Layer, At: *p.At, To: *p.At, Value: p.Size}}
	} else if p.Layer != "" {
		f.Places = []Place{{Layer: p.Layer, At: geom.Point{}, To: geom.Point{}}}
	}
	return f
}

// sentence is a reader's message with the file it is about.
func sentence(p board.Finding) string {
	if p.File == "" {
		return capital(p.Message) + "."
	}
	return p.File + ": " + p.Message + "."
}
