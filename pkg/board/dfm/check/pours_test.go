package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/format/eagle"
	"boardorder/pkg/board/pcb"
)

// drawPours gives a board of EAGLE with four layers of 33 pours each, unfilled as EAGLE stores them, with
// curved tracks and vias of other nets through them.
func drawPours() string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><eagle version="7.7.0"><drawing><layers><layer number="1" name="Top"/><layer number="2" name="Inner2"/><layer number="15" name="Inner15"/><layer number="16" name="Bottom"/></layers><board>
<plain><wire x1="0" y1="0" x2="80" y2="0" width="0" layer="20"/><wire x1="80" y1="0" x2="80" y2="40" width="0" layer="20"/><wire x1="80" y1="40" x2="0" y2="40" width="0" layer="20"/><wire x1="0" y1="40" x2="0" y2="0" width="0" layer="20"/></plain>
<libraries/><designrules name="x"><param name="layerSetup" value="(1*2*15*16)"/><param name="mdWireWire" value="6mil"/></designrules><signals>`)
	layers := []int{1, 2, 15, 16}
	polygon := func(layer, rank int, x, y, w, h float64) {
		fmt.Fprintf(&b, `<polygon width="0.2" layer="%d" isolate="0.25" thermals="yes" rank="%d"><vertex x="%g" y="%g"/><vertex x="%g" y="%g"/><vertex x="%g" y="%g"/><vertex x="%g" y="%g"/></polygon>`,
			layer, rank, x, y, x+w, y, x+w, y+h, x, y+h)
	}
	b.WriteString(`<signal name="GND">`)
	for _, l := range layers {
		polygon(l, 6, 1, 1, 78, 38)
	}
	b.WriteString(`</signal>`)
	for i := range 32 {
		fmt.Fprintf(&b, `<signal name="P%d">`, i)
		for _, l := range layers {
			polygon(l, 1, 3+float64(i%8)*9.5, 3+float64(i/8)*9, 3, 3)
		}
		b.WriteString(`</signal>`)
	}
	for i := range 60 {
		x, y := 7+float64(i%15)*4.7, 7+float64(i/15)*9
		fmt.Fprintf(&b, `<signal name="S%d"><via x="%g" y="%g" extent="1-16" drill="0.3" diameter="0.6"/>`, i, x, y)
		for _, l := range layers {
			fmt.Fprintf(&b, `<wire x1="%g" y1="%g" x2="%g" y2="%g" width="0.15" layer="%d" curve="90"/>`, x, y, x+2, y+2, l)
		}
		b.WriteString(`</signal>`)
	}
	return b.String() + `</signals></board></drawing></eagle>`
}

// TestCurvesThroughPoursTakeAPartOfTheBudget: what cuts a pour of EAGLE is counted, and an ordinary board
// of many takes a small part of what a board may cost.
func TestCurvesThroughPoursTakeAPartOfTheBudget(t *testing.T) {
	t.Parallel()
	boards, problems := eagle.Read(t.Context(), []eagle.File{{Name: "many.brd", Data: []byte(drawPours())}})
	if len(boards) != 1 {
		t.Fatalf("boards %d, findings %+v; want one board", len(boards), problems)
	}
	part := pcb.Limits{Steps: pcb.DefaultLimits.Steps / 20}
	r, err := Run(t.Context(), boards[0], dfm.Options{Budget: part})
	if err != nil || slices.ContainsFunc(r.Findings, func(f dfm.Finding) bool { return f.Check == dfm.TooComplex || f.Level == dfm.MustFix }) {
		t.Errorf("a board of 132 pours within %d steps: error %v, findings %+v; want a board that can be built", part.Steps, err, r.Findings)
	}
}
