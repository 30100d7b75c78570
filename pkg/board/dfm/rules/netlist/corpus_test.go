package netlist

import (
	"bytes"
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/corpus"
	"boardorder/pkg/board/upload"
)

var updateNets = flag.Bool("update-nets", false, "write testdata/nets.csv anew, keeping its reasons")

// A netRow is what was found in one form of a design next to what KiCad 6 found.
type netRow struct {
	design, form          string
	shorts, opens         int // must_fix: pairs of nets, missing connections
	doubts                int // warnings about nets
	truthShort, truthOpen string
	why                   string
}

func (r netRow) record() []string {
	return []string{r.design, r.form, fmt.Sprint(r.shorts), fmt.Sprint(r.opens), fmt.Sprint(r.doubts), r.truthShort, r.truthOpen, r.why}
}

func (r netRow) hasFindings() bool {
	return r.shorts+r.opens+r.doubts > 0 || r.truthShort != "" && r.truthShort != "0" || r.truthOpen != "" && r.truthOpen != "0"
}

// agrees reports whether KiCad found the same numbers.
func (r netRow) agrees() bool {
	return r.truthShort == fmt.Sprint(r.shorts) && r.truthOpen == fmt.Sprint(r.opens)
}

// part reads the files of a design that keep accepts.
func part(t *testing.T, design string, keep func(name string) bool) []*pcb.Board {
	t.Helper()
	var files []upload.File
	sent, _ := corpus.Upload(t, design)
	for _, f := range sent {
		if keep(strings.ToLower(f.Name)) {
			files = append(files, upload.File(f))
		}
	}
	if !slices.ContainsFunc(files, mayName) {
		return nil
	}
	return upload.Read(context.Background(), files, upload.Options{}).Boards
}

// mayName reports whether a file may state nets: most uploads are plain Gerbers,
// which need not be read to know that they do not.
func mayName(f upload.File) bool {
	name := strings.ToLower(f.Name)
	return isToolFile(name) || strings.Contains(name, "matrix") || bytes.Contains(f.Data, []byte("TO.N,")) ||
		bytes.Contains(f.Data, []byte("\n327")) || bytes.Contains(f.Data, []byte("\n317")) || bytes.Contains(f.Data, []byte("IPC-2581"))
}

func isToolFile(name string) bool {
	return strings.Contains(name, ".kicad_") || strings.HasSuffix(name, ".brd")
}

// TestNetsOfCorpus holds the shorts and opens of every real design against a table
// in which each that KiCad's own check does not confirm is explained.
func TestNetsOfCorpus(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("reads many designs")
	}
	path := filepath.Join("testdata", "nets.csv")
	want := map[string]netRow{}
	for _, m := range readNetRows(t, path) {
		want[m.design+" "+m.form] = m
	}
	var rows []netRow
	for _, row := range corpus.Designs(t) {
		rows = append(rows, netRowsOf(t, row["name"])...)
	}
	for i := range rows {
		r := &rows[i]
		old, ok := want[r.design+" "+r.form]
		delete(want, r.design+" "+r.form)
		r.why = old.why
		switch {
		case *updateNets:
		case !ok:
			t.Errorf("not in the table: %q", r.record())
		case old != *r:
			t.Errorf("got %q, want %q", r.record(), old.record())
		}
		if r.why == "" && !r.agrees() {
			t.Errorf("nobody explained %q", r.record())
		}
	}
	for _, r := range want {
		if !*updateNets {
			t.Errorf("no longer found: %q", r.record())
		}
	}
	if *updateNets {
		writeNetRows(t, path, rows)
	}
}

// netRowsOf judges the design tool's files and all others by themselves.
func netRowsOf(t *testing.T, design string) []netRow {
	type counts struct{ Unconnected, Shorts int }
	type board6 struct {
		Board string
		DRC   *counts `json:"drc"`
	}
	var truth struct {
		KiCad []board6 `json:"kicad6"`
	}
	corpus.Truth(t, design, &truth)
	var out []netRow
	for _, form := range []string{"tool", "artwork"} {
		r := netRow{design: design, form: form}
		for _, b := range part(t, design, func(name string) bool { return isToolFile(name) == (form == "tool") }) {
			r.count(nets(context.Background(), measure.New(context.Background(), b, dfm.Options{})))
		}
		if form == "tool" && len(truth.KiCad) > 0 && truth.KiCad[0].DRC != nil {
			d := truth.KiCad[0].DRC
			r.truthShort, r.truthOpen = fmt.Sprint(d.Shorts), fmt.Sprint(d.Unconnected)
		}
		if r.hasFindings() {
			out = append(out, r)
		}
	}
	return out
}

func (r *netRow) count(got rule.Result) {
	for _, f := range got.Findings {
		switch {
		case f.Level != dfm.MustFix:
			r.doubts += f.Count
		case f.Check == dfm.Short:
			pairs := map[[2]string]bool{}
			for _, p := range f.Places {
				pairs[p.Nets] = true
			}
			r.shorts += len(pairs)
		default:
			r.opens += f.Count
		}
	}
}

func readNetRows(t *testing.T, path string) []netRow {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil || len(records) == 0 {
		t.Fatalf("%s: %v", path, err)
	}
	var out []netRow
	for _, c := range records[1:] {
		r := netRow{design: c[0], form: c[1], truthShort: c[5], truthOpen: c[6], why: c[7]}
		if _, err := fmt.Sscan(c[2]+" "+c[3]+" "+c[4], &r.shorts, &r.opens, &r.doubts); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

func writeNetRows(t *testing.T, path string, rows []netRow) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := csv.NewWriter(f)
	slices.SortFunc(rows, func(a, b netRow) int { return strings.Compare(a.design+a.form, b.design+b.form) })
	records := [][]string{{"design", "form", "shorts", "opens", "doubts", "kicad6_shorts", "kicad6_unconnected", "why"}}
	for _, r := range rows {
		records = append(records, r.record())
	}
	if err := w.WriteAll(records); err != nil {
		t.Fatal(err)
	}
}
