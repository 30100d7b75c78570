package partsourcing

import (
	"slices"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/services/part-sourcing/internal/assemblyprice"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/kit"
	"boardorder/services/part-sourcing/internal/placement"
)

// What the placements leave off stays off, nobody is asked about it, and the reply
// says so.
func TestWhatPlacementsLeaveOffIsSaid(t *testing.T) {
	t.Parallel()
	table, err := assemblyprice.BuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	rates, ok := table.On(time.Now())
	if !ok {
		t.Fatal("no rates for today")
	}
	list, err := bom.Read("bom.csv", []byte("Designator,Value,Footprint\n\"R1,R2,R3\",1k,0402\nU1,LM358,SO8\n"))
	if err != nil {
		t.Fatal(err)
	}
	places, err := placement.Read("cpl.csv", []byte("Ref,X (mm),Y (mm),Rot,Side,DNP\nR1,1,1,0,Top,\nR2,2,1,0,Top,DNP\nR3,3,1,0,Top,no\nU1,4,1,0,Top,x\n"))
	if err != nil {
		t.Fatal(err)
	}
	w := planned(kit.Kit{List: list, Places: []placement.List{places}}, contract.AssembleData{Boards: 10}, &rates)
	if n := "Parts that the placements mark as not to be fitted stay off: R2, U1."; !slices.Contains(w.said.Notes, n) {
		t.Errorf("notes %q, want one that says %q", w.said.Notes, n)
	}
	if len(w.said.OffBoard) != 0 || w.said.Top != 2 || len(w.list.request.Lines) != 1 {
		t.Errorf("questions %+v, %d placed, %d lines bought", w.said.OffBoard, w.said.Top, len(w.list.request.Lines))
	}
}
