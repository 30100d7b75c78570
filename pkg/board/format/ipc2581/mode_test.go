package ipc2581

import (
	"strings"
	"testing"
)

// fileOfMode is a file of a mode: its step holds the body.
func fileOfMode(name, mode, body string) File {
	text := strings.Replace(header, `<Content roleRef="Owner">`, `<Content roleRef="Owner"><FunctionMode mode="`+mode+`"/>`, 1)
	return File{name, []byte(text + body + footer)}
}

const (
	pads   = `<LayerFeature layerRef="TOP"><Set net="N1"><Pad><Location x="10" y="20"/><StandardPrimitiveRef id="R"/></Pad></Set></LayerFeature>`
	tracks = `<LayerFeature layerRef="TOP"><Set net="N1"><Features><Line startX="0" startY="0" endX="3" endY="0"><LineDescRef id="L1"/></Line></Features></Set></LayerFeature>`
)

func TestModes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		files    []File
		boards   string // their names
		findings string // code and level, of files and of boards
	}{
		{"for fabrication", []File{fileOfMode("f.xml", "FABRICATION", profile+pads+tracks)}, "f", ""},
		{"whatever the user wants", []File{fileOfMode("u.xml", "USERDEF", profile+pads)}, "u", ""},
		{"nothing stated", []File{{"n.xml", []byte(header + profile + pads + footer)}}, "n", ""},
		{"a parts list beside it", []File{fileOfMode("bom.xml", "BOM", ""), fileOfMode("f.xml", "FABRICATION", profile+pads+tracks)}, "f", "partial_file note"},
		{"a parts list alone", []File{fileOfMode("bom.xml", "BOM", profile)}, "", "no_board problem"},
		{"a parts list beside an assembly file", []File{fileOfMode("bom.xml", "BOM", ""), fileOfMode("a.xml", "ASSEMBLY", profile+pads+tracks)}, "a", "partial_file note, partial_file warning"},
		{"a stencil beside it", []File{fileOfMode("f.xml", "FABRICATION", profile+pads+tracks), fileOfMode("s.xml", "stencil", profile)}, "f", "partial_file note"},
		{"assembly beside it", []File{fileOfMode("a.xml", "ASSEMBLY", profile+pads), fileOfMode("f.xml", "FABRICATION", profile+pads+tracks)}, "f", "partial_file note"},
		{"assembly of another board", []File{fileOfMode("a.xml", "ASSEMBLY", strings.Replace(profile, "100", "200", 2)+tracks), fileOfMode("f.xml", "FABRICATION", profile+pads+tracks)}, "f a", "partial_file warning"},
		{"assembly alone, with tracks", []File{fileOfMode("a.xml", "ASSEMBLY", profile+pads+tracks)}, "a", "partial_file warning"},
		{"assembly alone, pads only", []File{fileOfMode("a.xml", "ASSEMBLY", profile+pads)}, "a", "copper_missing problem"},
		{"assembly without copper", []File{fileOfMode("a.xml", "ASSEMBLY", profile)}, "", "no_board problem"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			boards, findings := Read(t.Context(), c.files)
			var names, codes []string
			for _, b := range boards {
				names = append(names, b.Name)
				findings = append(findings, b.Findings...)
			}
			for _, f := range findings {
				codes = append(codes, f.Code+" "+f.Level.String())
			}
			if got := strings.Join(names, " "); got != c.boards {
				t.Errorf("boards %q, want %q", got, c.boards)
			}
			if got := strings.Join(codes, ", "); got != c.findings {
				t.Errorf("findings %q, want %q", got, c.findings)
			}
		})
	}
}
