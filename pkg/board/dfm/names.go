package dfm

import (
	"maps"
	"slices"
)

// Names are all checks, sorted.
func Names() []Name { return slices.Sorted(maps.Keys(words)) }
