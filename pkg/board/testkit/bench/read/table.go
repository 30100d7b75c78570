package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// table prints a line for every design as soon as it is measured.
type table struct {
	w    io.Writer
	rows []*measurement
}

// columns are the headings; a program's own columns are wall clock and, after
// the stroke, processor time, in ms.
var columns = []string{"MB", "objects", "facts", "Mpixel", "layers", "gerbv", "times", "times cpu",
	"sides", "svg", "tracespace", "times", "KiCad load", "times", "peak MB", "of"}

func newTable(w io.Writer) *table {
	t := &table{w: w}
	t.line("design", columns)
	return t
}

func (t *table) line(name string, cells []string) {
	fmt.Fprintf(t.w, "%-32s", name)
	for i, c := range cells {
		fmt.Fprintf(t.w, " %*s", max(len(columns[i]), 13*wide(i)), c)
	}
	fmt.Fprintln(t.w)
}

// wide is 1 for the columns that hold two times.
func wide(i int) int {
	if strings.Contains("facts layers gerbv sides svg tracespace", columns[i]) {
		return 1
	}
	return 0
}

func (t *table) add(m *measurement) {
	t.rows = append(t.rows, m)
	f := m.facts.readDone()
	t.line(m.name, []string{
		fmt.Sprintf("%.1f", float64(m.bytes)/1e6), fmt.Sprint(f.Objects), m.facts.String(), m.megapixels(), m.layers.String(), m.gerbv.String(),
		times(m.gerbv.wall, m.layers.wall), times(m.gerbv.cpu, m.layers.cpu),
		m.sides.String(), m.svg.String(), m.tracespace.String(), times(m.tracespace.wall, m.svg.wall),
		m.kicad.String(), times(m.kicad.wall, m.load.wall),
		fmt.Sprintf("%.0f", m.peakMB()), fmt.Sprintf("%.0f", m.limitMB()),
	})
}

// megapixels tells the size of our picture, and gerbv's where it is another: then
// it read something otherwise.
func (m *measurement) megapixels() string {
	if m.pixels == 0 {
		return ""
	}
	size := fmt.Sprintf("%.1f", float64(m.pixels)/1e6)
	if m.theirPixels > 0 && !m.isAlike() {
		size += fmt.Sprintf(" not %.1f", float64(m.theirPixels)/1e6)
	}
	return size
}

// isAlike tells whether gerbv's picture is as large as ours, to one in fifty.
func (m *measurement) isAlike() bool {
	d := m.pixels - m.theirPixels
	return max(d, -d) <= m.pixels/50
}

func (m *measurement) peakMB() float64 {
	most := int64(0)
	for _, j := range []*job{m.facts, m.layers, m.sides} {
		most = max(most, j.readDone().PeakKB)
	}
	return float64(most) * 1024 / 1e6
}

func (m *measurement) limitMB() float64 { return 10*float64(m.bytes)/1e6 + 50 }

func (j *job) String() string {
	switch {
	case j.failed:
		return "failed"
	case j.wall == 0:
		return ""
	}
	return ms(j.wall) + "/" + ms(j.cpu)
}

func ms(d time.Duration) string { return fmt.Sprintf("%.0f", float64(d.Microseconds())/1000) }

// times is how many times as long theirs took as ours.
func times(theirs, ours time.Duration) string {
	if theirs == 0 || ours == 0 {
		return ""
	}
	return fmt.Sprintf("%.1fx", ratio(theirs, ours))
}

func ratio(theirs, ours time.Duration) float64 { return float64(theirs) / float64(ours) }

// summary prints what holds over all designs.
func (t *table) summary() {
	if len(t.rows) == 0 {
		return
	}
	facts := slices.SortedFunc(slices.Values(t.rows), func(a, b *measurement) int { return cmp.Compare(a.facts.wall, b.facts.wall) })
	fmt.Fprintf(t.w, "\nfacts: median %s ms, most %s ms (%s)\n", ms(facts[len(facts)/2].facts.wall),
		ms(facts[len(facts)-1].facts.wall), facts[len(facts)-1].name)
	t.printMin("layers, wall, against gerbv", func(m *measurement) (a, b time.Duration) { return m.gerbv.wall, m.layers.wall }, 3)
	t.printMin("layers, processor, against gerbv", func(m *measurement) (a, b time.Duration) { return m.gerbv.cpu, m.layers.cpu }, 3)
	t.printMin("both sides as SVG, wall, against tracespace", func(m *measurement) (a, b time.Duration) { return m.tracespace.wall, m.svg.wall }, 20)
	t.printMin("load, wall, against KiCad", func(m *measurement) (a, b time.Duration) { return m.kicad.wall, m.load.wall }, 1)
	hungry := slices.MaxFunc(t.rows, func(a, b *measurement) int { return cmp.Compare(a.peakMB()/a.limitMB(), b.peakMB()/b.limitMB()) })
	fmt.Fprintf(t.w, "memory: most %.0f %% of ten times the input and 50 MB (%s)\n", 100*hungry.peakMB()/hungry.limitMB(), hungry.name)
	big := slices.MaxFunc(t.rows, func(a, b *measurement) int { return cmp.Compare(a.bytes, b.bytes) })
	fmt.Fprintf(t.w, "biggest: %s, facts %s ms, layers %s ms, sides %s ms\n", big.name, ms(big.facts.wall), ms(big.layers.wall), ms(big.sides.wall))
}

// printMin prints the least and the median ratio over the designs that both did, and
// how many reach what is wanted.
func (t *table) printMin(what string, pick func(*measurement) (theirs, ours time.Duration), wanted float64) {
	type entry struct {
		name  string
		times float64
	}
	var all []entry
	reached := 0
	for _, m := range t.rows {
		theirs, ours := pick(m)
		if theirs == 0 || ours == 0 {
			continue
		}
		e := entry{m.name, ratio(theirs, ours)}
		if e.times >= wanted {
			reached++
		}
		all = append(all, e)
	}
	if len(all) == 0 {
		return
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Compare(a.times, b.times) })
	fmt.Fprintf(t.w, "%s: least %.1fx (%s), median %.1fx, %d of %d at least %gx\n", what, all[0].times, all[0].name,
		all[len(all)/2].times, reached, len(all), wanted)
}
