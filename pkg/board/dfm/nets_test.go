package dfm

import (
	"strings"
	"testing"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
)

// named is what a feature carries of a net and a pin.
func (k *kit) named(net, ref, pin string) artwork.Meta {
	m := artwork.Meta{Net: k.Net(net), Function: board.FuncConductor}
	if ref != "" {
		m.Pin, m.Function = k.Pin(ref, pin), board.FuncSMDPad
	}
	return m
}

// land puts a pad of a pin on the top.
func (k *kit) land(x, y int64, net, ref, pin string) {
	k.top.Flash(geom.Pt(x*milli, y*milli), artwork.Rect(milli, milli), 0, false, k.named(net, ref, pin))
}

// wire draws a track on the top.
func (k *kit) wire(x1, y1, x2, y2 int64, net string) {
	k.top.Line(geom.Pt(x1*milli, y1*milli), geom.Pt(x2*milli, y2*milli), milli/5, k.named(net, "", ""))
}

// listPin adds a pin that only a netlist knows.
func (k *kit) listPin(x, y int64, net, ref, pin string, side board.Side) {
	p := &k.Pins[k.Pin(ref, pin)]
	p.At, p.HasAt, p.Net, p.Side = geom.Pt(x*milli, y*milli), true, k.Net(net), side
}

func TestNets(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		draw  func(k *kit)
		check Name
		level Level
		count int
		says  string
	}{
		"joined as stated": {func(k *kit) {
			k.land(5, 5, "A", "R1", "1")
			k.land(15, 5, "A", "R2", "1")
			k.wire(5, 5, 15, 5, "A")
		}, Open, MustFix, 0, ""},
		"not joined": {func(k *kit) {
			k.land(5, 5, "A", "R1", "1")
			k.land(15, 5, "A", "R2", "1")
			k.wire(5, 5, 12, 5, "A")
		}, Open, MustFix, 1, "A (pad R1-1 to pad R2-1)"},
		"in three pieces": {func(k *kit) {
			k.land(5, 5, "A", "R1", "1")
			k.land(15, 5, "A", "R2", "1")
			k.land(25, 5, "A", "R3", "1")
		}, Open, MustFix, 2, "R2-1 to pad R3-1"},
		"stray copper is no open": {func(k *kit) {
			k.land(5, 5, "A", "R1", "1")
			k.wire(12, 5, 15, 5, "A")
		}, Open, MustFix, 0, ""},
		"joined on the other side": {func(k *kit) {
			for _, x := range []int64{5, 15} {
				k.land(x, 5, "A", "R"+string(rune('0'+x/5)), "1")
				k.bottom.Flash(geom.Pt(x*milli, 5*milli), artwork.Circle(milli), 0, false, k.named("A", "", ""))
				k.hole(x*milli, 5*milli, milli/2, board.Plated)
			}
			k.bottom.Line(geom.Pt(5*milli, 5*milli), geom.Pt(15*milli, 5*milli), milli/5, k.named("A", "", ""))
		}, Open, MustFix, 0, ""},
		"tool's own board": {func(k *kit) {
			k.top.Layer.File = "x.kicad_pcb"
			k.land(5, 5, "A", "R1", "1")
			k.land(15, 5, "A", "R2", "1")
		}, Unrouted, MustFix, 1, "1 unrouted connection"},
		"zone stored without fill": {func(k *kit) {
			k.top.Layer.File = "x.kicad_pcb"
			k.land(5, 5, "A", "R1", "1")
			k.land(15, 5, "A", "R2", "1")
			k.Unfilled = []int32{k.Net("A")}
		}, Unrouted, Warning, 1, "Fill all zones"},
		"pads of one pin": {func(k *kit) {
			k.land(5, 5, "A", "J1", "S")
			k.land(15, 5, "A", "J1", "S")
		}, Open, Warning, 1, "same pin"},
		"not connected on purpose": {func(k *kit) {
			k.land(5, 5, "N/C", "U1", "1")
			k.land(15, 5, "N/C", "U1", "2")
			k.wire(5, 5, 25, 5, "A")
		}, Open, MustFix, 0, ""},
		"short of tracks": {func(k *kit) {
			k.wire(5, 5, 15, 5, "A")
			k.wire(10, 1, 10, 9, "B")
		}, Short, MustFix, 1, "A and B (top, at 10.0"},
		"short by copper without a net": {func(k *kit) {
			k.wire(5, 5, 15, 5, "A")
			k.wire(5, 9, 15, 9, "B")
			k.wire(10, 5, 10, 9, "")
		}, Short, MustFix, 1, "A and B"},
		"closed jumper": {func(k *kit) {
			k.land(5, 5, "A", "JP1", "1")
			k.land(7, 5, "B", "JP1", "2")
			k.wire(5, 5, 7, 5, "")
		}, Short, Warning, 1, "within parts"},
		"net tie": {func(k *kit) {
			k.land(5, 5, "A", "NT1", "1")
			k.land(7, 5, "B", "NT1", "2")
			k.wire(5, 5, 7, 5, "")
			k.wire(5, 5, 1, 5, "A")
			k.wire(7, 5, 12, 5, "B")
		}, Short, MustFix, 0, ""},
		"net tie, and a short besides": {func(k *kit) {
			k.land(5, 5, "A", "NT1", "1")
			k.land(7, 5, "B", "NT1", "2")
			k.wire(5, 5, 7, 5, "")
			k.wire(5, 5, 5, 10, "A")
			k.wire(7, 5, 7, 10, "B")
			k.wire(5, 10, 7, 10, "A")
		}, Short, MustFix, 1, "A and B"},
		"by a netlist": {func(k *kit) {
			k.land(5, 5, "", "", "")
			k.land(15, 5, "", "", "")
			k.wire(5, 5, 15, 5, "")
			k.listPin(5, 5, "A", "R1", "1", board.Top)
			k.listPin(15, 5, "B", "R2", "1", board.Top)
		}, Short, MustFix, 1, "A and B"},
		"open by a netlist": {func(k *kit) {
			k.land(5, 5, "", "", "")
			k.land(15, 5, "", "", "")
			k.listPin(5, 5, "A", "R1", "1", board.Top)
			k.listPin(15, 5, "A", "R2", "1", board.NoSide)
		}, Open, MustFix, 1, "R1-1 to pad R2-1"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit()
			k.hole(30*milli, 25*milli, milli, board.NonPlated)
			tt.draw(k)
			r := k.judge(nets, nil)
			f := r.want(t, tt.check, tt.level, tt.count)
			if !strings.Contains(f.What, tt.says) {
				t.Errorf("says %q, want %q in it", f.What, tt.says)
			}
			if tt.count == 0 && len(r.findings) > 0 {
				t.Errorf("findings %+v", r.findings)
			}
		})
	}
}

func TestNetsUnknown(t *testing.T) {
	t.Parallel()
	k := newKit()
	if r := k.judge(nets, nil); len(r.unchecked) != 1 || !strings.Contains(r.unchecked[0], "no nets") {
		t.Errorf("empty board: %q", r.unchecked)
	}
	k.wire(5, 5, 15, 5, "")
	for i := range int64(10) {
		k.listPin(5+i, 20, "A", "R1", string(rune('a'+i)), board.Top)
	}
	if r := k.judge(nets, nil); len(r.unchecked) != 1 || !strings.Contains(r.unchecked[0], "does not fit") || len(r.findings) > 0 {
		t.Errorf("misfit netlist: %q %+v", r.unchecked, r.findings)
	}
}

// TestMissingCopper holds that a pin without copper is told of where all others fit.
func TestMissingCopper(t *testing.T) {
	t.Parallel()
	k := newKit()
	k.hole(30*milli, 25*milli, milli, board.NonPlated)
	for i := range int64(60) {
		x, y := 2+i%30, 5+i/30*5
		k.listPin(x, y, "N"+string(rune('0'+i%30)), "U1", string(rune('A'+i)), board.Top)
		if i < 30 { // a track up to the second row, but for the last
			k.wire(x, 5, x, 10-i/29*2, "")
		}
	}
	r := k.judge(nets, nil)
	if f := r.want(t, Open, MustFix, 1); !strings.Contains(f.What, "no copper at pad U1-") {
		t.Errorf("says %q", f.What)
	}
}
