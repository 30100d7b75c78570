package assembled

import (
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
)

// HasPrice reports whether an assembly has a price: every part that is bought can
// be, and fits. pending says that suppliers have not answered about some.
func HasPrice(a assemblies.Assembly) (priced, pending bool) {
	if a.Price == nil {
		return false, true
	}
	pending = a.Report != nil && !a.Report.IsComplete()
	return len(a.Price.PriceBlockers()) == 0 && !pending, pending
}

// Lines are what the goods cost beside the boards.
func Lines(p assemblies.Price) []prices.Line {
	lines := slices.Clone(p.Work)
	if p.PartsCents > 0 {
		lines = append(lines, prices.Line{Label: prices.PartsLabel, Cents: p.PartsCents})
	}
	return lines
}

// Reasons says why people have to price an assembly.
func Reasons(a assemblies.Assembly, r quotes.Request) []string {
	var out []string
	unpriced := 0
	if a.Price != nil {
		unpriced = len(a.Price.PriceBlockers())
	}
	if n := len(a.Plan.Unnamed); r.StaffPicksParts && n > 0 {
		out = append(out, fmt.Sprintf("Our team chooses the parts of %s that name none, as asked.", lines(n)))
		unpriced -= n
	}
	if a.Report != nil && len(a.Report.Unreached) > 0 {
		out = append(out, "Some suppliers could not be reached about parts that nobody else sells; asked for again in a few minutes, the quote may have a price at once.")
	}
	if unpriced > 0 {
		out = append(out, fmt.Sprintf("The parts of %s could not be priced; each is listed with why, and what was searched.", lines(unpriced)))
	}
	return out
}

func lines(n int) string {
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}

// Fill writes into a reply what it says of the parts, and keeps in the quote what
// it was priced with.
func Fill(q *quotes.Quote, a assemblies.Assembly) {
	r, all := &q.Reply, []string(nil)
	defer func() { q.Assembly.Notes, r.Notes = all, append(r.Notes, all...) }()
	q.Assembly = &quotes.QuotedAssembly{ID: a.ID, Boards: a.Boards, At: a.EndedAt}
	if a.Plan != nil {
		r.RequestedSubst, r.UnlistedRefs = a.Plan.Substs, a.Plan.Unlisted
		all = append(all, a.Plan.Notes...)
		q.Assembly.Package, q.Assembly.TopSVG, q.Assembly.BottomSVG = a.Plan.Package, a.Plan.TopSVG, a.Plan.BottomSVG
	}
	if a.Price == nil {
		return
	}
	p := a.Price
	q.Assembly.Service, q.Assembly.Work, q.Assembly.PartCents, q.Assembly.At = p.Service, p.Work, p.PartsCents, p.At
	q.Assembly.Days = p.Days + p.PartsDays
	r.Parts = p.Parts
	if q.Mode == quotes.ModeReview {
		r.UnpricedParts = p.PriceBlockers()
		if n := slices.ContainsFunc(r.UnpricedParts, func(u assemblies.Part) bool { return u.SimilarPart != nil }); n {
			all = append(all, "Some parts that cannot be bought have a similar_part in stock: if the customer approves it, quote again with a substitutions entry.")
		}
	}
	if q.Request.StaffPicksParts {
		r.PickedParts = findPicked(p.Parts)
	}
	all = append(all, notes(p.Parts)...)
}

// findPicked are the parts that were chosen for lines that name none by number.
func findPicked(parts []assemblies.Part) []assemblies.Part {
	out := []assemblies.Part{}
	for _, p := range parts {
		if p.Picked && p.Bought > 0 && p.Fitting == assemblies.Fitted {
			out = append(out, p)
		}
	}
	return out
}

// notes say which lines are not bought, and which parts need a look.
func notes(parts []assemblies.Part) []string {
	var off, supplied, look, replaced []string
	for _, p := range parts {
		list := strings.Split(p.Reference, ",")
		switch {
		case p.Fitting == assemblies.LeftOff && p.Why != "": // which the plan's notes say
		case p.Fitting == assemblies.LeftOff:
			off = append(off, list...)
		case p.Fitting == assemblies.CustomerSupplied:
			supplied = append(supplied, list...)
		case p.Replaces != "" && !p.Approved:
			replaced = append(replaced, list...)
		case p.Verdict == "check" && p.Bought > 0 && !p.Misfit: // what does not fit stands among those without a price
			look = append(look, list...)
		}
	}
	var out []string
	for _, n := range []struct {
		refs []string
		text string
	}{
		{off, "Left off, and neither bought nor fitted: %s."},
		{supplied, "Fitted, and sent by the customer: %s. The fabricator must have them before assembly begins."},
		{replaced, "Passive parts that cannot be bought were replaced by others that are no worse in anything that parts compares: %s."},
		{look, "Priced, but please look at these parts before you pay, since their package or identity is not certain: %s."},
	} {
		if len(n.refs) > 0 {
			out = append(out, fmt.Sprintf(n.text, refs(n.refs)))
		}
	}
	return out
}
