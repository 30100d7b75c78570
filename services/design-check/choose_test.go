package designcheck

import "testing"

func TestChooseBoard(t *testing.T) {
	t.Parallel()
	two := []string{"main", "io"}
	for _, tt := range []struct {
		names []string
		asked string
		want  string
	}{
		{two, "main", "main"}, {two, "hw/main.kicad_pcb", "main"}, {two, "io.kicad_pcb", "io"},
		{two, "other", ""}, {two, "", ""}, {nil, "", ""}, {two[:1], "", "main"},
	} {
		if got, err := chooseBoard(tt.names, tt.asked, nil); got != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("chooseBoard(%q, %q) = %q, %v; want %q", tt.names, tt.asked, got, err, tt.want)
		}
	}
}
