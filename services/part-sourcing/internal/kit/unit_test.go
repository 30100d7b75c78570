package kit

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/services/part-sourcing/internal/placement"
)

// TestUnits: a list that does not say its unit is held against the board in each
// unit, so that one wrong coordinate does not decide about all, and is asked
// about where the board does not tell.
func TestUnits(t *testing.T) {
	t.Parallel()
	const mm = geom.Millimetre
	frame := geom.Box{Max: geom.Pt(100*mm, 80*mm)}
	var metric, moved, imperial, mils []string
	for i := range 12 {
		x, y := float64(8+7*i), float64(70-5*i)
		metric = append(metric, fmt.Sprintf("R%d %.2f %.2f", i, x, y))
		moved = append(moved, fmt.Sprintf("R%d %.2f %.2f", i, x+500, y-300))
		imperial = append(imperial, fmt.Sprintf("R%d %.4f %.4f", i, x/25.4, y/25.4))
		mils = append(mils, fmt.Sprintf("R%d %.1f %.1f", i, x/0.0254, y/0.0254))
	}
	components := func(scale int64, moved geom.Point) []pcb.Component {
		var out []pcb.Component
		for i := range int64(12) {
			out = append(out, pcb.Component{Ref: fmt.Sprintf("R%d", i), HasAt: true, At: geom.Pt((8+7*i)*scale, (70-5*i)*scale).Add(moved)})
		}
		return out
	}
	for name, tt := range map[string]struct {
		rows   []string
		frame  geom.Box
		parts  []pcb.Component
		want   placement.Unit
		doubt  bool
		beside string
	}{
		"millimetres":                 {rows: metric, want: placement.Millimetre},
		"inches":                      {rows: imperial, want: placement.Inch},
		"mils":                        {rows: mils, want: placement.Mil},
		"millimetres, one far away":   {rows: append(metric[:12:12], "U1 1900 20"), want: placement.Millimetre, beside: "U1"},
		"mils, one far away":          {rows: append(mils[:12:12], "U1 39000 20"), want: placement.Mil, beside: "U1"},
		"inches, one far away":        {rows: append(imperial[:12:12], "U1 39 2"), want: placement.Inch, beside: "U1"},
		"another origin":              {rows: moved, want: placement.Millimetre},
		"a few close together":        {rows: []string{"R1 1 1", "R2 3 3"}, doubt: true},
		"two, one far away":           {rows: []string{"R1 500 6", "R2 8 6"}, doubt: true},
		"three, one far away":         {rows: []string{"R1 500 6", "R2 8 6", "R3 30 40"}, doubt: true},
		"two on the board":            {rows: []string{"R1 30 6", "R2 8 6"}, want: placement.Millimetre},
		"two in mils":                 {rows: []string{"R1 500 600", "R2 2000 600"}, want: placement.Mil},
		"two in inches":               {rows: []string{"R1 0.5 0.6", "R2 1.4 0.6"}, want: placement.Inch},
		"one part":                    {rows: []string{"R1 50 40"}, want: placement.Millimetre},
		"fits no unit":                {rows: []string{"R1 0 0", "R2 50000 0", "R3 90000 10", "R4 20000 20000"}, doubt: true},
		"the board's own parts":       {rows: []string{"R1 1 1", "R2 1.2756 0.8031", "R3 1.5512 0.6063", "R4 1.8268 0.4094"}, parts: components(mm, geom.Pt(900*mm, 0)), want: placement.Inch},
		"own parts against the frame": {rows: metric, frame: geom.Box{Max: geom.Pt(9*mm, 9*mm)}, parts: components(mm, geom.Pt(0, 0)), want: placement.Millimetre, beside: "R0 R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11"},
		"no outline":                  {rows: metric, frame: geom.EmptyBox(), want: placement.Millimetre},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := placement.Read("pos.csv", []byte(strings.ReplaceAll("Ref X Y\n"+strings.Join(tt.rows, "\n")+"\n", " ", ",")))
			if err != nil || l.Stated {
				t.Fatalf("placements %q: unit stated %t, %v; want it not stated", tt.rows, l.Stated, err)
			}
			f := tt.frame
			if f == (geom.Box{}) {
				f = frame
			}
			got, doubt := settleUnits([]placement.List{l}, []int{0}, &pcb.Board{Components: tt.parts}, f)
			if doubt != tt.doubt || !doubt && got[0].Unit != tt.want {
				t.Fatalf("unit %d, doubt %v; want %d, %v", got[0].Unit, doubt, tt.want, tt.doubt)
			}
			marked, _ := markOffBoard(got[0], f)
			var off []string
			for _, p := range marked.Parts {
				if p.Beside {
					off = append(off, p.Ref)
				}
			}
			if s := strings.Join(off, " "); !doubt && s != tt.beside {
				t.Errorf("%q lie off the board, want %q", s, tt.beside)
			}
		})
	}
}

// TestUnitOfTheOtherSide: a list of few parts is read in the unit of the other.
func TestUnitOfTheOtherSide(t *testing.T) {
	t.Parallel()
	const mm = geom.Millimetre
	var lists []placement.List
	for _, rows := range []string{"R1 0.1 0.1\nR2 1.9 0.1\nR3 3 2\nR4 2 1\n", "R5 1 1\nR6 3 2\n"} {
		l, err := placement.Read("pos.csv", []byte(strings.ReplaceAll("Ref X Y\n"+rows, " ", ",")))
		if err != nil {
			t.Fatal(err)
		}
		lists = append(lists, l)
	}
	frame := geom.Box{Max: geom.Pt(90*mm, 60*mm)}
	if got, doubt := settleUnits(lists, []int{0, 1}, &pcb.Board{}, frame); doubt || got[1].Unit != got[0].Unit {
		t.Errorf("units %d and %d, doubt %v; want the same, false", got[0].Unit, got[1].Unit, doubt)
	}
}
