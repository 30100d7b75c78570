package picture

import (
	"cmp"
	"slices"

	"boardorder/pkg/board/paint"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
)

// LookOf is what a quote's boards will look like: as priced, or as asked for
// where people price it, and our standard where nobody said.
func LookOf(q quotes.Quote, cat *catalog.Catalog) paint.Look {
	var d quotes.BoardDetails
	if q.Reply.BoardDetails != nil {
		d = *q.Reply.BoardDetails
	}
	return looking(cat, paint.Look{
		Mask:     cmp.Or(d.SolderMask, text(q.Request.SolderMask), cat.Standard.SolderMask),
		Finish:   cmp.Or(d.SurfaceFinish, text(q.Request.SurfaceFinish), cat.Standard.SurfaceFinish),
		Material: cmp.Or(d.Material, text(q.Request.Material), cat.Standard.Material),
	})
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// looking gives a look the silkscreen that the fabricator prints on its mask.
func looking(cat *catalog.Catalog, l paint.Look) paint.Look {
	l.Silkscreen = ""
	for _, m := range cat.SolderMasks {
		if m.ID == l.Mask {
			l.Silkscreen = m.Silkscreen
		}
	}
	return l
}

// A Choice is an option that changes what a board looks like, by the name of its
// field in a request.
type Choice struct {
	Field  string
	Values []string
	Set    func(*paint.Look, string)
}

// Choices are those that an address may name, with all their values.
func Choices(cat *catalog.Catalog) []Choice {
	var masks, finishes, materials []string
	for _, m := range cat.SolderMasks {
		masks = append(masks, m.ID)
	}
	for _, f := range cat.SurfaceFinishes {
		finishes = append(finishes, f.ID)
	}
	for _, m := range cat.Materials {
		materials = append(materials, m.ID)
	}
	return []Choice{
		{"solder_mask", masks, func(l *paint.Look, v string) { l.Mask = v }},
		{"surface_finish", finishes, func(l *paint.Look, v string) { l.Finish = v }},
		{"material", materials, func(l *paint.Look, v string) { l.Material = v }},
	}
}

// ApplyChoices is a look with what an address names in its place, and what it names
// that does not exist.
func ApplyChoices(l paint.Look, cat *catalog.Catalog, query func(name string) (string, bool)) (paint.Look, []contract.FieldProblem) {
	var wrong []contract.FieldProblem
	for _, c := range Choices(cat) {
		v, given := query(c.Field)
		switch {
		case !given:
		case slices.Contains(c.Values, v):
			c.Set(&l, v)
		default:
			wrong = append(wrong, contract.FieldProblem{Field: c.Field, Problem: "unsupported", Message: "There is no picture of this value.", Allowed: c.Values})
		}
	}
	return looking(cat, l), wrong
}
