package fabricator

import (
	"slices"
	"time"
)

// An Entry is a fabricator of the configuration, as far as a service uses its adapter.
type Entry[A any] struct {
	Name    string        // public
	Country string        // that its parcels leave from, ISO 3166-1 alpha-2
	Wait    time.Duration // that its price is waited for beside others'; 0 = the usual
	Adapter A
}

// A List is the fabricators of the configuration in their order, the primary one first.
type List[A any] []Entry[A]

// Find gives the fabricator of a name; false where there is none. What was written before
// quotes and orders named anybody is the primary one's.
func (l List[A]) Find(name string) (Entry[A], bool) {
	i := slices.IndexFunc(l, func(e Entry[A]) bool { return name == "" || e.Name == name })
	if i < 0 {
		return Entry[A]{}, false
	}
	return l[i], true
}
