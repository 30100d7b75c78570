package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"boardorder/pkg/board/testkit/blind/truth"
)

// table prints a line for every design and counts what came out.
type table struct {
	w            io.Writer
	verbose      bool
	designs      int
	layers, size map[outcome]int
	roles        map[outcome]int
	silent       int // designs with anything wrong without a word
	stopped      int // designs with a finding that stops the order
	took         []time.Duration
	status       map[string]int
}

func newTable(w io.Writer, verbose bool) *table {
	fmt.Fprintf(w, "%-48s %-12s %-20s %-12s %-34s %-14s %8s %7s  %s\n", "design", "layers", "", "size", "", "roles", "must_fix", "seconds", "status")
	return &table{w: w, verbose: verbose, layers: map[outcome]int{}, size: map[outcome]int{}, roles: map[outcome]int{}, status: map[string]int{}}
}

func (a *table) add(name string, t *truth.Design, m measurement) {
	a.designs++
	a.layers[m.layers]++
	a.size[m.size]++
	for o, n := range m.roles {
		a.roles[o] += n
	}
	if m.layers == silent || m.size == silent || m.roles[silent] > 0 {
		a.silent++
	}
	if len(m.mustFix) > 0 {
		a.stopped++
	}
	a.took = append(a.took, m.took)
	a.status[m.status]++
	a.line(name, t, m)
}

func (a *table) line(name string, t *truth.Design, m measurement) {
	fmt.Fprintf(a.w, "%-48s %-12v %-20s %-12v %-34s %-14s %8d %7.1f  %s\n", name,
		m.layers, fmt.Sprintf("%d for %d", m.gotLayers, t.Layers),
		m.size, fmt.Sprintf("%.2f×%.2f for %.2f×%.2f", m.gotW, m.gotH, t.Width, t.Height),
		fmt.Sprintf("%d of %d", m.roles[right], len(t.Files)), len(m.mustFix), m.took.Seconds(), m.remarks(t))
	for _, r := range m.misses {
		if a.verbose || r.outcome == silent {
			fmt.Fprintf(a.w, "    %v: %s is %s, read as %s (%s)\n", r.outcome, r.file, r.want, r.got, r.why)
		}
	}
	for _, f := range m.mustFix {
		fmt.Fprintf(a.w, "    must_fix %s\n", f)
	}
	if a.verbose {
		for _, f := range m.messages {
			fmt.Fprintf(a.w, "    %s\n", f)
		}
	}
}

// remarks are what is out of the ordinary.
func (m *measurement) remarks(t *truth.Design) string {
	s := m.status
	if m.boards > 1 {
		s += fmt.Sprintf(", %d boards to choose from", m.boards)
	}
	if m.refused > 0 {
		s += fmt.Sprintf(", %d archives refused", m.refused)
	}
	if t.Panel {
		s += ", truly a panel"
	}
	return s
}

func (a *table) summary() {
	if a.designs == 0 {
		return
	}
	fmt.Fprintf(a.w, "\n%d designs\n", a.designs)
	for _, c := range []struct {
		what  string
		count map[outcome]int
	}{{"layers", a.layers}, {"size", a.size}, {"file roles", a.roles}} {
		of := c.count[right] + c.count[asked] + c.count[wrongSaid] + c.count[silent]
		fmt.Fprintf(a.w, "%-12s right %d of %d, asked %d, wrong but said %d, wrong silently %d\n",
			c.what, c.count[right], of, c.count[asked], c.count[wrongSaid], c.count[silent])
	}
	fmt.Fprintf(a.w, "designs with anything wrong silently: %d\ndesigns with a must_fix: %d\n", a.silent, a.stopped)
	slices.Sort(a.took)
	fmt.Fprintf(a.w, "seconds: median %.2f, most %.1f\n", a.took[len(a.took)/2].Seconds(), a.took[len(a.took)-1].Seconds())
	for s, n := range a.status {
		fmt.Fprintf(a.w, "%s: %d\n", s, n)
	}
}
