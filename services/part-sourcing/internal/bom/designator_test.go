package bom

import (
	"strings"
	"testing"
)

// TestDesignatorCells: a cell is one of designators where it has nothing else.
func TestDesignatorCells(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]bool{
		"R1": true, "R1, R2": true, "R1;R2 C3": true, "LED12": true,
		"": false, "10k": false, "0603": false, "R1, 10k ohm": false,
		"R1, 10k": false, "R1 0603": false, "R1-R4": true, // a designator, and a word that is none
		"R1 NOTE": false, "ANT": false, // words that may be designators, and need not
	} {
		if got := designators(cell); got != want {
			t.Errorf("designators(%q) = %t, want %t", cell, got, want)
		}
	}
}

// TestTornCells: a list of designators whose commas part cells is put together where the
// quantity counts all of them.
func TestTornCells(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		columns, cells []string
		want           string
	}{
		"three of three":       {[]string{"Designator", "Qty", "Value"}, []string{"R1", "R2", "R3", "3", "1k"}, "R1,R2,R3|3|1k"},
		"a range":              {[]string{"Designator", "Qty", "Value"}, []string{"R1-R3", "R7", "4", "1k"}, "R1-R3,R7|4|1k"},
		"behind other columns": {[]string{"Value", "Designator", "Qty"}, []string{"1k", "R1", "R2", "2"}, "1k|R1,R2|2"},
		"fewer than stated":    {[]string{"Designator", "Qty", "Value"}, []string{"R1", "R2", "3", "1k"}, "R1|R2|3|1k"},
		"one that is none":     {[]string{"Designator", "Qty", "Value"}, []string{"R1", "10k", "2", "1k"}, "R1|10k|2|1k"},
		"nothing torn":         {[]string{"Designator", "Qty", "Value"}, []string{"R1", "1", "1k"}, "R1|1|1k"},
		"no designators":       {[]string{"Qty", "Value"}, []string{"R1", "R2", "2"}, "R1|R2|2"},
		"no quantity":          {[]string{"Designator", "Value"}, []string{"R1", "R2", "1k"}, "R1|R2|1k"},
	} {
		r := reader{}
		for _, heading := range c.columns {
			r.layout.columns = append(r.layout.columns, columnOf(heading))
		}
		if got := strings.Join(r.joinTornRefs(c.cells), "|"); got != c.want {
			t.Errorf("%s: cells %q under %q become %q, want %q", name, c.cells, c.columns, got, c.want)
		}
	}
}

// TestStatedQuantities: what a stated number of pieces makes of a line of R1 and R2.
func TestStatedQuantities(t *testing.T) {
	t.Parallel()
	for stated, want := range map[string]struct {
		quantity   int
		dnp, short bool
		note       string
	}{
		"": {2, false, false, ""}, "2": {2, false, false, ""}, "1": {2, false, true, QuantityDiffers}, "3": {2, false, false, QuantityDiffers},
		"0": {2, true, false, ""}, "DNP": {2, true, false, ""}, "some": {2, false, false, QuantityUnread},
	} {
		r, l := reader{}, Line{Refs: []string{"R1", "R2"}}
		r.quantity(&l, stated)
		note := ""
		for _, n := range r.list.Notes {
			note += string(n.Code)
		}
		if l.Quantity != want.quantity || l.DNP != want.dnp || l.Short != want.short || note != want.note {
			t.Errorf("R1 and R2, stated %q: %d pieces, left out %t, short %t, note %q; want %+v", stated, l.Quantity, l.DNP, l.Short, note, want)
		}
	}
}
