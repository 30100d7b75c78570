package bom

import "testing"

// TestDesignatorCells: a cell is one of designators where it has nothing else.
func TestDesignatorCells(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]bool{
		"R1": true, "R1, R2": true, "R1;R2 C3": true, "LED12": true,
		"": false, "10k": false, "0603": false, "R1, 10k ohm": false,
	} {
		if got := designators(cell); got != want {
			t.Errorf("designators(%q) = %t, want %t", cell, got, want)
		}
	}
}
