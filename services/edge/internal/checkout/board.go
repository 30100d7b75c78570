package checkout

import (
	"strings"

	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
)

// boardView is the board in words and a picture.
type boardView struct {
	Picture  string // address, or ""
	Name     string // what the customer calls it: foreign words
	Line     string
	Quantity string
	Kind     string
	Rows     []optionRow
	LeftOff  string
	Notes    []string
}

// optionRow is one option of the board.
type optionRow struct{ Name, Value, From string }

func (p *Pages) boardView(s standing) boardView {
	q := s.quote
	v := boardView{
		Name: shorten(text(q.Asked.ProjectName), 120), Line: text(q.Reply.Board), Quantity: plural(quantity(q), "board"),
		Kind: "Bare boards", LeftOff: shorten(strings.Join(q.Asked.DoNotFitRefs, ", "), 400), Notes: q.Reply.Notes,
	}
	if v.Name == "" {
		v.Name = shorten(q.Board, 120)
	}
	if q.Reply.Assembled != nil && *q.Reply.Assembled {
		v.Kind = "Assembled boards"
	}
	if q.Picture != "" {
		v.Picture = p.self(s.id, "") + "/board.png"
	}
	if d := q.Reply.BoardDetails; d != nil {
		v.Rows = p.optionRows(*d, q.Reply.BoardDetailsFrom)
	}
	return v
}

func quantity(q contract.Quote) int {
	if q.Reply.Quantity > 0 {
		return q.Reply.Quantity
	}
	return q.Asked.Quantity
}

func (p *Pages) optionRows(d contract.BoardDetails, from map[string]string) []optionRow {
	rows := []optionRow{
		{"Layers", number(float64(d.Layers)), from["layers"]},
		{"Size", number(d.WidthMM) + " × " + number(d.HeightMM) + " mm", from["width_mm"]},
		{"Thickness", number(d.ThicknessMM) + " mm", from["thickness_mm"]},
		{"Copper, outer", number(d.CopperOz) + " oz", from["copper_oz"]},
	}
	if d.InnerCopperOz != nil {
		rows = append(rows, optionRow{"Copper, inner", number(*d.InnerCopperOz) + " oz", from["inner_copper_oz"]})
	}
	material := d.Material
	if m, ok := p.Catalog.Material(material); ok && m.Name != "" {
		material = m.Name
	}
	rows = append(rows,
		optionRow{"Material", material, from["material"]},
		optionRow{"Surface finish", nameOf(p.Catalog.SurfaceFinishes, d.SurfaceFinish), from["surface_finish"]},
		optionRow{"Solder mask", d.SolderMask, from["solder_mask"]},
	)
	if d.ViaProcess != "" {
		rows = append(rows, optionRow{"Vias", nameOf(p.Catalog.ViaProcesses, d.ViaProcess), from["via_process"]})
	}
	var known []optionRow
	for _, r := range rows {
		if r.Value != "" && r.Value != "0" && r.Value != "0 mm" && r.Value != "0 oz" && r.Value != "0 × 0 mm" {
			r.From = fromWords(r.From)
			known = append(known, r)
		}
	}
	return known
}

// fromWords says where an option comes from.
func fromWords(from string) string {
	switch file, isFile := strings.CutPrefix(from, "file:"); {
	case isFile:
		return "from " + shorten(file, 60)
	case from == "request":
		return "as asked for"
	case from == "standard":
		return "the usual"
	}
	return ""
}

func nameOf(choices []catalog.Choice, id string) string {
	for _, c := range choices {
		if c.ID == id && c.Name != "" {
			return c.Name
		}
	}
	return id
}
