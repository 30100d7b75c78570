package kicad

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"boardorder/pkg/board/testkit/corpus"
)

// whole is a part size that leaves the board in one piece.
const whole = 1 << 40

// differ names the fields in which a board read in parts differs from the same
// board read at once; "" for none.
func differ(t *testing.T, f File, part int) string {
	t.Helper()
	want, got := readBoard(t.Context(), f, whole), readBoard(t.Context(), f, part)
	var fields []string
	a, b := reflect.ValueOf(*want), reflect.ValueOf(*got)
	for i := range a.NumField() {
		if field := a.Type().Field(i); field.IsExported() && !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			fields = append(fields, field.Name)
		}
	}
	return strings.Join(fields, " ")
}

// body writes n of everything that boards hold, with nets told by the function
// given and some items that are odd.
func body(n int, net func(i int) string) string {
	var s strings.Builder
	for i := range n {
		x := float64(i) / 3
		fmt.Fprintf(&s, `(footprint "f%d" (layer "%s") (at %g 7 %d) (clearance 0.%d) (fp_text reference "R%d" (at 0 1) (layer "F.SilkS"))
			(fp_poly (pts (xy 0 0) (xy 1 0) (arc (start 1 0) (mid 1.2 .5) (end 1 1))) (layer "F.Fab") (width 0.1))
			(pad "1" thru_hole oval (at 0 0 %d) (size 1 %g) (drill 0.%d) (layers "*.Cu" "*.Mask") (remove_unused_layers) %s)
			(pad "2" smd roundrect (at 2 0) (size 1 1) (roundrect_rratio 0.25) (layers "F.Cu" "F.Paste" "F.Mask") %s))`,
			i, []string{"F.Cu", "B.Cu"}[i%2], x, i%4*90, 1+i%3, i, i%5*30, 1+float64(i%7)/10, 3+i%4, net(i), net(i+1))
		fmt.Fprintf(&s, `(segment (start %g 7) (end %g 8) (width 0.%d) (layer "B.Cu") %s)`, x, x, 15+i%20, net(i))
		fmt.Fprintf(&s, `(arc (start %g 7) (mid %g 8) (end %g 9) (width 0.2) (layer "F.Cu") %s)`, x, x+1, x, net(i))
		fmt.Fprintf(&s, `(via (at %g 9) (size 0.6) (drill 0.%d) (layers "F.Cu" "B.Cu") (tenting none) %s)`, x, 3+i%3, net(i))
		fmt.Fprintf(&s, `(zone %s (layer "In1.Cu") (filled_polygon (layer "In1.Cu") (pts (xy %g 0) (xy %g 1) (xy 0 1))))`, net(i), x, x)
		fmt.Fprintf(&s, `(zone %s (layer "In2.Cu")) (zone %s (layer "In2.Cu") (fill yes))`, net(i), net(i+1))
		fmt.Fprintf(&s, `(gr_line (start %g 0) (end %g 0) (layer "Edge.Cuts") (width 0.1)) (gr_text "t%d" (at 1 %g) (layer "Off.User"))`, x, x+1./3, i, x)
		if i%40 == 39 {
			fmt.Fprintf(&s, `(odd%d) (odd) (property "KEY" "v") (net 77 "LATE")`, i)
		}
	}
	return s.String()
}

func TestParts(t *testing.T) {
	t.Parallel()
	numbered := func(i int) string { return fmt.Sprintf("(net %d)", i%6) }
	named := func(i int) string { return fmt.Sprintf(`(net "N%d")`, i%40) }
	unlisted := func(i int) string { return fmt.Sprintf(`(net %d "N%d")`, i%9, i%9) }
	table := `(net 0 "") (net 1 "A") (net 2 "B") (net 3 "C") (net 4 "D") (net 5 "E")`
	for name, text := range map[string]string{
		"numbered nets":   v9(table + body(150, numbered)),
		"unlisted nets":   v9(table + body(150, unlisted)),
		"named nets":      strings.Replace(v9(body(150, named)), "20241229", "20260101", 1),
		"without a table": v9(body(150, unlisted)),
		"cut off":         v9(table + body(150, numbered))[:90_000],
	} {
		for _, part := range []int{1, 3000, 20_000} {
			if d := differ(t, File{"a.kicad_pcb", []byte(text)}, part); d != "" {
				t.Errorf("%s, in parts of %d bytes: %s differ", name, part, d)
			}
		}
	}
}

// TestPartsOfCorpus reads real boards in many parts.
func TestPartsOfCorpus(t *testing.T) {
	t.Parallel()
	const most = 1 << 20
	dir := corpus.Dir(t)
	read := 0
	for _, d := range corpus.Designs(t) {
		files, _, err := corpus.Load(t.Context(), filepath.Join(dir, d["name"]))
		if err != nil {
			continue
		}
		for _, f := range files {
			if ext(f.Name) == ".kicad_pcb" && len(f.Data) < most {
				read++
				if d := differ(t, File(f), 10_000); d != "" {
					t.Errorf("%s: %s differ", f.Name, d)
				}
			}
		}
	}
	if read < 20 {
		t.Errorf("%d boards read in parts, want 20 at least", read)
	}
}

func TestTallyKeepsTheFirst(t *testing.T) {
	t.Parallel()
	blank := func() *tally { return &tally{counts: map[string]int{}, countLine: map[string]int{}} }
	all, a, b := blank(), blank(), blank()
	for i, p := range []*tally{a, b} {
		for k := range 100 {
			p.passOver(fmt.Sprintf("odd %d", 60*i+k), 1000*i+k)
		}
		p.layerOff(fmt.Sprint("layer ", i), 7+i)
		p.track(int64(200_000 - i))
	}
	all.add(a)
	all.add(b)
	if len(all.counts) != 102 || all.counts["odd 60"] != 2 || all.countLine["odd 60"] != 60 || all.counts["others"] != 59 {
		t.Errorf("%d names, odd 60 %d times from line %d, %d others; want 102, twice from line 60, 59", len(all.counts), all.counts["odd 60"], all.countLine["odd 60"], all.counts["others"])
	}
	if all.offCount != 2 || all.offName != "layer 0" || all.offLine != 7 || all.minTrack != 199_999 {
		t.Errorf("two parts added = %+v, want 2 layers off, the first layer 0 of line 7, and a least track of 199999", all)
	}
}
