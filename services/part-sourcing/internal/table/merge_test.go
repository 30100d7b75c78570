package table

import "testing"

// TestBlocks: a merged cell counts where it reaches over several rows.
func TestBlocks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule, ref string
		want      block
		ok        bool
	}{
		{"two rows of one column", "B2:B3", block{1, 2, 3}, true},
		{"several columns count as their first", "B2:C5", block{1, 2, 5}, true},
		{"two letters", "AB12:AB14", block{27, 12, 14}, true},
		{"one row", "A1:C1", block{}, false},
		{"one cell", "A1", block{}, false},
		{"upside down", "A3:A1", block{}, false},
		{"no row", "A:A", block{}, false},
		{"no column", "1:3", block{}, false},
		{"row 0", "A0:A2", block{}, false},
		{"a word behind the row", "A1x:A3", block{}, false},
		{"nothing", "", block{}, false},
	} {
		if got, ok := blockOf(tt.ref); ok != tt.ok || ok && got != tt.want {
			t.Errorf("%s: blockOf(%q) = %+v, %t; want %+v, %t", tt.rule, tt.ref, got, ok, tt.want, tt.ok)
		}
	}
}
