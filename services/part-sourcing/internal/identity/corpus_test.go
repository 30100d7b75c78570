package identity_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/format/eagle"
	"boardorder/pkg/board/format/kicad"
	"boardorder/pkg/board/format/odb"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/corpus"
	"boardorder/services/part-sourcing/internal/assembly"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/design"
	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/placement"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestCorpus reads every bill of materials and placement file of real designs,
// matches them, and holds what was made of them against a report.
func TestCorpus(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	fmt.Fprintln(&out, "# lines of each list: named by number, passive by value, a number as value, mechanical, left off, nameless and why; then what does not match")
	for _, d := range corpus.Designs(t) {
		files, _ := corpus.Upload(t, d["name"])
		report(&out, t, d["name"], files)
	}
	const golden = "testdata/corpus.txt"
	if *update {
		if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != string(want) {
		a, b := strings.Split(string(want), "\n"), strings.Split(got, "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Fatalf("line %d\nwant %s\n got %s\nrun with -update after looking", i+1, a[i], b[i])
			}
		}
		t.Fatalf("%d lines, want %d", len(b), len(a))
	}
}

func report(out *bytes.Buffer, t *testing.T, name string, files []corpus.File) {
	var lists []bom.List
	var places []placement.List
	var projects []corpus.File
	for _, f := range files {
		switch strings.ToLower(path.Ext(f.Name)) {
		case ".csv", ".tsv", ".xlsx", ".xls", ".txt", ".pos", ".mnt", ".mnb":
		default:
			projects = append(projects, f)
			continue
		}
		if l, err := bom.Read(f.Name, f.Data); err == nil && !l.Positions {
			lists = append(lists, l)
		}
		if l, err := placement.Read(f.Name, f.Data); err == nil {
			places = append(places, l)
		}
	}
	places = dedupe(places)
	for _, l := range lists {
		writeSummary(out, name+"/"+path.Base(l.File), l, places)
	}
	if len(lists) > 0 {
		return
	}
	for _, b := range boards(t, projects) {
		if design.Has(b) {
			writeSummary(out, name+"/project "+b.Name, design.BOM(b, ""), []placement.List{design.Placements(b)})
		}
	}
}

// boards reads the projects of design tools among files.
func boards(t *testing.T, files []corpus.File) []*pcb.Board {
	var k []kicad.File
	var e []eagle.File
	var o []odb.File
	tree := false
	for _, f := range files {
		if kicad.Reads(f.Name) {
			k = append(k, kicad.File(f))
		}
		if strings.HasSuffix(f.Name, ".brd") {
			e = append(e, eagle.File(f))
		}
		tree = tree || strings.HasSuffix(f.Name, "matrix/matrix")
		o = append(o, odb.File(f))
	}
	all, _ := kicad.Read(t.Context(), k)
	more, _ := eagle.Read(t.Context(), e)
	all = append(all, more...)
	if tree {
		more, _ = odb.Read(t.Context(), o)
		all = append(all, more...)
	}
	return all
}

// dedupe drops files that come twice, loose and in an archive.
func dedupe(lists []placement.List) []placement.List {
	seen := map[string]bool{}
	return slices.DeleteFunc(lists, func(l placement.List) bool {
		key := fmt.Sprint(path.Base(l.File), len(l.Parts))
		again := seen[key]
		seen[key] = true
		return again
	})
}

func writeSummary(out *bytes.Buffer, name string, l bom.List, places []placement.List) {
	plan := assembly.Match(l, places, assembly.Choices{})
	count := map[string]int{}
	for i := range plan.Lines {
		line := &plan.Lines[i]
		id := identity.Identify(&line.Line, identity.Rail{})
		switch {
		case line.Mechanical:
			count["mechanical"]++
		case line.LeftOff:
			count["off"]++
		default:
			count[string(id.Certainty)]++
			count[id.Why]++
		}
	}
	fmt.Fprintf(out, "%s: %d lines: %d exact, %d passive, %d guessed, %d mechanical, %d off, %d none", name, len(plan.Lines),
		count["exact"], count["passive"], count["guessed"], count["mechanical"], count["off"], count["none"])
	for _, why := range []string{identity.WhyNothing, identity.WhyNoSize, identity.WhyNotPlain, identity.WhyNoValue, identity.WhyNoSeries, identity.WhySeveral, identity.WhyDisputed} {
		if count[why] > 0 {
			fmt.Fprintf(out, " (%s %d)", why, count[why])
		}
	}
	if len(places) > 0 {
		placed := 0
		for _, p := range places {
			placed += len(p.Parts)
		}
		fmt.Fprintf(out, "; %d placed, %d off board, %d marked, %d unlisted", placed, len(plan.OffBoard), len(plan.Marked), len(plan.Unlisted))
	}
	if n := len(plan.TwiceListed); n > 0 {
		fmt.Fprintf(out, ", listed twice %d", n)
	}
	notes := map[string]int{}
	for _, n := range l.Notes {
		notes[n.Code]++
	}
	for _, code := range []string{bom.QuantityDiffers, bom.OddReference, bom.NoReferences, bom.QuantityUnread, bom.FitUnclear, bom.ListCut} {
		if notes[code] > 0 {
			fmt.Fprintf(out, ", %s %d", code, notes[code])
		}
	}
	fmt.Fprintln(out)
}
