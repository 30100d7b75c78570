package reviews

import (
	"strings"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/console/internal/page"
)

// maxNumber bounds a part number, as the pricing service does.
const maxNumber = 120

// Pickable are the lines of a review that the team chooses parts for: those that
// name none by number, once the customer asked for the review and until it is
// priced.
func (v reviewView) Pickable() []assemblies.Part {
	if !v.Request.StaffPicksParts || v.Assembly == nil || v.DerivedStatus != quotes.SourcingRequested {
		return nil
	}
	var out []assemblies.Part
	for _, p := range v.Reply.Parts {
		if p.Picked && p.Fitting == assemblies.Fitted {
			out = append(out, p)
		}
	}
	return out
}

// PickPart has suppliers asked about a part, and puts it into a line's place.
func (s *Section) PickPart(c *page.Call) error {
	v, err := s.reviewView(c)
	if err != nil {
		return err
	}
	data := quotes.PickPartData{
		Quote: v.Ref, Operator: c.Session.Operator.Name, Reference: c.R.PostFormValue("reference"),
		MPN: strings.TrimSpace(untrusted.Line(c.R.PostFormValue("mpn"), maxNumber)), Manufacturer: strings.TrimSpace(untrusted.Line(c.R.PostFormValue("manufacturer"), maxNumber)),
	}
	v.Picking = pickForm{Reference: data.Reference, MPN: page.Field{Value: data.MPN}, Manufacturer: data.Manufacturer}
	if data.MPN == "" {
		v.Picking.MPN.Problem = "Nothing was done: please write the part number."
		return v.refuse(c)
	}
	r := audits.Record{Action: "chose a part", Kind: "quote", ID: v.Ref, After: map[string]string{"line": untrusted.Line(data.Reference, 200), "part": data.MPN}}
	if data.Manufacturer != "" {
		r.After["manufacturer"] = data.Manufacturer
	}
	err = c.Command(r, quotes.PickPart, c.R.PostFormValue("request"), v.Account, data)
	return v.answer(c, err, &v.Picking.MPN, "picked")
}

// pickForm is the choice of a part as it was filled in.
type pickForm struct {
	Reference    string
	MPN          page.Field
	Manufacturer string
}

// Picks tells whether a line is the one to choose a part for: the one that was asked for, or
// the last that has none.
func (v reviewView) Picks(p assemblies.Part) bool {
	if v.Picking.Reference != "" {
		return p.Reference == v.Picking.Reference
	}
	return p.Bought == 0
}
