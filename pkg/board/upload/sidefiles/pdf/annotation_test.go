package pdf

import "testing"

// TestAnnotations: notes that lie on a page are read as it shows them, and those that it hides, links
// and windows are not.
func TestAnnotations(t *testing.T) {
	t.Parallel()
	page := func(annotations string, more string) []byte {
		return []byte("%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n" +
			"3 0 obj <</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<<" + helvetica + ">>>>/Annots " + annotations + ">> endobj\n" +
			object(4, "", "BT /F 10 Tf 50 500 Td (page) Tj ET") + more + "\ntrailer <</Root 1 0 R>>\n%%EOF")
	}
	look := func(n int, words string) string {
		return object(n, "/Subtype/Form/BBox[10 10 110 30]/Resources<</Font<<"+helvetica+">>>>", "BT /F 10 Tf 12 12 Td ("+words+") Tj ET")
	}
	const rect = "/Rect[50 600 150 620]"
	for name, c := range map[string]struct{ annotations, more, want string }{
		"an appearance above":     {"[<</Subtype/FreeText" + rect + "/AP<</N 8 0 R>>>>]", look(8, "ENIG"), "1:ENIG\n1:page"},
		"an appearance below":     {"[<</Subtype/FreeText/Rect[50 100 150 120]/AP<</N 8 0 R>>>>]", look(8, "ENIG"), "1:page\n1:ENIG"},
		"of its state":            {"[<</Subtype/Widget" + rect + "/AS/On/AP<</N<</On 8 0 R/Off 9 0 R>>>>>>]", look(8, "yes") + look(9, "no"), "1:yes\n1:page"},
		"words without one":       {"[<</Subtype/FreeText" + rect + "/Contents(0.8 mm\\rENIG)>>]", "", "1:0.8 mm\n1:ENIG\n1:page"},
		"words in UTF-16":         {"[<</Subtype/FreeText" + rect + "/Contents<FEFF00B10031>>>]", "", "1:±1\n1:page"},
		"a list elsewhere":        {"7 0 R", "7 0 obj [<</Subtype/FreeText" + rect + "/Contents(a)>>] endobj", "1:a\n1:page"},
		"hidden":                  {"[<</Subtype/FreeText/F 2" + rect + "/Contents(a)>>]", "", "1:page"},
		"a window of a note":      {"[<</Subtype/Popup" + rect + "/Contents(a)>>]", "", "1:page"},
		"a link":                  {"[<</Subtype/Link" + rect + "/AP<</N 8 0 R>>>>]", look(8, "a"), "1:page"},
		"a comment without looks": {"[<</Subtype/Text" + rect + "/Contents(a)>>]", "", "1:page"},
		"no place":                {"[<</Subtype/FreeText/Contents(a)>> null 99 0 R]", "", "1:page"},
		"one that draws itself":   {"[<</Subtype/Stamp" + rect + "/AP<</N 8 0 R>>>>]", object(8, "/Subtype/Form/Resources<</XObject<</X 8 0 R>>/Font<<"+helvetica+">>>>", "BT /F 10 Tf (a) Tj ET /X Do"), "1:a\n1:page"},
	} {
		lines, err := Read(page(c.annotations, c.more))
		if got := flat(lines); got != c.want || err != nil {
			t.Errorf("%s: %q, error %v; want %q", name, got, err, c.want)
		}
	}
}
