package mpn

import (
	"slices"
	"testing"
)

func TestNear(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"LM358D", "LM358DR", true}, {"STM32F103C8", "STM32F103C8T6", true}, {"STM32F103C8T6TR", "STM32F103C8T6", true}, {"LM393M", "LM393", true}, {"LMS1117", "LMS1117-3.3/NOPB", false},
		{"STM32F130C8T6", "STM32F103C8T6", true}, {"STM32F10C8T6", "STM32F103C8T6", true}, {"LM3580R", "LM358OR", true},
		{"AMS1117-33", "AMS1117-3.3", true}, {"SMAJ50A", "SMAJ5.0A", true},
		{"LM358DR", "LM358DR", false}, {"lm-358-dr", "LM358DR", false}, {"LM358", "LM393", false}, {"TPS62130", "TPS62150", false}, {"BC84", "BC847", false}, {"NE555DR", "NE556PW", false}, {"", "LM358", false},
	} {
		if got := IsNear(tt.a, tt.b); got != tt.want || IsNear(tt.b, tt.a) != got {
			t.Errorf("IsNear(%q, %q) = %t, want %t both ways", tt.a, tt.b, got, tt.want)
		}
		if tt.want && !slices.Contains(Variants(tt.a), Key(tt.b)) {
			t.Errorf("%s is no variant of %s", tt.b, tt.a)
		}
	}
}
