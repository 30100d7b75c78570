package quotes

import (
	"maps"
	"slices"
	"testing"

	"boardorder/pkg/contract/boards"
)

// TestSelectLayers: what was chosen is shown; copper when nothing was, and all where
// there is no copper.
func TestSelectLayers(t *testing.T) {
	t.Parallel()
	copper := &boards.Board{Layers: []boards.LayerPicture{{Role: "silk"}, {Role: "copper"}, {Role: "copper"}}}
	silk := &boards.Board{Layers: []boards.LayerPicture{{Role: "silk"}, {Role: "mask"}}}
	for _, tt := range []struct {
		name   string
		board  *boards.Board
		chosen []string
		want   []int
	}{
		{"nothing chosen", copper, nil, []int{1, 2}}, {"one chosen", copper, []string{"0"}, []int{0}}, {"two chosen", copper, []string{"2", "0"}, []int{0, 2}},
		{"no number", copper, []string{"x"}, []int{1, 2}}, {"no copper", silk, nil, []int{0, 1}}, {"no board", nil, nil, nil}, {"no layers", &boards.Board{}, nil, nil},
	} {
		if got := slices.Sorted(maps.Keys(selectLayers(tt.board, tt.chosen))); !slices.Equal(got, tt.want) {
			t.Errorf("%s: selectLayers(%q) = %v, want %v", tt.name, tt.chosen, got, tt.want)
		}
	}
}
