package checkout

import (
	"strings"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract/quotes"
)

// boardView is the board in words and a picture.
type boardView struct {
	Pictures []pictureView
	Name     string // what the customer calls it: foreign words
	Line     string
	Quantity string
	Kind     string
	Rows     []optionRow
	LeftOff  string
	Supplied string // references of parts that the customer sends

	Special       []string // what the customer wrote, by paragraph: foreign words
	SpecialPriced bool     // it is part of what is asked for
	Context       []string // what the customer told of the board, by paragraph: foreign words
	Team          []string // what our team wrote, by paragraph
	Extras        []optionRow
	Notes         []string
	Assembly      *assemblyView
}

// pictureView is one side of the board.
type pictureView struct {
	Side, Alt    string
	Small, Large string // addresses
	Late         bool   // not at once in sight
}

// optionRow is one option of the board.
type optionRow struct{ Name, Value, From string }

func (p *Pages) boardView(s record) boardView {
	q := s.quote
	v := boardView{
		Name: untrusted.Shorten(text(q.Request.ProjectName), 120), Line: text(q.Reply.Board), Quantity: plural(quantity(q), "board"),
		Kind: "Bare boards", LeftOff: untrusted.Shorten(strings.Join(q.Request.DoNotFitRefs, ", "), 400), Notes: q.Reply.Notes,
	}
	if v.Name == "" {
		v.Name = untrusted.Shorten(q.Board, 120)
	}
	if q.Reply.Assembled != nil && *q.Reply.Assembled {
		v.Kind = "Assembled boards"
	}
	v.Pictures = p.pictureViews(s)
	v.Assembly = p.assemblyView(s)
	v.Supplied = untrusted.Shorten(strings.Join(q.Request.CustomerSuppliedRefs, ", "), 400)
	v.Special, v.SpecialPriced = paragraphs(text(q.Request.SpecialNotes)), q.Request.SpecialRequirements
	v.Context = paragraphs(text(q.Request.BoardContext))
	v.Extras = p.extras(q)
	if n := len(v.Notes); q.TeamNote != "" && n > 0 { // it is the last of them
		v.Team, v.Notes = paragraphs(q.TeamNote), v.Notes[:n-1]
	}
	if d := q.Reply.BoardDetails; d != nil {
		v.Rows = p.optionRows(*d, q.Reply.BoardDetailsFrom)
	}
	return v
}

func quantity(q quotes.Quote) int {
	if q.Reply.Quantity > 0 {
		return q.Reply.Quantity
	}
	return q.Request.Quantity
}

func (p *Pages) optionRows(d quotes.BoardDetails, from map[string]string) []optionRow {
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
		optionRow{"Surface finish", catalog.NameOf(p.Catalog.SurfaceFinishes, d.SurfaceFinish), from["surface_finish"]},
		optionRow{"Solder mask", d.SolderMask, from["solder_mask"]},
	)
	if d.ViaProcess != "" {
		rows = append(rows, optionRow{"Vias", catalog.NameOf(p.Catalog.ViaProcesses, d.ViaProcess), from["via_process"]})
	}
	var known []optionRow
	for _, r := range rows {
		if r.Value != "" && r.Value != "0" && r.Value != "0 mm" && r.Value != "0 oz" && r.Value != "0 × 0 mm" {
			r.From = sourceWords(r.From)
			known = append(known, r)
		}
	}
	return known
}

// sourceWords says where an option comes from.
func sourceWords(from string) string {
	switch file, isFile := strings.CutPrefix(from, "file:"); {
	case isFile:
		return "from " + untrusted.Shorten(file, 60)
	case from == "request":
		return "as asked for"
	case from == "standard":
		return "our standard"
	}
	return ""
}

// extras are the options beside the usual ones, in the catalogue's words.
func (p *Pages) extras(q quotes.Quote) []optionRow {
	var rows []optionRow
	for _, e := range p.Catalog.Extras(q) {
		rows = append(rows, optionRow{Name: untrusted.Shorten(e.Name, 80), Value: untrusted.Shorten(e.Value, 200)})
	}
	paper := q.Paper()
	for _, row := range []optionRow{{Name: "Stackup as you describe it", Value: paper.Stackup}, {Name: "Separate boards", Value: paper.Separate}} {
		if row.Value != "" {
			rows = append(rows, optionRow{Name: row.Name, Value: untrusted.Shorten(row.Value, 400)})
		}
	}
	return rows
}

// paragraphs splits foreign words where their writer did.
func paragraphs(s string) []string {
	var out []string
	for line := range strings.SplitSeq(untrusted.Shorten(s, 5000), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}
