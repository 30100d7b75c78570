package checkout

import (
	"strings"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/language"
	"boardorder/pkg/phrase"
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
		Name: untrusted.Shorten(text(q.Request.ProjectName), 120), Line: text(q.Reply.Board), Quantity: s.lang.Boards(quantity(q)),
		Kind: s.lang.Text("Bare boards"), LeftOff: untrusted.Shorten(s.lang.List(q.Request.DoNotFitRefs), 400), Notes: q.Reply.Notes,
	}
	if v.Name == "" {
		v.Name = untrusted.Shorten(q.Board, 120)
	}
	if q.Reply.Assembled != nil && *q.Reply.Assembled {
		v.Kind = s.lang.Text("Assembled boards")
	}
	v.Pictures = p.pictureViews(s)
	v.Assembly = p.assemblyView(s)
	v.Supplied = untrusted.Shorten(s.lang.List(q.Request.CustomerSuppliedRefs), 400)
	v.Special, v.SpecialPriced = paragraphs(text(q.Request.SpecialNotes)), q.Request.SpecialRequirements
	v.Context = paragraphs(text(q.Request.BoardContext))
	v.Extras = p.extras(q)
	if n := len(v.Notes); q.TeamNote != "" && n > 0 { // it is the last of them
		v.Team, v.Notes = paragraphs(q.TeamNote), v.Notes[:n-1]
	}
	v.Notes = explainAll(v.Notes)
	if d := q.Reply.BoardDetails; d != nil {
		v.Rows = p.optionRows(s.lang, *d, q.Reply.BoardDetailsFrom)
	}
	return v
}

func quantity(q quotes.Quote) int {
	if q.Reply.Quantity > 0 {
		return q.Reply.Quantity
	}
	return q.Request.Quantity
}

// optionRows are the options that are known of a board, each with where it comes from.
func (p *Pages) optionRows(l *language.Printer, d quotes.BoardDetails, from map[string]string) []optionRow {
	var rows []optionRow
	add := func(name, value, source string) {
		if value != "" {
			rows = append(rows, optionRow{name, value, sourceWords(l, from[source])})
		}
	}
	measure := func(v float64, unit string) string {
		if v == 0 {
			return ""
		}
		return l.Number(v) + unit
	}
	add(l.Text("Layers"), measure(float64(d.Layers), ""), "layers")
	if d.WidthMM != 0 || d.HeightMM != 0 {
		add(l.Text("Size"), l.Size(d.WidthMM, d.HeightMM), "width_mm")
	}
	add(l.Text("Thickness"), measure(d.ThicknessMM, " mm"), "thickness_mm")
	add(l.Text("Copper, outer"), measure(d.CopperOz, " oz"), "copper_oz")
	if d.InnerCopperOz != nil {
		add(l.Text("Copper, inner"), measure(*d.InnerCopperOz, " oz"), "inner_copper_oz")
	}
	material := d.Material
	if m, ok := p.Catalog.Material(material); ok && m.Name != "" {
		material = m.Name
	}
	add(l.Text("Material"), phrase.Translate(l, material), "material")
	add(l.Text("Surface finish"), phrase.Translate(l, catalog.NameOf(p.Catalog.SurfaceFinishes, d.SurfaceFinish)), "surface_finish")
	add(l.Text("Solder mask"), phrase.Translate(l, d.SolderMask), "solder_mask")
	add(l.Text("Vias"), phrase.Translate(l, catalog.NameOf(p.Catalog.ViaProcesses, d.ViaProcess)), "via_process")
	return rows
}

// sourceWords says where an option comes from.
func sourceWords(l *language.Printer, from string) string {
	switch file, isFile := strings.CutPrefix(from, "file:"); {
	case isFile:
		return l.Text("from %s", untrusted.Shorten(file, 60))
	case from == "request":
		return l.Text("as asked for")
	case from == "standard":
		return l.Text("our standard")
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
	for _, row := range []optionRow{{Name: language.Key("Stackup as you describe it"), Value: paper.Stackup}, {Name: language.Key("Separate boards"), Value: paper.Separate}} {
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
