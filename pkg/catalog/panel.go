package catalog

import (
	"fmt"

	"boardorder/pkg/fabricator"
)

// A Panel is what lies together in production: Columns x Rows boards.
type Panel struct {
	By            string // fabricator, customer: whoever makes it; "" = single boards
	Columns, Rows int
}

// Boards is how many boards a panel holds.
func (p Panel) Boards() int { return p.Columns * p.Rows }

// PanelOf reads the panel that options select.
func PanelOf(options map[string]any) Panel {
	by, _ := options["panel_by"].(string)
	if by != "fabricator" && by != "customer" {
		return Panel{Columns: 1, Rows: 1}
	}
	return Panel{by, max(1, int(value(options, "panel_columns"))), max(1, int(value(options, "panel_rows")))}
}

func value(options map[string]any, key string) float64 {
	f, ok := number(options[key])
	if !ok {
		return 0
	}
	return f
}

// PanelSize is the size, in mm, of what the fabricator builds in one piece: the
// board or the panel that it makes of it, with rails.
func PanelSize(s fabricator.Spec) (width, height float64) {
	width, height = mm(s.Width), mm(s.Height)
	if p := PanelOf(s.Options); p.By == "fabricator" {
		width = width*float64(p.Columns) + value(s.Options, "column_spacing_mm")*float64(p.Columns-1)
		height = height*float64(p.Rows) + value(s.Options, "row_spacing_mm")*float64(p.Rows-1)
	}
	rails := 2 * value(s.Options, "edge_rail_mm")
	switch s.Options["edge_rails"] {
	case "four_sides":
		return width + rails, height + rails
	case "left_right":
		return width + rails, height
	case "top_bottom":
		return width, height + rails
	case "two_sides": // along the longer sides, which is the smaller panel
		if width >= height {
			return width, height + rails
		}
		return width + rails, height
	}
	return width, height
}

// checkPanel refuses a panel, or a board with rails, that is larger than what is
// built of the material. A board that is itself too large is Review's.
func (c *Catalog) checkPanel(s fabricator.Spec) []Problem {
	f, ok := c.FamilyOf(s.Material)
	if !ok || s.Width <= 0 || s.Height <= 0 || !f.Size.holds(mm(s.Width), mm(s.Height)) {
		return nil
	}
	width, height := PanelSize(s)
	if f.Size.holds(width, height) {
		return nil
	}
	field := "fab_options.edge_rails"
	if PanelOf(s.Options).By == "fabricator" {
		field = "fab_options.panel_by"
	}
	return []Problem{problem(field, OutOfRange, map[string]any{"max_mm": f.Size.Max},
		"leads to a panel of %s x %s mm; the largest that is built of %s is %v x %v mm.",
		short(width), short(height), s.Material, f.Size.Max[0], f.Size.Max[1])}
}

// holds tells whether a board is not too large.
func (z Size) holds(w, h float64) bool { return max(w, h) <= z.Max[0] && min(w, h) <= z.Max[1] }

func short(mm float64) string { return fmt.Sprintf("%.5g", mm) }
