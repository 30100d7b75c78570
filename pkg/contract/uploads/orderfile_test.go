package uploads

import "testing"

// TestFindOrderFile: the nearest to the top counts, its own spelling before another, and of
// two folders neither.
func TestFindOrderFile(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		files       []string
		want, other string
	}{
		"none":                    {[]string{"a.gbr", "order.json"}, "", ""},
		"one below":               {[]string{"a.gbr", "hw/board-order.json"}, "hw/board-order.json", ""},
		"the top's":               {[]string{"a/board-order.json", "b/board-order.json", "board-order.json"}, "board-order.json", ""},
		"of two folders":          {[]string{"a/board-order.json", "b/board-order.json"}, "a/board-order.json", "b/board-order.json"},
		"of two, one nearer":      {[]string{"a/board-order.json", "b/c/board-order.json"}, "a/board-order.json", ""},
		"another spelling":        {[]string{"Board-Order.JSON"}, "Board-Order.JSON", ""},
		"both in one folder":      {[]string{"Board-Order.json", "board-order.json"}, "board-order.json", ""},
		"both in each of folders": {[]string{"a/Board-Order.json", "a/board-order.json", "b/board-order.json"}, "a/board-order.json", "b/board-order.json"},
	} {
		var files []File
		for _, f := range tt.files {
			files = append(files, File{Name: f})
		}
		got, other, ok := FindOrderFile(files)
		if got.Name != tt.want || other != tt.other || ok != (tt.want != "") {
			t.Errorf("%s, %q: %q beside %q, %t; want %q beside %q", name, tt.files, got.Name, other, ok, tt.want, tt.other)
		}
	}
}
