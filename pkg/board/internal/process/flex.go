package process

import (
	"slices"
	"strings"
)

var (
	// flexWords are what flexible circuits are called.
	flexWords = []string{"flex", "flexible", "flexpcb", "flexpc", "flexcircuit", "flexboard", "flexprint", "fpc", "fpcb", "软板", "柔性"}
	// flexPartners are the words beside them in the names of rigid boards that a flexible
	// circuit is plugged into, and of other things.
	flexPartners = []string{
		"adapter", "adaptor", "adapters", "breakout", "connector", "connectors", "conn", "socket", "header", "tester", "test", "jig", "programmer",
		"sensor", "sensors", "interface", "ray", "box", "carrier", "reader", "holder", "to", "not", "no", "non",
	}
)

// Flexible reports whether a name calls a board flexible.
func Flexible(name string) bool {
	parts := words(name)
	if slices.ContainsFunc(parts, func(w string) bool { return slices.Contains(flexPartners, w) }) {
		return false
	}
	return slices.ContainsFunc(parts, func(w string) bool {
		return slices.ContainsFunc(flexWords, func(f string) bool { return w == f || f[0] >= 0x80 && strings.Contains(w, f) })
	})
}
