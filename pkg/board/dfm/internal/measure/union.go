package measure

// A union joins things into sets.
type union []int32

func newUnion(n int) union {
	u := make(union, n)
	for i := range u {
		u[i] = int32(i)
	}
	return u
}

func (u union) find(i int) int {
	for int(u[i]) != i {
		u[i] = u[u[i]]
		i = int(u[i])
	}
	return i
}

// join keeps the lower number, so that sets are named alike in every run.
func (u union) join(i, j int) {
	i, j = u.find(i), u.find(j)
	if i > j {
		i, j = j, i
	}
	u[j] = int32(i)
}
