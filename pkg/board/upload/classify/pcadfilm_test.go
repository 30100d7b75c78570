package classify

import (
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
)

// TestPCADFilms: what P-CAD lists in the head of a film tells what the film is.
func TestPCADFilms(t *testing.T) {
	t.Parallel()
	for contents, want := range map[string]Evidence{
		"No Pads,No Vias,No Drill Symbols,Board":  {Role: pcb.RoleOutline, Weight: weightComment},
		"Pads,Vias,No Drill Symbols,Top":          {Role: pcb.RoleCopper, Side: pcb.Top, Weight: weightComment},
		"Pads,Vias,No Drill Symbols,Board,Bottom": {Role: pcb.RoleCopper, Side: pcb.Bottom, Weight: weightComment},
		"Pads,No Vias,No Types,Top Mask":          {Role: pcb.RoleMask, Side: pcb.Top, Weight: weightComment},
		"No Pads,No Vias,Types,Values,Bot Silk":   {Role: pcb.RoleSilk, Side: pcb.Bottom, Weight: weightComment},
		"Pads,No Vias,Top Paste":                  {Role: pcb.RolePaste, Side: pcb.Top, Weight: weightComment},
		"No Pads,Designators,Bot Assy,Board":      {Role: pcb.RoleAssembly, Side: pcb.Bottom, Weight: weightComment},
		"Pads,Vias,Top,Bottom":                    {},
		"No Pads,No Vias,Drill Symbols,Board":     {},
		"Pads,Vias,Power":                         {},
		"Pads,Vias":                               {},
		"":                                        {},
		"Pads,Vias,,Top":                          {},
	} {
		lines := strings.Split(contents, ",")
		head := "G04  Source:          P-CAD 2006 PCB*\r\nG04*\r\nG04  File Contents:   " + strings.Join(lines, "*\r\nG04                   ") + "*\r\nG04*\r\nG04  Aperture MACROs for general use*\r\n%FSLAX44Y44*%\r\n"
		var got Evidence
		for _, w := range readComments([]byte(head)) {
			got = w
		}
		got.Why = ""
		if got != want {
			t.Errorf("a film of %q is %+v, want %+v", contents, got, want)
		}
	}
}
