package render

import (
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// A window shows the same as the part of the whole picture that it covers, also
// of what reaches out of it on all sides.
func TestWindow(t *testing.T) {
	t.Parallel()
	l := newSheet(pcb.RoleCopper, pcb.Top)
	round := pcb.Circle(mm)
	for i := range int64(9) {
		l.edge(round, geom.Edge{A: geom.Pt(-5*mm, i*3*mm), B: geom.Pt(25*mm, (9-i)*3*mm)})
		l.flash(round, geom.Pt(i*3*mm, i*2*mm))
	}
	whole, window := geom.Box{Max: geom.Pt(20*mm, 20*mm)}, geom.Box{Min: geom.Pt(5*mm, 5*mm), Max: geom.Pt(10*mm, 15*mm)}
	full, err := Layer(t.Context(), nil, l.Layer, Options{Window: whole, Width: 400})
	if err != nil {
		t.Fatal(err)
	}
	part, err := Layer(t.Context(), nil, l.Layer, Options{Window: window, Width: 100})
	if err != nil {
		t.Fatal(err)
	}
	if part.Rect.Dx() != 100 || part.Rect.Dy() != 200 {
		t.Fatalf("the window is %v, want 100 by 200 pixels", part.Rect)
	}
	for y := range 200 {
		for x := 1; x < 99; x++ { // what crosses an edge is cut there
			a, b := int(part.ColorIndexAt(x, y)), int(full.ColorIndexAt(x+100, y+100))
			if a-b > 2 || b-a > 2 {
				t.Fatalf("at %d, %d: %d in the window, %d in the whole; want the same within 2", x, y, a, b)
			}
		}
	}
}
