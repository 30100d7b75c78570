package boardfacts_test

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload/boardfacts"
	"boardorder/pkg/board/upload/findings"
)

// TestFingersWithKey: contacts of a card of half a millimetre between which the edge is cut are
// fingers with paste on them as well; without the cut, or without one pitch, they are what paste says.
func TestFingersWithKey(t *testing.T) {
	t.Parallel()
	path := func(points ...float64) (out geom.Path) {
		for i := 0; i < len(points); i += 2 {
			out.Points = append(out.Points, geom.Pt(int64(points[i]*1e6), int64(points[i+1]*1e6)))
		}
		out.Closed = true
		return out
	}
	whole := path(0, 0, 20, 0, 20, 10, 0, 10)
	keyed := path(0, 0, 12, 0, 12, 3.5, 13.2, 3.5, 13.2, 0, 20, 0, 20, 10, 0, 10)
	shallow := path(0, 0, 12, 0, 12, 0.4, 13.2, 0.4, 13.2, 0, 20, 0, 20, 10, 0, 10)
	row := func(pitch float64, numbers ...float64) string {
		var b strings.Builder
		b.WriteString("%FSLAX46Y46*%\n%MOMM*%\n%ADD12R,0.35X1.45*%\nG01*\nD12*\n")
		for _, n := range numbers {
			fmt.Fprintf(&b, "X%dY1270000D03*\n", int64((2.6+pitch*n)*1e6))
		}
		return b.String() + "M02*\n"
	}
	card := []float64{10, 11, 12, 13, 14, 15, 16, 17, 18, 23, 24, 25, 26}
	uneven := []float64{10, 11, 12, 13, 14, 15, 16, 17, 18, 23.4, 24.4, 25.4, 26.4}
	elsewhere := uploads.Gerber("", "5,8")
	away := func(count int, length, from float64) string { // from a distance of the edge on
		var b strings.Builder
		fmt.Fprintf(&b, "%%FSLAX46Y46*%%\n%%MOMM*%%\n%%ADD12R,0.5X%g*%%\nG01*\nD12*\n", length)
		for i := range count {
			fmt.Fprintf(&b, "X%dY%dD03*\n", 1_000_000+800_000*i, int64((from+length/2)*1e6))
		}
		return b.String() + "M02*\n"
	}
	long := func(count int, length float64) string { return away(count, length, 0.3) }
	areas := func(count int, width, length float64) string { // contacts as areas, which some tools draw
		var b strings.Builder
		b.WriteString("%FSLAX46Y46*%\n%MOMM*%\nG01*\n")
		for i := range count {
			x, y := 1_000_000+800_000*i, 300_000
			fmt.Fprintf(&b, "G36*\nX%dY%dD02*\nX%dD01*\nY%dD01*\nX%dD01*\nY%dD01*\nG37*\n", x, y, x+int(width*1e6), y+int(length*1e6), x, y)
		}
		return b.String() + "M02*\n"
	}
	few := row(0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	for name, c := range map[string]struct {
		edge                            geom.Path
		top, bottom, paste, bottomPaste string
		sure                            float64
	}{
		"a card, paste on its contacts":                {keyed, row(0.5, card...), elsewhere, row(0.5, card...), elsewhere, 0.85},
		"a card without films of paste":                {keyed, row(0.5, card...), elsewhere, "", "", 0.85},
		"areas on both sides":                          {whole, areas(20, 0.5, 2.9), areas(20, 0.5, 2.9), elsewhere, elsewhere, 0.85},
		"areas that are no contacts":                   {whole, areas(20, 0.5, 0.8), areas(20, 0.5, 0.8), elsewhere, elsewhere, 0},
		"few areas":                                    {whole, areas(7, 0.5, 2.9), areas(7, 0.5, 2.9), elsewhere, elsewhere, 0},
		"paste, and no key between":                    {whole, row(0.5, card...), elsewhere, row(0.5, card...), elsewhere, 0},
		"paste, and a step before the pads":            {shallow, row(0.5, card...), elsewhere, row(0.5, card...), elsewhere, 0},
		"paste, and pads at no pitch":                  {keyed, row(0.5, uneven...), elsewhere, row(0.5, uneven...), elsewhere, 0},
		"seven with a key":                             {keyed, row(0.5, 15, 16, 17, 18, 23, 24, 25), elsewhere, "", "", 0},
		"nine on one side, no film of paste":           {whole, few, elsewhere, "", "", 0},
		"nine on both sides, no film of paste":         {whole, few, few, "", "", 0.6},
		"nine on both sides, soldered on one side":     {whole, few, few, elsewhere, few, 0.6},
		"a card of long contacts, paste on both sides": {whole, long(20, 4), long(20, 4), long(20, 4), long(20, 4), 0.6},
		"a card of long contacts, paste on one side":   {whole, long(20, 4), long(20, 4), long(20, 4), elsewhere, 0.6},
		"a connector of short lands on both sides":     {whole, long(20, 2.5), long(20, 2.5), long(20, 2.5), long(20, 2.5), 0},
		"a connector of few long lands on both sides":  {whole, long(19, 4), long(19, 4), long(19, 4), long(19, 4), 0},
		"long contacts with paste on one side alone":   {whole, long(20, 4), elsewhere, long(20, 4), elsewhere, 0},
		"a cartridge, paste on its contacts":           {whole, long(20, 6), elsewhere, long(20, 6), elsewhere, 0.6},
		"few contacts as long as a cartridge's":        {whole, long(19, 6), elsewhere, long(19, 6), elsewhere, 0},
		"a cartridge of few contacts, paste on both":   {whole, long(8, 5), long(8, 5), long(8, 5), long(8, 5), 0.6},
		"few contacts, one side as long as needed":     {whole, long(8, 5), long(8, 4), long(8, 5), long(8, 4), 0},
		"seven contacts of a cartridge on both":        {whole, long(7, 5), long(7, 5), long(7, 5), long(7, 5), 0},
		"a card whose edge leaves room for a bevel":    {whole, away(20, 4, 2), away(20, 4, 2), away(20, 4, 2), away(20, 4, 2), 0.6},
		"a card farther from the edge":                 {whole, away(20, 4, 2.2), away(20, 4, 2.2), away(20, 4, 2.2), away(20, 4, 2.2), 0},
		"lands with the room of a bevel":               {whole, away(9, 2, 2), away(9, 2, 2), elsewhere, elsewhere, 0},
		"nine on both sides, soldered on both":         {whole, few, few, few, few, 0},
	} {
		s := uploads.NewStage()
		s.AddArtwork("top.gbr", pcb.RoleCopper, pcb.Top, 1, c.top)
		s.AddArtwork("bottom.gbr", pcb.RoleCopper, pcb.Bottom, 2, c.bottom)
		for side, paste := range map[pcb.Side]string{pcb.Top: c.paste, pcb.Bottom: c.bottomPaste} {
			if paste != "" {
				s.AddArtwork(fmt.Sprintf("paste%d.gbr", side), pcb.RolePaste, side, 0, paste)
			}
		}
		s.Board.Outline.Areas = []geom.Polygon{{Outer: c.edge}}
		boardfacts.Reader{Upload: s.Upload, List: findings.ListOf(s.Board), Art: s.Art, Board: s.Board}.State(t.Context())
		if got := s.Board.Facts.GoldFingers; got.Value != (c.sure > 0) || got.Confidence != c.sure {
			t.Errorf("%s: gold fingers %+v, want confidence %g", name, got, c.sure)
		}
	}
}
