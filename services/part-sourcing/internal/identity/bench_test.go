package identity_test

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/services/part-sourcing/internal/assembly"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/placement"
)

// BenchmarkRead reads, matches and identifies a list of 300 lines with 3,000
// placements: longer than any board's that people send.
func BenchmarkRead(b *testing.B) {
	var list, places strings.Builder
	list.WriteString("Comment,Designator,Footprint,MPN\n")
	places.WriteString("Ref,Val,Package,PosX,PosY,Rot,Side\n")
	for line := range 300 {
		fmt.Fprintf(&list, "%dk,\"", line+1)
		for k := range 10 {
			n := 10*line + k + 1
			fmt.Fprintf(&list, "R%d,", n)
			fmt.Fprintf(&places, "\"R%d\",\"%dk\",\"R_0402_1005Metric\",%d.5,%d.25,90.0,top\n", n, line+1, n%200, n/200)
		}
		fmt.Fprintf(&list, "\",R_0402_1005Metric,%s\n", []string{"", "RC0402FR-0710KL"}[line%2])
	}
	b.ReportAllocs()
	for b.Loop() {
		l, err := bom.Read("bom.csv", []byte(list.String()))
		if err != nil {
			b.Fatal(err)
		}
		p, err := placement.Read("pos.csv", []byte(places.String()))
		if err != nil {
			b.Fatal(err)
		}
		plan := assembly.Match(l, []placement.List{p}, assembly.Choices{})
		for i := range plan.Lines {
			identity.Of(&plan.Lines[i].Line)
		}
	}
}
