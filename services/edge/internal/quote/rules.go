package quote

import (
	"slices"

	"boardorder/pkg/address"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/stackups"
	"boardorder/pkg/destination"
	"boardorder/services/edge/internal/jsonbody"
)

// Rules are what a request can be judged by before its files are known.
type Rules struct {
	Catalog *catalog.Catalog
	Places  *destination.Book
	// Stackups lists what the fabricator has; complete is false while some of it was never
	// asked for.
	Stackups func() (all []stackups.Stackup, complete bool)
}

// complete adds what is wrong beyond the form, as far as it can be found without the
// files, to a request that is refused for its form: then all refused fields come at once.
// A request of good form is judged where the files are known.
func (rules Rules) complete(f *jsonbody.Fields, r quotes.Request) {
	if len(f.Problems()) == 0 {
		return
	}
	if !r.SpecialRequirements {
		f.Add(rules.Catalog.CheckOptions(r.FabOptions)...)
	}
	if all, complete := rules.Stackups(); r.FabStackup != nil && complete && !slices.ContainsFunc(all, func(s stackups.Stackup) bool { return s.IsNamed(*r.FabStackup) }) {
		layers := 0
		if r.Layers != nil {
			layers = *r.Layers
		}
		f.Add(stackups.RefuseUnknown(*r.FabStackup, all, layers))
	}
	f.Add(rules.checkAddress(f, r.ShipTo)...)
}

// checkAddress judges an address but for the fields of it that are refused already: of a
// country that is none nothing more can be said.
func (rules Rules) checkAddress(f *jsonbody.Fields, to *shipments.ShipTo) []contract.FieldProblem {
	if to == nil || to.Country != "" && !address.IsCountry(to.Country) {
		return nil
	}
	refused := map[string]bool{}
	for _, p := range f.Problems() {
		refused[p.Field] = true
	}
	_, problems := rules.Places.Resolve(to, "")
	return slices.DeleteFunc(problems, func(p contract.FieldProblem) bool { return refused[p.Field] })
}
