package classify

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/pcb"
)

// copperText tells the layer and the side of every file.
func copperText(s *Set) string {
	var out []string
	for _, r := range s.Results {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%d %v", r.Layer, r.Side)))
	}
	return strings.Join(out, ", ")
}

// TestOrderCopper: the layers that files take, and how many the board has by them.
func TestOrderCopper(t *testing.T) {
	t.Parallel()
	attribute := func(name, fn string) [2]string {
		return [2]string{name, gerberWith("%TF.FileFunction,Copper," + fn + "*%")}
	}
	plain := func(name string) [2]string { return [2]string{name, anyGerber} }
	for _, c := range []struct {
		name   string
		files  [][2]string
		layers int
		want   string
	}{
		{"one side", [][2]string{plain("x.gtl")}, 1, "1 top"},
		{"the other side alone", [][2]string{plain("x.gbl")}, 1, "1 bottom"},
		{"an inner layer that is left out between numbers", [][2]string{plain("x.gtl"), plain("x.g1"), plain("x.g3"), plain("x.gbl")}, 5, "1 top, 2 inner, 4 inner, 5 bottom"},
		{"eight that are left out", [][2]string{plain("x.gtl"), plain("x.g1"), plain("x.g10"), plain("x.gbl")}, 12, "1 top, 2 inner, 11 inner, 12 bottom"},
		{"nine are no numbers of layers", [][2]string{plain("x.gtl"), plain("x.g1"), plain("x.g11"), plain("x.gbl")}, 4, "1 top, 2 inner, 3 inner, 4 bottom"},
		{"as many left out as the board has files", [][2]string{plain("x.gtl"), plain("x.g1"), plain("x.g5"), plain("x.gbl")}, 7, "1 top, 2 inner, 6 inner, 7 bottom"},
		{"what has a number from the top is not left out", [][2]string{plain("top.art"), plain("gnd2.art"), plain("lyr3.art"), plain("gnd4.art"), plain("bottom.art")}, 5, "1 top, 2 inner, 3 inner, 4 inner, 5 bottom"},
		{"the first number need not be one", [][2]string{plain("x.gtl"), plain("x.g3"), plain("x.g4"), plain("x.gbl")}, 4, "1 top, 2 inner, 3 inner, 4 bottom"},
		{"attributes leave layers out", [][2]string{attribute("a.gbr", "L1,Top"), attribute("b.gbr", "L6,Bot")}, 6, "1 top, 6 bottom"},
		{"an attribute twice is an older plot", [][2]string{
			attribute("a.gbr", "L1,Top"), attribute("b.gbr", "L2,Inr"), attribute("c.gbr", "L3,Inr"), attribute("d.gbr", "L4,Bot"), attribute("e.gbr", "L2,Inr"),
		}, 4, "1 top, 2 inner, 3 inner, 4 bottom, 2 inner"},
		{"outer layers of two sides twice, of four", [][2]string{
			attribute("a.gbr", "L1,Top"), attribute("b.gbr", "L2,Inr"), attribute("c.gbr", "L3,Inr"), attribute("d.gbr", "L4,Bot"), attribute("e.gbr", "L1,Top"), attribute("f.gbr", "L4,Bot"),
		}, 4, "1 top, 2 inner, 3 inner, 4 bottom, 1 top, 4 bottom"},
		{"numbers before the names of eight", [][2]string{
			plain("01_top.gbr"), plain("02_gnd1.gbr"), plain("03_sig1.gbr"), plain("04_gnd2.gbr"), plain("05_pwr1.gbr"), plain("06_sig2.gbr"), plain("07_gnd3.gbr"), plain("08_bot.gbr"),
		}, 8, "1 top, 2 inner, 3 inner, 4 inner, 5 inner, 6 inner, 7 inner, 8 bottom"},
		{"numbers before the names of the inner ones", [][2]string{plain("top.gbr"), plain("1-gnd2.gbr"), plain("2-pwr2.gbr"), plain("3-gnd1.gbr"), plain("4-pwr1.gbr"), plain("bottom.gbr")}, 6, "1 top, 2 inner, 3 inner, 4 inner, 5 inner, 6 bottom"},
		{"numbers before the names of all layers go before those behind", [][2]string{plain("1_top.gbr"), plain("2_gnd2.gbr"), plain("3_gnd1.gbr"), plain("4_bot.gbr")}, 4, "1 top, 2 inner, 3 inner, 4 bottom"},
		{"numbers before the names that the bottom contradicts", [][2]string{plain("1_top.gbr"), plain("2_pwr2.gbr"), plain("3_pwr1.gbr"), plain("7_bot.gbr")}, 4, "1 top, 3 inner, 2 inner, 4 bottom"},
		{"a last layer that is called the bottom by nobody", [][2]string{plain("lyr1.art"), plain("lyr2.art"), plain("lyr3.art")}, 3, "1 top, 2 inner, 3 bottom"},
		{"the bottom without a number below the last number", [][2]string{plain("lyr1.art"), plain("lyr2.art"), plain("lyr3.art"), plain("bottom.art")}, 4, "1 top, 2 inner, 3 inner, 4 bottom"},
		{"the top without a number above the second", [][2]string{plain("top.art"), plain("lyr2.art"), plain("lyr3.art"), plain("bottom.art")}, 4, "1 top, 2 inner, 3 inner, 4 bottom"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var in []string
			for _, f := range c.files {
				in = append(in, f[0], f[1])
			}
			s := classifyAll(tellApart(in)...)
			if got := copperText(s); got != c.want || s.Groups[0].Layers != c.layers {
				t.Errorf("%q: %d layers, %s; want %d, %s", briefs(s), s.Groups[0].Layers, got, c.layers, c.want)
			}
		})
	}
}

// TestSeparateDoubles: files that state a layer which another states too are left aside as
// older plots, unless there are so many that they are of another board.
func TestSeparateDoubles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		orders []int // 4 is the bottom
		once   int
	}{
		{"each once", []int{1, 2, 3, 4}, 4},
		{"one of four twice", []int{1, 2, 3, 4, 3}, 4},
		{"both outer ones of four twice", []int{1, 2, 3, 4, 1, 4}, 4},
		{"an outer and an inner one of four twice", []int{1, 2, 3, 4, 1, 2}, 6},
		{"three of four twice", []int{1, 2, 3, 4, 1, 4, 2}, 7},
		{"all twice", []int{1, 4, 1, 4}, 4},
		{"one of two twice, an outer one", []int{1, 4, 1}, 2},
		{"none states its layer", []int{0, 0, 0}, 3},
	} {
		var copper []*Result
		for _, n := range c.orders {
			r := &Result{Evidence: []Evidence{{Role: pcb.RoleCopper, Order: n, Weight: weightAttribute}}}
			r.Side = map[int]pcb.Side{1: pcb.Top, 4: pcb.Bottom}[n]
			if n == 2 || n == 3 {
				r.Side = pcb.Inner
			}
			copper = append(copper, r)
		}
		once, doubles := separateDoubles(copper)
		if len(once) != c.once || len(doubles) != len(c.orders)-c.once {
			t.Errorf("%s: of layers %v, %d stay and %d are doubles; want %d to stay", c.name, c.orders, len(once), len(doubles), c.once)
		}
	}
}

// TestGuessedOrder: inner layers of which nothing states the order.
func TestGuessedOrder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		inner []string
		want  bool
	}{
		{"numbers", []string{"x-In1_Cu.gbr", "x-In2_Cu.gbr"}, false},
		{"extensions", []string{"x.g1", "x.g2"}, false},
		{"numbers among words", []string{"GND1.gbr", "SIG2.gbr"}, false},
		{"one inner layer has but one place", []string{"GND.gbr"}, false},
		{"names of nets", []string{"GND.gbr", "PWR.gbr"}, true},
		{"numbers that are not those of all layers", []string{"GND1.gbr", "PWR1.gbr"}, true},
	} {
		in := []string{"x-F_Cu.gbr", anyGerber, "x-B_Cu.gbr", anyGerber}
		for _, f := range c.inner {
			in = append(in, f, anyGerber)
		}
		s := classifyAll(in...)
		for _, r := range s.Results {
			want := c.want && r.Side == pcb.Inner
			if r.Guessed != want || want && r.Confidence > 0.5 {
				t.Errorf("%s: %s is guessed %v with confidence %v, want %v", c.name, r.Name, r.Guessed, r.Confidence, want)
			}
		}
	}
}

// TestMissingSides: of two films of one kind the one without a side has the other's opposite.
func TestMissingSides(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		files []string
		want  []string
	}{
		{"the top is there", []string{"top mask.gbr", "mask.gbr"}, []string{"mask top", "mask bottom"}},
		{"the bottom is there", []string{"bottom paste.gbr", "paste.gbr"}, []string{"paste bottom", "paste top"}},
		{"both are there", []string{"top mask.gbr", "bottom mask.gbr", "mask.gbr"}, []string{"mask top", "mask bottom", "mask"}},
		{"two without a side", []string{"top mask.gbr", "mask.gbr", "mask 2.gbr"}, []string{"mask top", "mask", "mask"}},
		{"a mask alone may be of both sides", []string{"mask.gbr"}, []string{"mask"}},
		{"paste alone may be of both sides", []string{"paste.gbr"}, []string{"paste"}},
		{"a legend alone is that of the top", []string{"silk.gbr"}, []string{"silk top"}},
		{"two of the top leave nothing to tell", []string{"top mask.gbr", "top mask 2.gbr", "mask.gbr"}, []string{"mask top", "mask top", "mask"}},
	} {
		var in []string
		for _, f := range c.files {
			in = append(in, f, anyGerber)
		}
		var got []string
		for _, r := range classifyAll(tellApart(in)...).Results {
			got = append(got, brief(r))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %q (-want +got):\n%s", c.name, c.files, diff)
		}
	}
}

// TestLastResort: what is made the outline where no file is called so.
func TestLastResort(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		files []string
		want  string // the outline; "" for none
	}{
		{"the lowest mechanical layer", []string{"x.gm13", "x.gm2", "x.gm10"}, "x.gm2"},
		{"the lowest by its number, not by its letters", []string{"x.gm13", "x.gm3"}, "x.gm3"},
		{"a keep-out", []string{"x-keepout.gbr"}, "x-keepout.gbr"},
		{"what is called mechanical", []string{"x-mechanical.gbr"}, "x-mechanical.gbr"},
		{"what is called milling for certain", []string{"x-mill.gbr"}, "x-mill.gbr"},
		{"a margin is none", []string{"x-margin.gbr"}, ""},
		{"a user's layer is none", []string{"x-user.gbr"}, ""},
		{"nothing beside an outline", []string{"x.gm2", "x.gko"}, "x.gko"},
	} {
		in := []string{"x.gtl", anyGerber}
		for _, f := range c.files {
			in = append(in, f, anyGerber)
		}
		got, last := "", false
		for _, r := range classifyAll(in...).Results {
			if r.Role == pcb.RoleOutline {
				got, last = r.Name, r.LastResort
			}
		}
		if got != c.want || last != (c.want != "" && c.want != "x.gko") {
			t.Errorf("%s: the outline of %q is %q, a last resort %v; want %q", c.name, c.files, got, last, c.want)
		}
	}
}

// TestJobs: a job file speaks for the files that it lists, whatever folder it writes before them.
func TestJobs(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]pcb.Role{
		"1.gbr": pcb.RoleMask, "out/1.GBR": pcb.RoleMask, `out\\1.gbr`: pcb.RoleMask, "11.gbr": pcb.RoleUnknown, "1.gbr/x": pcb.RoleUnknown, "": pcb.RoleUnknown,
	} {
		job := fmt.Sprintf(`{"FilesAttributes":[{"Path":"%s","FileFunction":"Soldermask,Top"}]}`, path)
		if got := classifyAll("1.gbr", anyGerber, "x.gbrjob", job).Results[0].Role; got != want {
			t.Errorf("1.gbr with a job %s is %v, want %v", job, got, want)
		}
	}
}
