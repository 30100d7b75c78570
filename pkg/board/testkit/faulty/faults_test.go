package faulty_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/check"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/faulty"
	"boardorder/pkg/board/upload"
)

// TestFaults draws every fault just inside and just outside of its limit, in
// every form: outside it is found, where it is and as large as it is, and
// nothing else; inside nothing is.
func TestFaults(t *testing.T) {
	t.Parallel()
	only := os.Getenv("FAULT")
	for _, f := range faulty.Faults() {
		for _, form := range []faulty.Form{faulty.Gerber, faulty.KiCad} {
			if !f.AllowsForm(form) {
				continue
			}
			for _, outside := range []bool{true, false} {
				name := fmt.Sprintf("%s/%s/%s/%s", f.Check, f.Variant, form, map[bool]string{true: "outside", false: "inside"}[outside])
				if only != "" && !strings.Contains(name, only) {
					continue
				}
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					try(t, &f, form, outside)
				})
			}
		}
	}
}

// margins are checks whose limit keeps a distance from damage: a little less is a
// warning, less than half must be fixed.
var margins = []dfm.Name{
	dfm.CopperToEdge, dfm.CopperToHole, dfm.HoleToHole, dfm.ComponentHoleToHole, dfm.HoleToEdge, dfm.AnnularRing, dfm.ViaRing, dfm.NPTHRing,
}

// TestMargins draws faults of those checks just below their limit and below half
// of it.
func TestMargins(t *testing.T) {
	t.Parallel()
	for _, f := range faulty.Faults() {
		if !slices.Contains(margins, f.Check) {
			continue
		}
		for _, form := range []faulty.Form{faulty.Gerber, faulty.KiCad} {
			if !f.AllowsForm(form) {
				continue
			}
			destroyed := dfm.MustFix
			if f.Soft {
				destroyed = dfm.Warning
			}
			for v, want := range map[int64]dfm.Level{f.Value(true): dfm.Warning, f.Half(): destroyed} {
				t.Run(fmt.Sprintf("%s/%s/%s/%d", f.Check, f.Variant, form, v), func(t *testing.T) {
					t.Parallel()
					s, _ := f.SketchAt(v)
					p := upload.Read(context.Background(), form.Files(s), upload.Options{})
					r, err := check.Run(context.Background(), p.Boards[0], dfm.Options{Limits: f.Limits(), Only: []dfm.Name{f.Check}})
					if err != nil {
						t.Fatal(err)
					}
					worst := dfm.Note
					for _, g := range r.Findings {
						if g.Check == f.Check {
							worst = max(worst, g.Level)
						}
					}
					if worst != want {
						t.Errorf("%d by %d is a %s, want %s:\n%s", v, f.Limit, worst, want, sayAll(r.Findings))
					}
				})
			}
		}
	}
}

// TestHarmless finds nothing where nothing is wrong.
func TestHarmless(t *testing.T) {
	t.Parallel()
	for _, h := range faulty.Harmlesses() {
		for _, form := range []faulty.Form{faulty.Gerber, faulty.KiCad} {
			if h.Forms != nil && !slices.Contains(h.Forms, form) {
				continue
			}
			t.Run(h.Name+"/"+string(form), func(t *testing.T) {
				t.Parallel()
				p := upload.Read(context.Background(), form.Files(h.Board()), upload.Options{})
				if len(p.Boards) != 1 {
					t.Fatalf("%d boards, want one: %+v", len(p.Boards), p.Findings)
				}
				r, err := check.Run(context.Background(), p.Boards[0], dfm.Options{Limits: (&faulty.Fault{}).Limits()})
				if err != nil || len(r.Faults) > 0 {
					t.Fatalf("Run: %v, rules that broke down: %v; want neither", err, r.Faults)
				}
				for i := range r.Findings {
					if r.Findings[i].Level >= dfm.Warning {
						t.Errorf("found: %s; want nothing on a board without a fault", say(&r.Findings[i]))
					}
				}
			})
		}
	}
}

// TestEveryCheckHasAFault holds the list of faults to the list of checks.
func TestEveryCheckHasAFault(t *testing.T) {
	t.Parallel()
	have := map[dfm.Name]bool{}
	for _, f := range faulty.Faults() {
		have[f.Check] = true
	}
	all := names(t)
	if slices.Sort(all); !slices.Equal(all, dfm.Names()) {
		t.Errorf("dfm.Names() is %v, want %v", dfm.Names(), all)
	}
	for _, n := range all {
		if !have[n] && n != dfm.TooComplex && n != dfm.ToolSizeMissing { // package hostile makes those; sizes are the drill files'
			t.Errorf("no fault is drawn for %s", n)
		}
	}
}

// names are all checks that package dfm declares.
func names(t *testing.T) []dfm.Name {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", "dfm", "names.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []dfm.Name
	ast.Inspect(f, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if kind, ok := v.Type.(*ast.Ident); ok && kind.Name == "Name" {
			s, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, dfm.Name(s))
		}
		return true
	})
	return out
}

func try(t *testing.T, f *faulty.Fault, form faulty.Form, outside bool) {
	s, where := f.Board(outside)
	files := form.Files(s)
	p := upload.Read(context.Background(), files, upload.Options{})
	if len(p.Boards) != 1 {
		t.Fatalf("%d boards, want one: %+v", len(p.Boards), p.Findings)
	}
	b := p.Boards[0]
	v := f.Value(outside)
	o := dfm.Options{Limits: f.Limits()}
	if f.Options != nil {
		f.Options(&o, v)
	}
	r, err := check.Run(context.Background(), b, o)
	if err != nil || len(r.Faults) > 0 {
		t.Fatalf("Run with value %v: %v, rules that broke down: %v; want neither", v, err, r.Faults)
	}
	count := 0
	for i := range r.Findings {
		g := &r.Findings[i]
		switch {
		case g.Check == f.Check && outside:
			count += g.Count
			judge(t, f, g, b, v, where)
		case outside && slices.Contains(f.Also, g.Check):
		case g.Level >= dfm.Warning || g.Check == f.Check:
			t.Errorf("not expected: %s", say(g))
		}
	}
	if most := max(1, f.Places); outside && (count < 1 || count > most) {
		t.Errorf("found %d times, want 1 to %d; findings:\n%s", count, most, sayAll(r.Findings))
	}
}

// judge holds a finding to the fault that was drawn.
func judge(t *testing.T, f *faulty.Fault, g *dfm.Finding, b *pcb.Board, v int64, where geom.Box) {
	t.Helper()
	if g.Level < dfm.Warning && !f.Mild {
		t.Errorf("only a note: %s, want a warning at least", say(g))
	}
	loose := f.Loose
	if loose == 0 {
		loose = 1100
	}
	if f.Limit > 0 && (g.Limit != f.Limit && !f.Vague || g.Value < v-loose || g.Value > v+loose) {
		t.Errorf("value %d by limit %d, want %d by %d: %s", g.Value, g.Limit, v, f.Limit, say(g))
	}
	if g.What == "" || !strings.HasSuffix(g.What, ".") && !strings.HasSuffix(g.What, "?") {
		t.Errorf("in words: %q, want a sentence or a question", g.What)
	}
	if !where.Empty() && len(g.Places) == 0 {
		t.Errorf("no place: %s", say(g))
	}
	for _, p := range g.Places {
		if !where.Empty() && (!where.Grow(100_000).Contains(p.At) || !where.Grow(100_000).Contains(p.To)) {
			t.Errorf("at %v to %v, want within %v", p.At, p.To, where)
		}
		if got := layerOf(b, p.Layer); f.Layer != "" && got != f.Layer {
			t.Errorf("on %q, which is %s, want %s", p.Layer, got, f.Layer)
		}
	}
}

// layerOf says which layer a name means: "copper 1", "mask top".
func layerOf(b *pcb.Board, name string) string {
	for _, l := range b.Layers {
		if l.Name != name {
			continue
		}
		if l.Role == pcb.RoleCopper {
			return fmt.Sprintf("copper %d", l.Order)
		}
		return l.Role.String() + " " + l.Side.String()
	}
	return "none"
}

func say(g *dfm.Finding) string {
	s := fmt.Sprintf("%s %s (%d by %d, %d times): %s", g.Level, g.Check, g.Value, g.Limit, g.Count, g.What)
	for _, p := range g.Places[:min(3, len(g.Places))] {
		s += fmt.Sprintf("\n      %q at %v to %v: %d %q %q", p.Layer, p.At, p.To, p.Value, p.Objects, p.Nets)
	}
	return s
}

func sayAll(list []dfm.Finding) string {
	s := ""
	for i := range list {
		s += "   " + say(&list[i]) + "\n"
	}
	return s
}
