package identity_test

import (
	"fmt"
	"path"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/board/testkit/corpus"
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
			identity.Identify(&plan.Lines[i].Line, identity.Rail{})
		}
	}
}

// maxReading is what reading the longest files may take.
const maxReading = 100 * time.Millisecond

// BenchmarkLargest reads the longest list and the longest placement file of real
// designs, and matches and identifies the lines.
func BenchmarkLargest(b *testing.B) {
	var list, places corpus.File
	lines, placed := 0, 0
	for _, d := range corpus.Designs(b) {
		files, _ := corpus.Upload(b, d["name"])
		for _, f := range files {
			switch strings.ToLower(path.Ext(f.Name)) {
			case ".csv", ".tsv", ".xlsx", ".txt", ".pos", ".mnt", ".mnb":
			default:
				continue
			}
			if l, err := bom.Read(f.Name, f.Data); err == nil && !l.Positions && len(l.Lines) > lines {
				list, lines = f, len(l.Lines)
			}
			if p, err := placement.Read(f.Name, f.Data); err == nil && len(p.Parts) > placed {
				places, placed = f, len(p.Parts)
			}
		}
	}
	if lines == 0 || placed == 0 {
		b.Fatalf("%d lines and %d placements among the designs", lines, placed)
	}
	b.Logf("%s: %d lines; %s: %d placements", path.Base(list.Name), lines, path.Base(places.Name), placed)
	b.SetBytes(int64(len(list.Data) + len(places.Data)))
	b.ReportAllocs()
	for b.Loop() {
		begun := time.Now()
		l, err := bom.Read(list.Name, list.Data)
		if err != nil {
			b.Fatal(err)
		}
		p, err := placement.Read(places.Name, places.Data)
		if err != nil {
			b.Fatal(err)
		}
		plan := assembly.Match(l, []placement.List{p}, assembly.Choices{})
		for i := range plan.Lines {
			identity.Identify(&plan.Lines[i].Line, identity.Rail{})
		}
		if took := time.Since(begun); took > maxReading {
			b.Fatalf("took %v, want %v at most", took, maxReading)
		}
	}
}
