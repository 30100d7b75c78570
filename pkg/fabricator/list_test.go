package fabricator_test

import (
	"testing"

	"boardorder/pkg/fabricator"
)

// TestFind: names are found, nobody's name is the primary one, and nobody else is found.
func TestFind(t *testing.T) {
	t.Parallel()
	list := fabricator.List[int]{{Name: "far_east", Adapter: 1}, {Name: "near_by", Adapter: 2}}
	for _, tt := range []struct {
		list fabricator.List[int]
		name string
		want int
		ok   bool
	}{
		{list, "far_east", 1, true}, {list, "near_by", 2, true}, {list, "", 1, true}, {list, "gone", 0, false}, {nil, "", 0, false},
	} {
		if got, ok := tt.list.Find(tt.name); got.Adapter != tt.want || ok != tt.ok {
			t.Errorf("%q of %v is %v, %t; want %d, %t", tt.name, tt.list, got, ok, tt.want, tt.ok)
		}
	}
}
