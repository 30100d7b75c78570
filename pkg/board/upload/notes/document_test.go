package notes_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// page is a PDF file of lines of text.
func page(lines ...string) string {
	content := "BT /F 10 Tf 14 TL 50 700 Td"
	for _, l := range lines {
		content += " T* (" + l + ") Tj"
	}
	return fmt.Sprintf("%%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n2 0 obj <</Kids[3 0 R]>> endobj\n"+
		"3 0 obj <</Contents 4 0 R/Resources<</Font<</F <</Subtype/Type1>>>>>>>> endobj\n4 0 obj <</Length %d>> stream\n%s ET\nendstream endobj\n", len(content)+3, content)
}

// TestDocuments: the words of a drawing in PDF are fabrication notes where a page says several things
// of the board, and not where it is a drawing of something else.
func TestDocuments(t *testing.T) {
	t.Parallel()
	printed, err := os.ReadFile("../sidefiles/pdf/testdata/notes.pdf")
	if err != nil {
		t.Fatal(err)
	}
	reported := page("FABRICATION NOTES", "1. THICKNESS: 1.0 MM", "2. SURFACE FINISH: ENIG")
	for _, c := range []struct {
		name, data string
		thickness  int64 // in micrometres; 0 for none stated
		finish     string
	}{
		{"fab.pdf", reported, 1000, "ENIG"},
		{"board.pdf", string(printed), 1200, "ENIG"},
		{"board.pdf", page("thickness: 1.0 mm", "surface finish: ENIG", "solder mask: red"), 1000, "ENIG"},
		{"board.pdf", page("thickness: 1.0 mm", "surface finish: ENIG"), 0, ""},
		{"board.pdf", page("VOLTAGE 3.3 V", "SHEET 1 OF 2"), 0, ""},
		{"board-schematic.pdf", reported, 0, ""},
		{"board_assy.pdf", reported, 0, ""},
		{"drill-map.pdf", reported, 0, ""},
		{"fab.pdf", "%PDF-1.4\nnothing", 0, ""},
		{"fab.pdf", reported + "trailer <</Encrypt 9 0 R>>", 0, ""},
	} {
		p := uploads.Ordinary().Merge(uploads.Set{c.name: c.data}).Read(t)
		f := p.Boards[0].Facts
		if f.Thickness.Value != c.thickness*1000 || f.Finish.Value != c.finish {
			t.Errorf("%s: %d nm thick, finish %q; want %d µm and %q", c.name, f.Thickness.Value, f.Finish.Value, c.thickness, c.finish)
		}
		finding := uploads.FindingOf(p, "document_read")
		if taken := c.finish != ""; (finding != nil) != taken || taken && (finding.File != c.name || !strings.Contains(finding.Message, "page 1: ") || f.Finish.How != "fabrication notes, page 1" || f.Finish.Source.File != c.name) {
			t.Errorf("%s: finding %+v, finish by %q of %q; want a finding with the page's words: %v", c.name, finding, f.Finish.How, f.Finish.Source.File, taken)
		}
	}
}

// TestDocumentAgainstNotes: a drawing and a readme that differ leave the option to the customer.
func TestDocumentAgainstNotes(t *testing.T) {
	t.Parallel()
	p := uploads.Ordinary().Merge(uploads.Set{
		"fab.pdf":    page("FABRICATION NOTES", "1. THICKNESS: 1.0 MM", "2. SURFACE FINISH: ENIG", "3. BACKPLATE PLATING PER CUSTOMER SOLDER MASK"),
		"ReadMe.txt": "board thickness: 1.6 mm\nsurface finish: ENIG\n",
	}).Read(t)
	f := p.Boards[0].Facts
	if len(f.Unsettled) != 1 || f.Unsettled[0].Option != "thickness_mm" || len(f.Unsettled[0].Statements) != 2 {
		t.Errorf("unsettled %+v; want the thickness left open, with both files", f.Unsettled)
	}
	if finding := uploads.FindingOf(p, "note_unread"); finding == nil || finding.Level != pcb.Note || !strings.Contains(finding.Message, "page 1 of ") {
		t.Errorf("finding %+v; want the line that was not understood, with its page", finding)
	}
}

// TestHeadsOfTablesInDocuments: words beside the name of an option that are no value of it state
// nothing in a drawing, whose tables come as lines; they are named.
func TestHeadsOfTablesInDocuments(t *testing.T) {
	t.Parallel()
	const head, drawn = "Requirement Req. Thickness Tol + Tol -", "Requirement) Tj 90 0 Td (Req. Thickness) Tj 110 0 Td (Tol +) Tj 60 0 Td (Tol -"
	p := uploads.Ordinary().Merge(uploads.Set{"stackup.pdf": page("Stackup", "Material: Isola 370H", "Surface finish: ENIG", drawn)}).Read(t)
	f := p.Boards[0].Facts
	if len(f.Unsettled) != 0 || f.Thickness.IsStated() || f.Material.Value != "ISOLA 370H" {
		t.Errorf("unsettled %+v, thickness %+v, material %q; want the material alone", f.Unsettled, f.Thickness, f.Material.Value)
	}
	if finding := uploads.FindingOf(p, "note_unread"); finding == nil || !strings.Contains(finding.Message, head) {
		t.Errorf("finding %+v; want %q named", finding, head)
	}
}
