package quotes

import (
	"strings"
	"testing"
)

func TestMasked(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"Grace Hopper": "G… H…", "grace@example.com": "g…@e…", "": "", "Ärzte": "Ä…"} {
		if got := Mask(in); got != want {
			t.Errorf("Mask(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Mask("Grace Hopper"); strings.Contains(got, "race") {
		t.Errorf("a name stands in %q", got)
	}
}
