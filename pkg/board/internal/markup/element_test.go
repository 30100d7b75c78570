package markup

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/pcb"
)

// readElement is the root element of a document.
func readElement(t *testing.T, text string) Element {
	t.Helper()
	for e := range NewReader(t.Context(), []byte(text)).Children() {
		return e
	}
	t.Errorf("%q has no element, want one", text)
	return Element{r: NewReader(t.Context(), nil)}
}

// TestAttributes: values of attributes, however they are written.
func TestAttributes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text, want string
		has              bool
	}{
		{"double quotes", `<x a="1"/>`, "1", true},
		{"single quotes", `<x a='1'/>`, "1", true},
		{"the other quotes within", `<x a='say "1"'/>`, `say "1"`, true},
		{"blanks round the sign", "<x a\n =\t'1'/>", "1", true},
		{"among others", `<x b="2" a="1" c="3"/>`, "1", true},
		{"the first of two", `<x a="1" a="2"/>`, "1", true},
		{"a longer name", `<x aa="2" a="1"/>`, "1", true},
		{"a name of another prefix", `<x n:a="2"/>`, "", false},
		{"empty", `<x a=""/>`, "", true},
		{"after one without a value", `<x b a="1"/>`, "1", true},
		{"after one without quotes", `<x b=2 a="1"/>`, "1", true},
		{"without quotes", `<x a=1/>`, "", false},
		{"none", `<x/>`, "", false},
		{"no space before the end", `<x a="1"/>`, "1", true},
		{"in the value of another", `<x b="a='1'"/>`, "", false},
	} {
		e := readElement(t, c.text)
		if got := e.Attr("a"); got != c.want || e.Has("a") != c.has {
			t.Errorf("%s: attribute a of %s is %q, there %v; want %q, %v", c.name, c.text, got, e.Has("a"), c.want, c.has)
		}
	}
}

// TestNumbers: attributes as numbers: 0 for what is none.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]struct {
		f float64
		i int
	}{
		"1": {1, 1}, "-2.5": {-2.5, -2}, " 3 ": {3, 3}, "1e3": {1000, 1000}, ".5": {0.5, 0}, "2147483647": {math.MaxInt32, math.MaxInt32}, "2147483648": {2147483648, 0}, "-2147483648": {-2147483648, 0},
		"": {}, "x": {}, "1mm": {}, "NaN": {}, "Inf": {}, "-inf": {}, "1e999": {}, "1,5": {},
	} {
		e := readElement(t, `<x a="`+in+`"/>`)
		if f, i := e.Float("a"), e.Int("a"); f != want.f || i != want.i {
			t.Errorf("%q is %v and %d, want %v and %d", in, f, i, want.f, want.i)
		}
	}
	for in, want := range map[string]bool{
		"true": true, "TRUE": true, "True": true, "yes": true, "YES": true, "1": true, "false": false, "no": false, "0": false, "": false, "tRUE": false, "2": false,
	} {
		if got := readElement(t, `<x a="`+in+`"/>`).Bool("a"); got != want {
			t.Errorf("%q is %v, want %v", in, got, want)
		}
	}
}

// TestUnescape: the five entities of XML and references to characters; what is none stays.
func TestUnescape(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a&amp;b": "a&b", "&lt;&gt;&quot;&apos;": `<>"'`, "&#65;&#x41;&#X41;": "AAA", "&#956;": "μ", "&#x10FFFF;": "\U0010FFFF",
		"&amp;lt;": "&lt;", "&nbsp;": "&nbsp;", "&#0;": "&#0;", "&#x110000;": "&#x110000;", "&#x;": "&#x;", "&#;": "&#;", "&;": "&;", "&": "&", "a & b; c": "a & b; c",
		"&AMP;": "&AMP;", "&#-1;": "&#-1;", "& amp;": "& amp;", "&&amp;": "&&", "": "",
	} {
		if got := unescape([]byte(in)); got != want {
			t.Errorf("unescape(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestLines: the lines of elements and faults, from 1.
func TestLines(t *testing.T) {
	t.Parallel()
	r := NewReader(t.Context(), []byte("\xef\xbb\xbf<x>\n <y/>\n\n <z\n a='1'/>\n</q>\n</x>\n"))
	var got []string
	for range r.Children() {
		for e := range r.Children() {
			got = append(got, fmt.Sprintf("%s %d", e.Name(), e.Line()))
		}
	}
	if diff := cmp.Diff([]string{"y 2", "z 4"}, got); diff != "" {
		t.Errorf("lines of elements (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Fault{{6, `the end of "q" closes nothing`}}, r.Faults()); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	for pos, want := range map[int]int{0: 1, 3: 1, 4: 2, 1000: 8, 5: 2} {
		if got := r.Line(pos); got != want {
			t.Errorf("byte %d is on line %d, want %d", pos, got, want)
		}
	}
}

// TestBrokenText: what is not closed, and what a reader makes of the rest.
func TestBrokenText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want, fault string }{
		{"a comment", "<x><y/><!-- z", "x; y;", "a comment is not closed"},
		{"an instruction", "<?xml <x/>", "", "an instruction is not closed"},
		{"character data", "<x><![CDATA[ <y/>", "x;", "a CDATA section is not closed"},
		{"character data within a text", "<t><![CDATA[ <y/>", "t( <y/>);", "a CDATA section is not closed"},
		{"a declaration", "<!DOCTYPE x [ <x/>", "", ""},
		{"an end tag", "<x><y/></x", "x; y;", "a tag is not closed: the file is cut off"},
		{"quotes", `<x><y a="1/></x>`, "x;", "a tag is not closed: the file is cut off"},
		{"no name", "<x>< a='1'><y/></x>", "x; y;", "a tag has no name"},
		{"an end tag with blanks", "<x><y></y \n><z/></x>", "x; y; z;", ""},
		{"several ends missing", "<x><y><z><w></x><v/>", "x; y;  z;   w;v;", `"w" is not closed before the end of "x"`},
		{"no markup", "hello", "", ""},
		{"nothing", "", "", ""},
	} {
		got, faults := outlineOf(c.text)
		text := ""
		if len(faults) > 0 {
			text = faults[0].Text
		}
		if got != c.want || text != c.fault {
			t.Errorf("%s: %q is %q with fault %q, want %q with %q", c.name, c.text, got, text, c.want, c.fault)
		}
	}
}

// TestFaultsAreBounded: a file that is wrong all through has no more faults than people read.
func TestFaultsAreBounded(t *testing.T) {
	t.Parallel()
	if _, faults := outlineOf("<x>" + strings.Repeat("</q>", 1000) + "</x>"); len(faults) != 50 {
		t.Errorf("%d faults of 1000 ends that close nothing, want 50", len(faults))
	}
}

// TestDepthOfElements: as deep as elements may nest, and no deeper.
func TestDepthOfElements(t *testing.T) {
	t.Parallel()
	for depth, want := range map[int]string{MaxDepth: "", MaxDepth + 1: "elements nest deeper than 200; the rest is not read"} {
		_, got := outlineOf(strings.Repeat("<x>", depth) + strings.Repeat("</x>", depth))
		if (len(got) > 0) != (want != "") || want != "" && got[0].Text != want {
			t.Errorf("%d deep: faults %v, want %q", depth, got, want)
		}
	}
}

// TestEarlyEnd: a walk that is left early goes on behind the element, and one whose budget is used
// up ends.
func TestEarlyEnd(t *testing.T) {
	t.Parallel()
	r := NewReader(t.Context(), []byte("<x><y><a/><b/></y><z/></x>"))
	var got []string
	for range r.Children() {
		for e := range r.Children() {
			got = append(got, e.Name())
			for e := range r.Children() {
				got = append(got, e.Name())
				break
			}
		}
	}
	if diff := cmp.Diff([]string{"y", "a", "z"}, got); diff != "" {
		t.Errorf("elements where the inner walk is left after one (-want +got):\n%s", diff)
	}
	ctx, cancel := context.WithCancel(pcb.FileContext(t.Context(), "x.xml"))
	ctx, stop := pcb.WithBudget(ctx, pcb.Limits{Objects: 10})
	defer stop()
	defer cancel()
	count := 0
	for range NewReader(ctx, []byte("<x>"+strings.Repeat("<y/>", 100_000)+"</x>")).Children() {
		count++
	}
	if count > 1 || pcb.Excess(ctx) == nil {
		t.Errorf("100000 elements where 10 objects are allowed: %d roots, excess %v; want at most one, and the excess told", count, pcb.Excess(ctx))
	}
}
