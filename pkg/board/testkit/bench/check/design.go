package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/check"
	"boardorder/pkg/board/dfm/limits"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/corpus"
	"boardorder/pkg/board/upload"
)

// A timing is what was measured of one design; 0 is not measured.
type timing struct {
	name               string
	objects            int
	read, check, kicad time.Duration
	// ours is reading and checking the file alone that KiCad was given.
	ours     time.Duration
	findings [3]int // by level
	rules    map[dfm.Name]time.Duration
}

// designs prints one line for every design, and what holds for all.
func designs(w io.Writer, o options, folder string, names []string) error {
	if len(names) == 0 {
		var err error
		if names, err = corpus.Folders(folder); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%-32s %8s %8s %9s %9s %8s %6s  %s\n", "design", "objects", "read ms", "check ms", "KiCad ms", "ours ms", "times", "must_fix, warning, note")
	var all []timing
	for _, name := range names {
		files, _, err := corpus.Load(context.Background(), filepath.Join(folder, name)) // what is damaged has nothing to time
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			continue
		}
		t := timing{name: name}
		if !t.measure(corpus.ConvertFiles[upload.File](files), o) {
			continue
		}
		t.compare(corpus.ConvertFiles[upload.File](files), o.runs)
		all = append(all, t)
		fmt.Fprintf(w, "%-32s %8d %8s %9s %9s %8s %6s  %v\n", name, t.objects, ms(t.read), ms(t.check), ms(t.kicad), ms(t.ours), times(t.kicad, t.ours), t.findings)
	}
	summary(w, all)
	if o.rules {
		ruleTable(w, all)
	}
	return nil
}

// measure reads and checks all boards of an upload.
func (t *timing) measure(files []upload.File, o options) bool {
	var p *pcb.Project
	t.read = timeBest(o.runs, func() { p = upload.Read(context.Background(), files, upload.Options{}) })
	if len(p.Boards) == 0 {
		return false
	}
	for _, b := range p.Boards {
		for _, l := range b.Layers {
			t.objects += len(l.Features)
		}
		t.objects += len(b.Holes)
	}
	t.check = timeBest(o.runs, func() { t.findings = inspectAll(p) })
	if o.rules {
		t.rules = map[dfm.Name]time.Duration{}
		for _, n := range dfm.Names() {
			t.rules[n] = timeBest(o.runs, func() { runRule(p, n) })
		}
	}
	return true
}

// inspectAll inspects every board as services do before a price, by the primary
// fabricator's limits, and counts findings by level.
func inspectAll(p *pcb.Project) (count [3]int) {
	for _, b := range p.Boards {
		r, err := check.Inspect(context.Background(), b, standard(b))
		if err != nil {
			continue
		}
		for _, f := range r.Findings {
			if f.Check == dfm.TooComplex { // what it took says nothing
				fmt.Fprintf(os.Stderr, "%s: %s\n", b.Name, f.What)
			}
			count[2-min(f.Level, dfm.MustFix)]++
		}
		for _, f := range r.Faults {
			fmt.Fprintf(os.Stderr, "%s: %v\n", b.Name, f)
		}
	}
	return count
}

// runRule runs one rule on every board, as an inspection does.
func runRule(p *pcb.Project, n dfm.Name) {
	for _, b := range p.Boards {
		o := dfm.Options{Limits: standard(b)}.WithSmallest(len(b.Copper()))
		o.Only = []dfm.Name{n}
		_, _ = check.Run(context.Background(), b, o) // what breaks down was said by the inspection
	}
}

func standard(b *pcb.Board) dfm.Limits {
	return limits.Standard(len(b.Copper()), b.Facts.OuterCopper.Value)
}

func summary(w io.Writer, all []timing) {
	if len(all) == 0 {
		return
	}
	over := func(what string, pick func(timing) time.Duration) {
		s := slices.SortedFunc(slices.Values(all), func(a, b timing) int { return cmp.Compare(pick(a), pick(b)) })
		sum := time.Duration(0)
		for _, t := range s {
			sum += pick(t)
		}
		last := s[len(s)-1]
		fmt.Fprintf(w, "%-14s median %s ms, most %s ms (%s), together %s ms\n", what, ms(pick(s[len(s)/2])), ms(pick(last)), last.name, ms(sum))
	}
	fmt.Fprintln(w)
	over("read", func(t timing) time.Duration { return t.read })
	over("check", func(t timing) time.Duration { return t.check })
	over("read and check", func(t timing) time.Duration { return t.read + t.check })
	var ratios []float64
	for _, t := range all {
		if t.kicad > 0 {
			ratios = append(ratios, float64(t.kicad)/float64(t.ours))
		}
	}
	if n := len(ratios); n > 0 {
		slices.Sort(ratios)
		fmt.Fprintf(w, "KiCad takes    median %.1f times as long, least %.1f, most %.1f, over %d designs; 5 times or more: %d, 10 times: %d\n",
			ratios[n/2], ratios[0], ratios[n-1], n, n-lowerBound(ratios, 5), n-lowerBound(ratios, 10))
	}
}

// lowerBound is the index of the first of sorted values that is no less than v.
func lowerBound(s []float64, v float64) int {
	i, _ := slices.BinarySearch(s, v)
	return i
}

// ruleTable prints the time that each check takes over all designs.
func ruleTable(w io.Writer, all []timing) {
	fmt.Fprintf(w, "\n%-20s %10s %9s  %s\n", "check alone", "all ms", "most ms", "design")
	for _, n := range dfm.Names() {
		sum, most, where := time.Duration(0), time.Duration(0), ""
		for _, t := range all {
			sum += t.rules[n]
			if t.rules[n] > most {
				most, where = t.rules[n], t.name
			}
		}
		fmt.Fprintf(w, "%-20s %10s %9s  %s\n", n, ms(sum), ms(most), where)
	}
}

func timeBest(runs int, f func()) time.Duration {
	least := time.Duration(0)
	for range max(1, runs) {
		start := time.Now()
		f()
		if d := time.Since(start); least == 0 || d < least {
			least = d
		}
	}
	return least
}

func ms(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", float64(d.Microseconds())/1000)
}

func times(theirs, ours time.Duration) string {
	if theirs == 0 || ours == 0 {
		return ""
	}
	return fmt.Sprintf("%.1fx", float64(theirs)/float64(ours))
}

func isBoard(f upload.File) bool { return strings.HasSuffix(f.Name, ".kicad_pcb") }
