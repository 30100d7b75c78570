package sexpr

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func names(t *testing.T, text string) (root string, got []string, faults []Fault) {
	t.Helper()
	r := NewReader([]byte(text))
	root, _ = r.Open()
	for n, ok := r.Next(); ok; n, ok = r.Next() {
		got = append(got, string(n.Raw()))
	}
	return root, got, r.Faults()
}

func TestChildren(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text   string
		want   []string
		faults []Fault
	}{
		"plain":              {"(a (b 1) (c \"x)y\" (d)))", []string{"(b 1)", "(c \"x)y\" (d))"}, nil},
		"a quote in a word":  {"(a (b 1\" (c 2)) (d \"x)\"))", []string{"(b 1\" (c 2))", "(d \"x)\")"}, nil},
		"words":              {"(a b\n c)", []string{"b", "c"}, nil},
		"escaped quote":      {`(a "b\")" (c))`, []string{`"b\")"`, "(c)"}, nil},
		"comment":            {"(a\n # (b)\n (c))", []string{"(c)"}, nil},
		"byte order mark":    {"\xef\xbb\xbf(a (b))", []string{"(b)"}, nil},
		"cut between":        {"(a (b)\n", []string{"(b)"}, []Fault{{2, "the file ends inside its outermost list: it is cut off"}}},
		"cut inside":         {"(a (b)\n(c (d 1", []string{"(b)", "(c (d 1"}, []Fault{{2, "the file is cut off inside this \"c\""}}},
		"closed too early":   {"(a (b))\n(c))", []string{"(b)", "(c)"}, []Fault{{2, "text follows the end of the outermost list; read as part of it"}}},
		"one paren too many": {"(a (b)))", []string{"(b)"}, []Fault{{1, "a closing parenthesis too many"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, got, faults := names(t, tt.text)
			if root != "a" {
				t.Errorf("root of %q = %q, want a", tt.text, root)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("children of %q (-want +got):\n%s", tt.text, d)
			}
			if d := cmp.Diff(tt.faults, faults); d != "" {
				t.Errorf("faults of %q (-want +got):\n%s", tt.text, d)
			}
		})
	}
}

func TestDepthIsBounded(t *testing.T) {
	t.Parallel()
	deep := "(a " + strings.Repeat("(b ", 5*MaxDepth) + strings.Repeat(")", 5*MaxDepth) + " (c))"
	_, got, faults := names(t, deep)
	if len(got) != 2 || got[1] != "(c)" {
		t.Errorf("children behind a deep list = %d, want the list and (c)", len(got))
	}
	if len(faults) != 1 {
		t.Errorf("faults = %v, want one about the depth", faults)
	}
}

func parseFirst(text string) Node {
	r := NewReader([]byte("(a " + text + ")"))
	r.Open()
	n, _ := r.Next()
	return n
}

func TestNm(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"1": 1e6, "-1.5": -1500000, "0.0000005": 1, "+2.25": 2250000, "1e-05": 10, ".5": 500000,
		"12.3456789": 12345679, "-0.1": -100000, "3.": 3000000, "-1000000": -1e12,
	} {
		if got, ok := parseFirst(text).Nm(); !ok || got != want {
			t.Errorf("Nm(%s) = %d, %v, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"x", "-", "99999999999", "1000000.1", "-1000001", "1e300", "NaN", "(b)"} {
		if got, ok := parseFirst(text).Nm(); ok {
			t.Errorf("Nm(%s) = %d, want none", text, got)
		}
	}
}

// TestFloat holds the short way of reading decimals against the library's.
func TestFloat(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"0", "-0", "1", "-12.5", "0.1", "-0.3", ".5", "5.", "123456.789012345", "0.000000000000001", "1e3", "1234567890.1234567",
		"x", "-", ".", "-.", "1..2", "1-2", "+4.5", "\"2.5\"", "NaN", "1e999",
	} {
		n := parseFirst(text)
		want, err := strconv.ParseFloat(n.Text(), 64)
		if err != nil || math.IsNaN(want) {
			want = 0
		}
		if got := n.Float(); got != want || math.Signbit(got) != math.Signbit(want) {
			t.Errorf("Float of %s = %v, want %v", text, got, want)
		}
	}
	if got := (Node{}).Float(); got != 0 {
		t.Errorf("Float of nothing = %v, want 0", got)
	}
}

// TestTrees reads children into one tree after another, as several goroutines do.
func TestTrees(t *testing.T) {
	t.Parallel()
	r := NewReader([]byte("(a (b 1)\n(c 2)\n word (d 3)\n\n(e 4))"))
	r.Open()
	var trees [2]Tree
	var nodes []Node
	for i := range 5 {
		name := []string{"b", "c", "", "d", "e"}[i]
		if got := string(r.Peek()); got != name {
			t.Errorf("name of child %d = %q, want %q", i, got, name)
		}
		n, ok := r.ReadInto(&trees[i/3])
		if !ok {
			t.Fatalf("child %d is not there", i)
		}
		nodes = append(nodes, n)
	}
	if _, ok := r.ReadInto(&trees[1]); ok || r.Peek() != nil || r.Rest() != 0 {
		t.Errorf("behind the end: found %v, next %q, %d bytes left; want nothing", ok, r.Peek(), r.Rest())
	}
	for i, want := range []string{"(b 1)", "(c 2)", "word", "(d 3)", "(e 4)"} {
		line := []int{1, 2, 3, 3, 5}[i]
		if got := string(nodes[i].Raw()); got != want || nodes[i].Line() != line {
			t.Errorf("child %d is %s on line %d, want %s on %d", i, got, nodes[i].Line(), want, line)
		}
	}
}

func TestNodeQuestions(t *testing.T) {
	t.Parallel()
	n := parseFirst("(pad \"1\" smd\n(at 1 2) locked (hide yes) (show no) (text \"a\\\"b\\n\"))")
	for what, ok := range map[string]bool{
		"is pad":          n.Is("pad"),
		"has smd":         n.Has("smd"),
		"flag locked":     n.Flag("locked"),
		"flag hide":       n.Flag("hide"),
		"no flag show":    !n.Flag("show"),
		"no flag missing": !n.Flag("missing"),
		"text":            n.Value("text").Text() == "a\"b\n",
		"nothing":         n.Find("none").Part(3).Text() == "" && !n.Find("none").Exists(),
		"line":            n.Find("at").Line() == 2,
		"says word":       n.Part(2).Says("smd") && !n.Part(2).Says("sm"),
		"says text":       n.Part(1).Says("1") && n.Value("text").Says("a\"b\n"),
		"at the end":      n.Part(9).Says("") && !n.Part(9).Exists() && n.Find("at").Len() == 3,
		"int":             n.Find("at").Part(2).Int() == 2,
		"date":            parseFirst("(version 20241229)").Part(1).Int() == 20241229,
	} {
		if !ok {
			t.Errorf("%s: false, want true", what)
		}
	}
}

func FuzzReader(f *testing.F) {
	for _, s := range []string{"(a (b 1) \"c\")", "(a", "(a \"", "((((", ")", "(a\n#x\n(b))", "(a (b 1e5 -.5)))(c"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := NewReader(data)
		if _, ok := r.Open(); !ok {
			return
		}
		for n, ok := r.Next(); ok; n, ok = r.Next() {
			for c := range n.Args() {
				c.Nm()
				_ = c.Text() + string(c.Name())
				c.Line()
			}
		}
	})
}
