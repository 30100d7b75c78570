package check

import (
	"reflect"
	"slices"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/untrusted"
)

// drillMissing is the code of holes that no file drills, which no rule tells of.
const drillMissing = "drill_missing"

// checkNames are the readers' codes that a check has a name for; other problems are
// [dfm.FilesUnreadable].
var checkNames = map[string]dfm.Name{
	"outline_missing":      dfm.OutlineMissing,
	"outline_open":         dfm.OutlineOpen,
	"layer_missing":        dfm.LayerMissing,
	"layer_count_mismatch": dfm.LayerMissing,
	"copper_missing":       dfm.LayerMissing,
	"partial_file":         dfm.LayerMissing,
	"job_file_missing":     dfm.LayerMissing,
	"layer_twice":          dfm.LayerExtra,
	"copper_doubtful":      dfm.LayerExtra,
	drillMissing:           dfm.LayerMissing,
	"layer_order":          dfm.LayerOrder,
	"layer_count_odd":      dfm.LayerCount,
	"outline_elsewhere":    dfm.OutlineMissing,
	"outline_repeated":     dfm.OutlineMissing,
	"outline_parts":        dfm.OutlineMissing,
	"outline_doubt":        dfm.OutlineMissing,
	"holes_off_board":      dfm.HoleWithoutCopper,
	"drill_origin":         dfm.Registration,
	"drill_no_size":        dfm.ToolSizeMissing,
	"drill_tool_unit":      dfm.ToolSizeMissing,
	pcb.TooComplexCode:     dfm.TooComplex,
}

// doubtful reports whether a finding is told although it is no problem: the board
// may not be what was meant.
func doubtful(p *pcb.Finding) bool {
	if p.Level != pcb.Warning {
		return false
	}
	switch p.Code {
	case "layer_twice", "copper_doubtful", "layer_count_odd", "outline_elsewhere", "outline_repeated", "outline_parts", "partial_file":
		return true
	}
	return false
}

// fileFindings turns the problems that readers had into findings: what is missing or
// broken in the files would be missing on the board. Those that a rule has found
// as well are left to the rule, which knows more about it.
func fileFindings(problems []pcb.Finding, findings []dfm.Finding) []dfm.Finding {
	var out []dfm.Finding
	for _, p := range problems {
		if p.Level != pcb.Problem && !doubtful(&p) {
			continue
		}
		n, ok := checkNames[p.Code]
		if !ok {
			n = dfm.FilesUnreadable
		}
		level := levelOf(&p)
		if i := slices.IndexFunc(findings, func(f dfm.Finding) bool {
			return f.Check == n && f.Level >= level || (n == dfm.LayerMissing || n == dfm.LayerCount) && rule.IsMiscount(f)
		}); ok && i >= 0 && p.Code != drillMissing {
			settle(&findings[i], p.Answers)
			continue
		}
		if i := slices.IndexFunc(out, func(f dfm.Finding) bool { return f.Check == n && f.What == sentence(p) }); i >= 0 {
			out[i].Count += max(1, p.Count)
			continue
		}
		out = append(out, fileFinding(n, level, p))
	}
	return out
}

// settle adds ways to settle a fault to the finding that tells of it.
func settle(f *dfm.Finding, ways []answers.Answer) {
	for _, a := range ways {
		if !slices.ContainsFunc(f.Answers, func(b answers.Answer) bool { return reflect.DeepEqual(a, b) }) {
			f.Answers = append(f.Answers, a)
		}
	}
}

func levelOf(p *pcb.Finding) dfm.Level {
	if p.Level == pcb.Problem {
		return dfm.MustFix
	}
	return dfm.Warning
}

func fileFinding(n dfm.Name, level dfm.Level, p pcb.Finding) dfm.Finding {
	f := dfm.Finding{Check: n, Level: level, What: sentence(p), Value: p.Size, Count: max(1, p.Count), Answers: p.Answers}
	if p.At != nil {
		f.Places = []dfm.Place{{Layer: p.Layer, At: *p.At, To: *p.At, Value: p.Size}}
	} else if p.Layer != "" {
		f.Places = []dfm.Place{{Layer: p.Layer, At: geom.Point{}, To: geom.Point{}}}
	}
	return f
}

// sentence is a reader's message with the file it is about.
func sentence(p pcb.Finding) string {
	if p.File == "" {
		return words.Capital(p.Message) + "."
	}
	return untrusted.Mention(p.File) + ": " + p.Message + "."
}
