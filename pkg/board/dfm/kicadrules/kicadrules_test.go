package kicadrules_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/toolrule"
	"boardorder/pkg/board/dfm/kicadrules"
	"boardorder/pkg/board/dfm/limits"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

var ruleStart = regexp.MustCompile(`(?m)^\(rule `)

// parse gives the rules of a file as texts, less comments.
func parse(text string) []string {
	var out []string
	at := ruleStart.FindAllStringIndex(text, -1)
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		one, _, _ := strings.Cut(text[m[0]:end], "\n#")
		out = append(out, strings.TrimSpace(one))
	}
	return out
}

// TestRulesAreTheLimits: what is written of limits, read back as a KiCad project's own rules,
// are the same lengths, for boards of two and of many layers.
func TestRulesAreTheLimits(t *testing.T) {
	t.Parallel()
	for _, layers := range []int{1, 2, 4, 6, 12} {
		l := limits.Standard(layers, 1)
		text := kicadrules.Write(l, "one\ntwo")
		if !strings.HasPrefix(text, "(version 1)\n# one\n# two\n") || strings.Count(text, "(") != strings.Count(text, ")") {
			t.Errorf("%d layers: the file begins with %.40q, or its brackets do not close; want version and comments", layers, text)
		}
		read := func(where, condition string) pcb.Rules {
			var r pcb.Rules
			for _, one := range parse(text) {
				layer, _, _ := strings.Cut(strings.TrimPrefix(line(one, "(layer "), "(layer "), ")")
				cond := line(one, "(condition ")
				if (layer == "" || layer == where) && (cond == "" || strings.Contains(cond, condition) && condition != "") {
					one = strings.Replace(strings.Replace(one, line(one, "(layer "), "", 1), cond, "", 1)
					part := pcb.Rules{Custom: []string{one}}
					if unknown := toolrule.Custom(&part); len(unknown) > 0 && !strings.Contains(one, "silk_") {
						t.Errorf("%d layers: %v in %s", layers, unknown, one)
					}
					merge(&r, part)
				}
			}
			return r
		}
		for _, inner := range []bool{false, true} {
			where := map[bool]string{false: "outer", true: "inner"}[inner]
			plain, pad := read(where, ""), read(where, "'Pad'")
			for _, tt := range []struct {
				check dfm.Name
				got   int64
			}{
				{dfm.TrackWidth, plain.TrackWidth}, {dfm.TrackClearance, plain.Clearance}, {dfm.CopperToEdge, plain.EdgeClearance},
				{dfm.HoleToHole, plain.HoleToHole}, {dfm.DrillSize, plain.ViaDrill}, {dfm.AnnularRing, pad.AnnularRing}, {dfm.PadClearance, pad.Clearance},
			} {
				limit := l.LimitOf(tt.check, inner)
				want := limit.Min
				if want == 0 {
					want = limit.Recommended
				}
				if layered := tt.check == dfm.TrackWidth || tt.check == dfm.TrackClearance || tt.check == dfm.PadClearance; inner && !layered {
					continue
				}
				if want == 0 && tt.check == dfm.PadClearance {
					want = plain.Clearance
				}
				if tt.got != want {
					t.Errorf("%d layers, %s, %s: %d nm are read back, want %d", layers, where, tt.check, tt.got, want)
				}
			}
		}
	}
}

// constraints are those that KiCad 6 takes, with a least value: one that it does not know makes it
// refuse the whole file. What WriteDRCReport of KiCad 6.0.11 says of each was looked at.
var constraints = []string{"annular_width", "clearance", "edge_clearance", "hole_clearance", "hole_size", "hole_to_hole", "silk_clearance", "track_width", "via_diameter"}

// TestEveryKiCadTakesTheFile: nothing stands outside of comments that a KiCad since version 6 does not
// know; what later ones know besides becomes a rule once its marks of comment are taken away.
func TestEveryKiCadTakesTheFile(t *testing.T) {
	t.Parallel()
	text := kicadrules.Write(limits.Standard(4, 1), "one")
	for _, m := range regexp.MustCompile(`(?m)^(#?)\s*\(constraint (\w+) \(min [0-9.]+mm\)\)\)$`).FindAllStringSubmatch(text, -1) {
		if later := m[1] == "#"; later == slices.Contains(constraints, m[2]) {
			t.Errorf("constraint %s is a comment: %v; want that of what KiCad 6 does not know alone", m[2], later)
		}
	}
	if bare := regexp.MustCompile(`(?m)^#(\(|\t)`).ReplaceAllString(text, "$1"); len(parse(bare)) != strings.Count(text, "(rule ") || strings.Count(bare, "text_height") != 1 {
		t.Errorf("without marks of comment the file has %d rules of %d:\n%s", len(parse(bare)), strings.Count(text, "(rule "), bare)
	}
}

// line is the line of a rule that begins so; "" where none does.
func line(rule, begin string) string {
	for l := range strings.Lines(rule) {
		if l = strings.TrimSpace(l); strings.HasPrefix(l, begin) {
			return l
		}
	}
	return ""
}

func merge(r *pcb.Rules, from pcb.Rules) {
	for _, f := range []struct {
		to   *int64
		from int64
	}{
		{&r.TrackWidth, from.TrackWidth}, {&r.Clearance, from.Clearance}, {&r.EdgeClearance, from.EdgeClearance}, {&r.HoleToHole, from.HoleToHole},
		{&r.ViaDrill, from.ViaDrill}, {&r.AnnularRing, from.AnnularRing}, {&r.HoleClearance, from.HoleClearance},
	} {
		if f.from > 0 {
			*f.to = f.from
		}
	}
}

// TestWhatIsNotLimitedIsNoRule: where a fabricator states nothing KiCad's own settings hold.
func TestWhatIsNotLimitedIsNoRule(t *testing.T) {
	t.Parallel()
	text := kicadrules.Write(dfm.Limits{Outer: map[dfm.Name]dfm.Limit{dfm.TrackWidth: {Min: 127 * geom.Micrometre}}}, "")
	want := "(version 1)\n\n(rule \"track widths\"\n\t(constraint track_width (min 0.127mm)))\n"
	if text != want {
		t.Errorf("Write of a track width alone = %q, want %q", text, want)
	}
}
