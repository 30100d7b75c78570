package note

import "testing"

// TestOptionLists: a list of an order's options is read without colons too, in rows or in turns,
// whichever of them it begins with; prose, lists of other things and single rows are not.
func TestOptionLists(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"PCB Thickness 1.6\nPCB Color Black\nSurface Finish ENIG\nPCB Qty 5":                                   "thickness 1.6 mm; mask colour black; finish ENIG",
		"PCB Thickness 1.6\nPCB Color Black\nQty 5":                                                            "thickness 1.6 mm; mask colour black",
		"Layer(s) 2\nDimensions 50mm x 40mm\nPCB Thickness 1.2\nPCB Color Black":                               "layers 2; width 50 mm; height 40 mm; thickness 1.2 mm; mask colour black",
		"Layer(s): 4\nPCB Thickness: 1.2 mm":                                                                   "layers 4; thickness 1.2 mm",
		"- PCB thickness 1.0 mm\n- Surface finish HASL lead free\n- Copper weight 2 oz\n- Qty: 5":              "thickness 1 mm; finish HASL lead free; outer copper 2 oz",
		"PCB Thickness\n1.2mm\nPCB Color\nBlack\nSurface Finish\nENIG-RoHS\nPCB Qty\n5":                        "thickness 1.2 mm; mask colour black; finish ENIG",
		"Base Material:\n\nFR-4\n\nDifferent Design:\n\n1\n\nPCB Thickness:\n\n0.8\n\nSurface Finish:\n\nENIG": "material FR-4; thickness 0.8 mm; finish ENIG",
		"PCB thickness: 1.6 mm / Surface finish: ENIG / Color: black / Qty: 5":                                 "thickness 1.6 mm; finish ENIG; mask colour black",
		"Color: black\nQty: 5\nThickness: 1.6 mm":                                                              "mask colour black; thickness 1.6 mm",

		"PCB Thickness 1.6\nPCB Color Black":                 "mask colour black", // the colour stands by itself
		"PCB Thickness 1.6":                                  "",
		"Case\nColor Black\nMaterial FR-4\nThickness 3":      "unread 5",
		"Case\n\nColor Black\nMaterial FR-4\nThickness 3":    "unread 6",
		"Board\n\nColor Black\nMaterial FR-4\nThickness 1.6": "mask colour black; material FR-4; thickness 1.6 mm",
		"Case Color Black\nCase Material PLA\nQty 5":         "",
		"Color black\nThickness 1.6 was what we measured on the first prototypes last year\nFinish ENIG\nQty 2": "finish ENIG",
		"Layers\n2\nwalls":                     "",
		"Thickness\nColor\nFinish\nMaterial":   "",
		"Thickness\nThickness\nColor\nENIG\n5": "finish ENIG",
	} {
		if got := words(Read("README.md", []byte("# A board\n\n"+text+"\n"))); got != want {
			t.Errorf("%q says %q, want %q", text, got, want)
		}
	}
	n := Read("order.txt", []byte("An order\n\nPCB Thickness 1.6\nPCB Color\tBlack\nSurface Finish ENIG\n"))
	for i, s := range n.Statements {
		if s.Line != i+3 {
			t.Errorf("%q stands in line %d, want %d", s.Topic, s.Line, i+3)
		}
	}
	turns := Read("order.txt", []byte("PCB Thickness\n1.6\n\nPCB Color\nBlack\n\nSurface Finish\nENIG\n"))
	for i, s := range turns.Statements {
		if s.Line != 3*i+1 {
			t.Errorf("in turns: %q stands in line %d, want %d", s.Topic, s.Line, 3*i+1)
		}
	}
}
