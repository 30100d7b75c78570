package partsourcing

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract/assemblies"
	"boardorder/services/part-sourcing/internal/assemblyprice"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/kit"
	"boardorder/services/part-sourcing/internal/placement"
)

// ratesOfToday are the built-in rates of assembly.
func ratesOfToday(t *testing.T) assemblyprice.Rates {
	t.Helper()
	table, err := assemblyprice.LoadBuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	rates, ok := table.RatesOn(time.Now())
	if !ok {
		t.Fatal("no rates for today")
	}
	return rates
}

// What the placements leave off stays off, nobody is asked about it, and the reply
// says so.
func TestWhatPlacementsLeaveOffIsSaid(t *testing.T) {
	t.Parallel()
	rates := ratesOfToday(t)
	list, err := bom.Read("bom.csv", []byte("Designator,Value,Footprint\n\"R1,R2,R3\",1k,0402\nU1,LM358,SO8\n"))
	if err != nil {
		t.Fatal(err)
	}
	places, err := placement.Read("cpl.csv", []byte("Ref,X (mm),Y (mm),Rot,Side,DNP\nR1,1,1,0,Top,\nR2,2,1,0,Top,DNP\nR3,3,1,0,Top,no\nU1,4,1,0,Top,x\n"))
	if err != nil {
		t.Fatal(err)
	}
	w := planKit(kit.Kit{List: list, Places: []placement.List{places}}, assemblies.AssembleData{Boards: 10}, &rates)
	if n := "Parts that the placements mark as not to be fitted stay off: R2, U1."; !slices.Contains(w.state.Notes, n) {
		t.Errorf("notes %q, want one that says %q", w.state.Notes, n)
	}
	if len(w.state.OffBoard) != 0 || w.state.Top != 2 || len(w.list.request.Lines) != 1 {
		t.Errorf("questions %+v, %d placed, %d lines bought; want none, 2, 1", w.state.OffBoard, w.state.Top, len(w.list.request.Lines))
	}
}

// A file of placements that does not say its unit is named, with the unit that was taken.
func TestUnitThatWasTakenIsSaid(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		file   string
		header string
		unit   placement.Unit // that fits the board
		want   []string
	}{
		"not said, millimetres":     {"jobs/cpl.csv", "Ref,X,Y,Rot,Side", placement.Millimetre, []string{"cpl.csv does not say the unit of its positions; millimetres were taken."}},
		"not said, mils":            {"jobs/cpl.csv", "Ref,X,Y,Rot,Side", placement.Mil, []string{"cpl.csv does not say the unit of its positions; mils were taken."}},
		"a name that is a sentence": {"jobs/Ignore: all.csv", "Ref,X,Y,Rot,Side", placement.Inch, []string{"A file does not say the unit of its positions; inches were taken."}},
		"said":                      {"jobs/cpl.csv", "Ref,X (mm),Y (mm),Rot,Side", placement.Millimetre, nil},
	} {
		l, err := placement.Read(tt.file, []byte(tt.header+"\nR1,1.5,1,0,Top\nR2,2,1,0,Top\n"))
		if err != nil {
			t.Fatal(err)
		}
		l.Unit = tt.unit
		if got := placeNotes([]placement.List{l}); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// What no part belongs to is left off, and the reply names it with why.
func TestWhatNoPartBelongsToIsSaid(t *testing.T) {
	t.Parallel()
	rates := ratesOfToday(t)
	list, err := bom.Read("bom.csv", []byte("Designator,Value,Footprint,MPN,DNP\nR1,1k,0402,,\nR5,1k,0402,,DNP\n\"TP1,TP2\",TestPoint,TestPoint_Pad,,\nTP3,Keystone 5015,,5015,\n"))
	if err != nil {
		t.Fatal(err)
	}
	places, err := placement.Read("cpl.csv", []byte("Ref,X (mm),Y (mm),Rot,Side\nR1,1,1,0,Top\nTP1,2,1,0,Top\nTP3,2,2,0,Top\nFID1,3,1,0,Top\nH1,4,1,0,Top\n"))
	if err != nil {
		t.Fatal(err)
	}
	w := planKit(kit.Kit{List: list, Places: []placement.List{places}}, assemblies.AssembleData{Boards: 10}, &rates)
	for _, n := range []string{"Fiducials, holes, test points and drawings that name no part are left off: FID1, H1, TP1, TP2.", "Parts that the bill of materials marks as not to be fitted stay off: R5."} {
		if !slices.Contains(w.state.Notes, n) {
			t.Errorf("notes %q, want one that says %q", w.state.Notes, n)
		}
	}
	if len(w.state.OffBoard) != 0 || len(w.state.Unlisted) != 0 || w.state.Top != 2 {
		t.Errorf("questions %+v, on no line %v, %d placed; want none, none, 2", w.state.OffBoard, w.state.Unlisted, w.state.Top)
	}
	got := map[string]string{}
	for i := range w.plan.Lines {
		p := w.part(&w.plan.Lines[i])
		got[p.Reference] = p.Fitting
		if (p.Why == "") != (p.Fitting == assemblies.Fitted) {
			t.Errorf("%s is %s because %q, want a reason only if it is not fitted", p.Reference, p.Fitting, p.Why)
		}
	}
	if want := map[string]string{"R1": assemblies.Fitted, "R5": assemblies.LeftOff, "TP1,TP2": assemblies.LeftOff, "TP3": assemblies.Fitted}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestSeveralBoardsInOneList: of a file whose designators name two boards' parts nothing is
// bought where they differ, and it is said what to send; a few mistakes are no two boards.
func TestSeveralBoardsInOneList(t *testing.T) {
	t.Parallel()
	rates := ratesOfToday(t)
	const first, second = "Designator,Value,Footprint\nR1,1k,0402\nR2,2k,0402\nR3,3k,0402\nC1,1u,0402\n", "Designator,Value,Footprint\nR1,4k7,0402\nR2,10k,0402\nR3,22k,0402\n"
	for name, tt := range map[string]struct {
		list     string
		requests int
		reported bool
	}{
		"two boards":     {first + second, 3, true},
		"one board":      {first, 0, false},
		"the same twice": {first + first, 0, false},
		"one mistake":    {first + "R1,4k7,0402\n", 1, false},
	} {
		list, err := bom.Read("bom.csv", []byte(tt.list))
		if err != nil {
			t.Fatal(err)
		}
		places, err := placement.Read("cpl.csv", []byte("Ref,X (mm),Y (mm),Rot,Side\nR1,1,1,0,Top\nR2,2,1,0,Top\nR3,3,1,0,Top\nC1,4,1,0,Top\n"))
		if err != nil {
			t.Fatal(err)
		}
		w := planKit(kit.Kit{List: list, Places: []placement.List{places}}, assemblies.AssembleData{Boards: 10}, &rates)
		requests := 0
		for _, q := range w.state.Unnamed {
			if strings.Contains(q.Why, "send a list that has each designator once") {
				requests += q.Quantity
			}
		}
		reported := slices.ContainsFunc(w.state.Notes, func(n string) bool { return strings.Contains(n, "send the list of this board alone") })
		if requests != tt.requests || reported != tt.reported {
			t.Errorf("%s: %d asked, want %d; said %t: %+v %q", name, requests, tt.requests, reported, w.state.Unnamed, w.state.Notes)
		}
	}
}

// TestOptionalPartsAndStyles: a part that is called optional and has a place is asked about,
// one without a place stays off, and a part that is named for its kind is to be looked at.
func TestOptionalPartsAndStyles(t *testing.T) {
	t.Parallel()
	rates := ratesOfToday(t)
	list, err := bom.Read("bom.csv", []byte("Designator,Value,Footprint\nR1,10k optional,0402\nR2,1k optional,0402\nD1,BAT54S-style,SOT-23\nR3,1k or similar,0402\n"))
	if err != nil {
		t.Fatal(err)
	}
	places, err := placement.Read("cpl.csv", []byte("Ref,X (mm),Y (mm),Rot,Side\nR1,1,1,0,Top\nD1,4,1,0,Top\nR3,5,5,0,Top\n"))
	if err != nil {
		t.Fatal(err)
	}
	w := planKit(kit.Kit{List: list, Places: []placement.List{places}}, assemblies.AssembleData{Boards: 10}, &rates)
	if q := w.state.OffBoard; len(q) != 1 || q[0].Reference != "R1" || !strings.Contains(q[0].Why, "optional") || q[0].Part != "10k" {
		t.Errorf("off the board: %+v, want R1, 10k, as optional", q)
	}
	doubts := map[string]int{}
	for _, l := range w.list.request.Lines {
		doubts[l.Refs[0]] = len(l.Doubts)
	}
	if doubts["D1"] != 1 || doubts["R3"] != 0 {
		t.Errorf("doubts %v, want one on D1, none on R3", doubts)
	}
}
