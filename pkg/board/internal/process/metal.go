package process

import (
	"slices"
	"strings"
)

var (
	// metalWords are what boards on a sheet of metal are called.
	metalWords = []string{"mcpcb", "mcpcbs", "metalcore", "alupcb", "alpcb", "imspcb", "aluminium", "aluminum", "alu", "铝基板"}
	// metalPartners are the words beside them in the names of what is no board of metal.
	metalPartners = []string{
		"electrolytic", "capacitor", "case", "enclosure", "housing", "box", "frame", "extrusion", "profile", "knob", "heatsink", "adapter", "adaptor",
		"to", "not", "no", "non", "without",
	}
)

// MetalCore reports whether a name says that a board is built on a sheet of metal.
func MetalCore(name string) bool {
	parts := words(name)
	if slices.ContainsFunc(parts, func(w string) bool { return slices.Contains(metalPartners, w) }) {
		return false
	}
	for i, w := range parts {
		if slices.ContainsFunc(metalWords, func(m string) bool { return w == m || m[0] >= 0x80 && strings.Contains(w, m) }) ||
			w == "core" && i > 0 && parts[i-1] == "metal" {
			return true
		}
	}
	return false
}
