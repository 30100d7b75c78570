package pcb

// index finds entries of a table by key. Entries that others appended to the
// table since are taken in on the next look-up; the first of equals wins.
type index[K comparable] struct {
	of   map[K]int32
	seen int
}

// catchUp takes in the table's entries from where it last stopped to n.
func (x *index[K]) catchUp(n int, key func(int) K) {
	if x.of == nil || n < x.seen {
		x.of, x.seen = make(map[K]int32, n), 0
	}
	for ; x.seen < n; x.seen++ {
		if _, ok := x.of[key(x.seen)]; !ok {
			x.of[key(x.seen)] = int32(x.seen)
		}
	}
}

// find gives the entry of k, calling add to append it when there is none.
func (x *index[K]) find(k K, add func()) int32 {
	if i, ok := x.of[k]; ok {
		return i
	}
	i := int32(x.seen)
	add()
	x.of[k] = i
	x.seen++
	return i
}
