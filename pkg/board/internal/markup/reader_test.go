package markup

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// outlineOf writes the elements of a document, indented, with attribute a and text.
func outlineOf(text string) (string, []Fault) {
	r := NewReader(context.Background(), []byte(text))
	var b strings.Builder
	var walk func(depth int)
	walk = func(depth int) {
		for e := range r.Children() {
			fmt.Fprintf(&b, "%s%s", strings.Repeat(" ", depth), e.Name())
			if e.Has("a") {
				fmt.Fprintf(&b, "[%s]", e.Attr("a"))
			}
			switch e.Name() {
			case "t":
				fmt.Fprintf(&b, "(%s)", r.Text())
				b.WriteByte(';')
			case "skip":
				b.WriteByte(';')
			default:
				b.WriteByte(';')
				walk(depth + 1)
			}
		}
	}
	walk(0)
	return b.String(), r.Faults()
}

func TestWalk(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ text, want, fault string }{
		"nested":            {`<?xml version="1.0"?><x><y a="1"><z/></y><y/></x>`, "x; y[1];  z; y;", ""},
		"skipped":           {`<x><skip><y/><skip/></skip><y/></x>`, "x; skip; y;", ""},
		"text":              {`<x><t>a &amp; <b>no</b>b</t><t/><y/></x>`, "x; t(a & b); t(); y;", ""},
		"character data":    {`<x><t><![CDATA[<&amp;>]]></t></x>`, "x; t(<&amp;>);", ""},
		"references":        {`<x a="&#65;&#x42;&lt;&unknown;&"/>`, "x[AB<&unknown;&];", ""},
		"namespace":         {`<n:x xmlns:n="u"><n:y a='"'/></n:x>`, `x; y["];`, ""},
		"doctype":           {`<!DOCTYPE x [<!ENTITY e "boom">]><x a="&e;"/>`, "x[&e;];", ""},
		"comment":           {`<x><!-- <y/> --><z/></x>`, "x; z;", ""},
		"end tag missing":   {"<x><y><z></y><w/></x>", "x; y;  z; w;", "\"z\" is not closed before the end of \"y\""},
		"end tag too many":  {"<x></q><y/></x>", "x; y;", "the end of \"q\" closes nothing"},
		"cut off":           {"<x><y/>\n<z>", "x; y; z;", "the file ends inside \"z\": it is cut off"},
		"cut inside a tag":  {"<x><y/><z a=\"1", "x; y;", "a tag is not closed: the file is cut off"},
		"greater in quotes": {`<x a="1>2"/>`, "x[1>2];", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, faults := outlineOf(tt.text)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", tt.text, d)
			}
			switch {
			case tt.fault == "" && len(faults) > 0, tt.fault != "" && (len(faults) == 0 || faults[0].Text != tt.fault):
				t.Errorf("faults of %s = %v, want %q", tt.text, faults, tt.fault)
			}
		})
	}
}

func TestDepthIsBounded(t *testing.T) {
	t.Parallel()
	if _, faults := outlineOf(strings.Repeat("<x>", 100_000)); len(faults) == 0 {
		t.Errorf("100000 nested elements give no fault, want one about the depth %d", MaxDepth)
	}
}

func FuzzReader(f *testing.F) {
	for _, s := range []string{`<x a="1"><t>a&amp;</t></x>`, "<x><y></x>", "<", "</", "<x", "<!DOCTYPE [", "<![CDATA[", "<x/></x>", "<t><b></t></b>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		outlineOf(text)
	})
}
