package sexpr

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFlag: switches in the ways the versions write them.
func TestFlag(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"(pad hide)": true, "(pad (hide))": true, "(pad (hide yes))": true, "(pad (hide true))": true, "(pad (hide no))": false, "(pad (hide false))": false, "(pad (hide none))": false,
		"(pad (hide no) hide)": false, "(pad hidden)": false, `(pad "hide")`: false, "(hide)": false, "(pad (at hide))": false, "hide": false, "(pad (show) hide)": true,
	} {
		if got := parseFirst(text).Flag("hide"); got != want {
			t.Errorf("Flag of %s = %v, want %v", text, got, want)
		}
	}
}

// TestText: words and quoted texts without their quotes and escapes.
func TestText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"word": "word", `"a b"`: "a b", `""`: "", `"a\"b"`: `a"b`, `"a\\b"`: `a\b`, `"a\nb\tc\rd"`: "a\nb\tc\rd", `"a\qb"`: "aqb", `1"`: `1"`, `"(x)"`: "(x)", `"é"`: "é",
	} {
		n := parseFirst(in)
		if got := n.Text(); got != want {
			t.Errorf("Text of %s = %q, want %q", in, got, want)
		}
		if !n.Says(want) || n.Says(want+"x") {
			t.Errorf("%s says %q: %v, and %q: %v; want the first alone", in, want, n.Says(want), want+"x", n.Says(want+"x"))
		}
	}
	if got := (Node{}).Text(); got != "" {
		t.Errorf("Text of nothing = %q, want none", got)
	}
}

// TestInt: nodes as integers, cut off where they are none; 0 for what is no number.
func TestInt(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{"12": 12, "-3": -3, `"7"`: 7, "2.9": 2, "-2.9": -2, "1e3": 1000, "x": 0, `""`: 0, "(b)": 0} {
		if got := parseFirst(in).Int(); got != want {
			t.Errorf("Int of %s = %d, want %d", in, got, want)
		}
	}
}

// TestXY: the first two arguments of a list in nanometres.
func TestXY(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][2]int64{
		"(at 1 2)": {1e6, 2e6}, "(at -1.5 0.000001 90)": {-1_500_000, 1}, "(xy 1e-3 1000000)": {1_000, 1e12},
	} {
		if x, y, ok := parseFirst(in).XY(); !ok || [2]int64{x, y} != want {
			t.Errorf("XY of %s = %d, %d, %v; want %v", in, x, y, ok, want)
		}
	}
	for _, in := range []string{"(at 1)", "(at)", "(at a 2)", "(at 1 b)", "(at (x 1) 2)", "((at) 1 2)", "at", "(at 1000001 2)"} {
		if x, y, ok := parseFirst(in).XY(); ok {
			t.Errorf("XY of %s = %d, %d; want none", in, x, y)
		}
	}
}

// TestParts: lists by their places and names.
func TestParts(t *testing.T) {
	t.Parallel()
	n := parseFirst(`(pad 1 (at 1 2 (rot 3)) (layer F) "x" (layer B))`)
	for i, want := range []string{"pad", "1", "(at 1 2 (rot 3))", "(layer F)", `"x"`, "(layer B)", ""} {
		if got := string(n.Part(i).Raw()); got != want {
			t.Errorf("part %d of %s = %q, want %q", i, n.Raw(), got, want)
		}
	}
	if got := n.Part(-1); got.Exists() {
		t.Errorf("part -1 of %s = %q, want none", n.Raw(), got.Raw())
	}
	var layers []string
	for l := range n.Lists("layer") {
		layers = append(layers, l.Part(1).Text())
	}
	var args []string
	for a := range n.Args() {
		args = append(args, string(a.Name())+string(a.Part(1).Raw()))
	}
	if diff := cmp.Diff([][]string{{"F", "B"}, {"", "at1", "layerF", "", "layerB"}}, [][]string{layers, args}); diff != "" {
		t.Errorf("layers and arguments of %s (-want +got):\n%s", n.Raw(), diff)
	}
	if got := n.Find("layer").Part(1).Text(); got != "F" || n.Find("rot").Exists() || n.Len() != 6 {
		t.Errorf("%s: layer %q, a rot of its own %v, %d parts; want F, false, 6", n.Raw(), got, n.Find("rot").Exists(), n.Len())
	}
	list := parseFirst("((a) b)")
	count := 0
	for range list.Args() {
		count++
	}
	if count != 2 {
		t.Errorf("%s has %d arguments, want 2: a list is no name", list.Raw(), count)
	}
}

// TestHas: words behind the name of a list.
func TestHas(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		"(pad smd)": true, "(smd pad)": false, `(pad "smd")`: false, "(pad (smd))": false, "(pad smd2)": false, "(pad (x) smd)": true, "smd": false,
	} {
		if got := parseFirst(in).Has("smd"); got != want {
			t.Errorf("%s has the word smd: %v, want %v", in, got, want)
		}
	}
}

// TestOpen: what begins with a named list, and what does not.
func TestOpen(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"(kicad_pcb": "kicad_pcb", " \n# comment\n( kicad_pcb )": "kicad_pcb", "\xef\xbb\xbf(a)": "a", `("a b")`: `"a b"`, "()": "", "((a))": "", "a": "", "": "", "# (a)": "",
	} {
		name, ok := NewReader([]byte(in)).Open()
		if name != want || ok != (want != "") {
			t.Errorf("Open of %q = %q, %v; want %q", in, name, ok, want)
		}
	}
}

// TestBrokenTexts: quotes that are not closed, and lists that are nested as deep as they may be.
func TestBrokenTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		fault      string
	}{
		{"a quote", `(a (b "c))`, "a quoted text is not closed"},
		{"a quote that is escaped", `(a (b "c\"))`, "a quoted text is not closed"},
		{"as deep as lists may be", "(a " + strings.Repeat("(b ", MaxDepth) + strings.Repeat(")", MaxDepth) + ")", ""},
		{"deeper", "(a " + strings.Repeat("(b ", MaxDepth+1) + strings.Repeat(")", MaxDepth+1) + ")", "lists nest deeper than 200"},
		{"a comment within", "(a (b\n # c)\n 1))", ""},
		{"a hash within a word", "(a (b #c 1))", ""},
	} {
		_, _, faults := names(t, c.text)
		if (len(faults) > 0) != (c.fault != "") || c.fault != "" && !strings.HasPrefix(faults[0].Text, c.fault) {
			t.Errorf("%s: faults of %.40q are %v, want %q", c.name, c.text, faults, c.fault)
		}
	}
	_, _, faults := names(t, "(a"+strings.Repeat(")", 1000))
	if len(faults) != 50 {
		t.Errorf("%d faults of 999 parentheses too many, want 50", len(faults))
	}
}

// TestReset: a tree that was reset holds what is read next, and nothing before.
func TestReset(t *testing.T) {
	t.Parallel()
	r := NewReader([]byte("(a (b 1)\n(c 2))"))
	r.Open()
	var tree Tree
	tree.Reserve(100)
	for i, want := range []string{"(b 1)", "(c 2)"} {
		tree.Reset()
		n, ok := r.ReadInto(&tree)
		if got := string(n.Raw()); !ok || got != want || n.Line() != i+1 {
			t.Errorf("child %d = %q on line %d, %v; want %q on line %d", i, got, n.Line(), ok, want, i+1)
		}
	}
}
