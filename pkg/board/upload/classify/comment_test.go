package classify

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/pcb"
)

// trimWhy is evidence without its reason.
func trimWhy(w Evidence) Evidence {
	w.Why = ""
	return w
}

// TestGerberComments: what counts as a comment, an attribute or a name at the head of a film.
func TestGerberComments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"a comment", "G04 Layer: TopLayer*\n", []string{"comment Layer: TopLayer"}},
		{"a comment of the standard before 2012", "G4 Layer: TopLayer*\n", []string{"comment Layer: TopLayer"}},
		{"a comment that begins with a colon", "G04: Title x*\n", []string{"comment Title x"}},
		{"a comment that nothing ends but the line", "G04 one\nG04 two\n", []string{"comment one", "comment two"}},
		{"a comment that nothing ends but the file", "G04 one", []string{"comment one"}},
		{"an attribute", "%TF.FileFunction,Profile,NP*%\n", []string{"attribute TF.FileFunction,Profile,NP"}},
		{"an attribute within a comment", "G04 #@! TF.Part,Single*\n", []string{"attribute TF.Part,Single"}},
		{"the name of a layer", "%LNGROUP1*%\n", []string{"name GROUP1"}},
		{"two commands within one pair of signs", "%LNtop*TF.Part,Single*%\n", []string{"name top", "attribute TF.Part,Single"}},
		{"what draws is passed over", "X0Y0D02*\nD10*\nY5D01*\n", nil},
		{"other commands are passed over", "%FSLAX24Y24*%\n%MOIN*%\nG01*\nM02*\n", nil},
		{"lines of other systems", "G04 a*\r\nG04 b*\r", []string{"comment a", "comment b"}},
		{"nothing", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			gerberComments([]byte(c.in), func(kind, text string) { got = append(got, kind+" "+text) })
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("comments of %q (-want +got):\n%s", c.in, diff)
			}
		})
	}
	within, beyond := strings.Repeat("X0Y0D02*\n", scanLimit/9-10)+"G04 here*\n", strings.Repeat("X0Y0D02*\n", scanLimit/9+1)+"G04 here*\n"
	for in, want := range map[string]int{within: 1, beyond: 0} {
		n := 0
		gerberComments([]byte(in), func(string, string) { n++ })
		if n != want {
			t.Errorf("%d comments after %d bytes, want %d: comments are looked for in the first %d", n, len(in), want, scanLimit)
		}
	}
}

// TestCommentWitness: what one comment of a tool says of the layer.
func TestCommentEvidence(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]Evidence{
		"Layer_Physical_Order=1":            {Role: pcb.RoleCopper, Side: pcb.Top, Order: 1, Weight: weightComment},
		"Layer_Physical_Order=3":            {Role: pcb.RoleCopper, Order: 3, Weight: weightComment},
		"Layer_Physical_Order=0":            {},
		"Layer_Physical_Order=1234":         {},
		"Layer: TopPasteMaskLayer":          {Role: pcb.RolePaste, Side: pcb.Top, Weight: weightName + 2},
		"Layer: CustomLayer2":               {Role: pcb.RoleOther, Weight: weightComment},
		"Layer : SoldermaskBottom.gdo":      {Role: pcb.RoleMask, Side: pcb.Bottom, Weight: weightName + 2},
		"Layer: Heatspreader":               {},
		"Title: board, component side":      {Role: pcb.RoleCopper, Side: pcb.Top, SideSaid: true, Weight: weightHint + 3},
		"Title: board, solder side":         {Role: pcb.RoleCopper, Side: pcb.Bottom, SideSaid: true, Weight: weightHint + 3},
		"Title: board, solder side paste":   {Role: pcb.RolePaste, Side: pcb.Bottom, Weight: weightName + 2},
		"Title: board, soldermask":          {Role: pcb.RoleMask, Weight: weightName + 2},
		"Title: board, outline ":            {Role: pcb.RoleOutline, Weight: weightName + 2},
		"contains layers component (0)":     {Role: pcb.RoleCopper, Side: pcb.Top, SideSaid: true, Weight: weightComment},
		"contains layers solder (1)":        {Role: pcb.RoleCopper, Side: pcb.Bottom, Weight: weightComment},
		"contains layers GND-comp (2)":      {Role: pcb.RoleCopper, Side: pcb.Top, SideSaid: true, Weight: weightComment},
		"contains layers signal-sldr (3)":   {Role: pcb.RoleCopper, Side: pcb.Bottom, Weight: weightComment},
		"contains layers unnamed (4)":       {Role: pcb.RoleCopper, Weight: weightComment},
		"created by a tool on layer Top":    {},
		"Layer:":                            {},
		"Film Name:    TOP":                 {},
		"Layer:  ETCH/TOP":                  {},
		"the outline of the board is drawn": {},
	} {
		got, ok := commentEvidence(in)
		if !ok {
			got = Evidence{}
		}
		if diff := cmp.Diff(want, trimWhy(got)); diff != "" {
			t.Errorf("commentEvidence(%q) (-want +got):\n%s", in, diff)
		}
	}
}

// TestAllegroVerdict: what a film of Allegro is for, by the subclasses that its record lists.
func TestAllegroVerdict(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, film string
		layers     []string
		want       Evidence
	}{
		{"no record", "TOP", nil, Evidence{}},
		{"the top", "TOP", []string{"ETCH/TOP", "PIN/TOP", "VIA CLASS/TOP"}, Evidence{Role: pcb.RoleCopper, Side: pcb.Top, Weight: weightComment}},
		{"the bottom", "x", []string{"ETCH/BOTTOM"}, Evidence{Role: pcb.RoleCopper, Side: pcb.Bottom, Weight: weightComment}},
		{"the sides of the new class", "x", []string{"CONDUCTOR/PRIMARY"}, Evidence{Role: pcb.RoleCopper, Side: pcb.Top, Weight: weightComment}},
		{"the other side of the new class", "x", []string{"CONDUCTOR/SECONDARY"}, Evidence{Role: pcb.RoleCopper, Side: pcb.Bottom, Weight: weightComment}},
		{"a number from the top", "x", []string{"ETCH/L3_PWR"}, Evidence{Role: pcb.RoleCopper, Side: pcb.Inner, Order: 3, Weight: weightComment}},
		{"a number among the inner layers", "x", []string{"ETCH/GND2"}, Evidence{Role: pcb.RoleCopper, Side: pcb.Inner, Rank: 2, Weight: weightComment}},
		{"an inner layer without a number", "x", []string{"ETCH/SHIELD"}, Evidence{Role: pcb.RoleCopper, Side: pcb.Inner, Weight: weightComment}},
		{"copper is copper, whatever else is shown", "x", []string{"BOARD GEOMETRY/OUTLINE", "ETCH/TOP", "REF DES/SILKSCREEN_TOP"}, Evidence{Role: pcb.RoleCopper, Side: pcb.Top, Weight: weightComment}},
		{"one layer twice is one layer", "x", []string{"ETCH/TOP", "ETCH/TOP"}, Evidence{Role: pcb.RoleCopper, Side: pcb.Top, Weight: weightComment}},
		{"copper of two layers", "x", []string{"ETCH/TOP", "ETCH/BOTTOM"}, Evidence{Role: pcb.RoleFabDrawing, Weight: weightComment}},
		{"the legend of the drills", "x", []string{"MANUFACTURING/NCDRILL_LEGEND", "ETCH/TOP"}, Evidence{Role: pcb.RoleDrillDrawing, Weight: weightComment}},
		{"back drills", "x", []string{"MANUFACTURING/BACKDRILL-FLAG-BOT"}, Evidence{Role: pcb.RoleOther, Process: pcb.BackDrilling, Weight: weightComment}},
		{"back drills beside copper", "x", []string{"MANUFACTURING/BACKDRILL-FLAG-BOT", "ETCH/BOTTOM"}, Evidence{Role: pcb.RoleCopper, Side: pcb.Bottom, Weight: weightComment}},
		{"a process that the frame of the drawing names", "x", []string{"DRAWING FORMAT/BACKDRILL", "PIN/SOLDERMASK_TOP"}, Evidence{Role: pcb.RoleMask, Side: pcb.Top, Weight: weightComment}},
		{"paste", "x", []string{"PIN/PASTEMASK_TOP"}, Evidence{Role: pcb.RolePaste, Side: pcb.Top, Weight: weightComment}},
		{"paste plotted with the mask's openings of the other name", "PASTE_BOT", []string{"PIN/SOLDERMASK_BOTTOM", "PIN/PASTEMASK_TOP"}, Evidence{Role: pcb.RolePaste, Side: pcb.Top, Weight: weightComment}},
		{"legend, no side", "x", []string{"BOARD GEOMETRY/SILKSCREEN"}, Evidence{Role: pcb.RoleSilk, Weight: weightComment}},
		{"assembly", "x", []string{"REF DES/ASSEMBLY_BOTTOM"}, Evidence{Role: pcb.RoleAssembly, Side: pcb.Bottom, Weight: weightComment}},
		{"the frame of a drawing", "x", []string{"DRAWING FORMAT/TITLE_BLOCK"}, Evidence{Role: pcb.RoleFabDrawing, Weight: weightComment}},
		{"the edge alone", "x", []string{"BOARD GEOMETRY/DESIGN_OUTLINE", "BOARD GEOMETRY/CUTOUT"}, Evidence{Role: pcb.RoleOutline, Weight: weightComment}},
		{"the edge beside what nobody knows", "x", []string{"BOARD GEOMETRY/OUTLINE", "PACKAGE GEOMETRY/MY_OWN"}, Evidence{Role: pcb.RoleOutline, Weight: weightName - 1}},
		{"what nobody knows", "x", []string{"PACKAGE GEOMETRY/MY_OWN"}, Evidence{}},
		{"small letters of a subclass", "x", []string{"ETCH/Top"}, Evidence{Role: pcb.RoleCopper, Side: pcb.Top, Weight: weightComment}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var a allegroFilmSet
			a.add("Film Name:    " + c.film)
			for _, l := range c.layers {
				a.add("Layer:  " + l)
			}
			got, ok := a.verdict()
			if !ok {
				got = Evidence{}
			}
			if diff := cmp.Diff(c.want, trimWhy(got)); diff != "" {
				t.Errorf("film %q of %q (-want +got):\n%s", c.film, c.layers, diff)
			}
		})
	}
}

// TestFilmRecord: which films of Allegro are negatives, show the edge and show scores.
func TestFilmRecord(t *testing.T) {
	t.Parallel()
	type record struct{ Negative, Edge, Scores bool }
	for _, c := range []struct {
		name string
		head []string
		want record
	}{
		{"a plane", []string{"G04 Mode:         Negative*", "G04 Layer:  ETCH/GND*"}, record{Negative: true}},
		{"a plane as positive", []string{"G04 Mode:         Positive*", "G04 Layer:  ETCH/GND*"}, record{}},
		{"a mode without copper", []string{"G04 Mode:         Negative*", "G04 Layer:  PIN/SOLDERMASK_TOP*"}, record{}},
		{"a negative of two layers is a drawing", []string{"G04 Mode: Negative*", "G04 Layer:  ETCH/TOP*", "G04 Layer:  ETCH/BOTTOM*"}, record{}},
		{"the edge", []string{"G04 Layer:  ETCH/TOP*", "G04 Layer:  BOARD GEOMETRY/OUTLINE*"}, record{Edge: true}},
		{"the edge of newer versions", []string{"G04 Layer:  BOARD GEOMETRY/DESIGN_OUTLINE*"}, record{Edge: true}},
		{"the edge of a part", []string{"G04 Layer:  PACKAGE GEOMETRY/OUTLINE*"}, record{}},
		{"scores", []string{"G04 Layer:  BOARD GEOMETRY/V_SCORE*"}, record{Scores: true}},
		{"nothing", nil, record{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := gerberWith(c.head...)
			negative, edge, scores := filmRecord([]byte(in))
			if got := (record{negative, edge, scores}); got != c.want {
				t.Errorf("record of %q: %+v, want %+v", c.head, got, c.want)
			}
		})
	}
}
