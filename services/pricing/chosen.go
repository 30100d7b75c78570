package pricing

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/fabricator"
	"boardorder/services/pricing/internal/choice"
	"boardorder/services/pricing/internal/offer"
)

// offerOf is the offer that a fabricator's price makes of a wish. A build that it does not
// offer is a refusal; other errors are those of the price and of [offer.Tables.Price].
func (s *Service) offerOf(a *answer, w wish) (offer.Offer, error) {
	if a.err != nil || !a.asked {
		return offer.Offer{}, a.err
	}
	b, c := a.priced.basis, w.Choice
	if c.BuildHours != 0 && !b.HasBuild(c.BuildHours) {
		return offer.Offer{}, refuseBuild(b.Builds)
	}
	if w.before != nil {
		if b.HasBuild(w.before.BuildHours) {
			c.BuildHours = w.before.BuildHours
		}
		c.ShippingID = s.tables.FindWay(b, c.Place.Country, w.before.ShippingID, w.before.Shipping)
	}
	return s.tables.Price(b, c)
}

// A choiceMade is the fabricator that was chosen for a wish, and what all said of it.
type choiceMade struct {
	index  int // -1 = none has a price
	why    string
	offers []offer.Offer
	errs   []error // those of answers without an offer
}

// choose applies the rule to what was said.
func (s *Service) choose(r round, w wish) choiceMade {
	n := len(r.answers)
	m := choiceMade{offers: make([]offer.Offer, n), errs: make([]error, n)}
	candidates := make([]choice.Candidate, n)
	for i := range r.answers {
		a, c := &r.answers[i], &candidates[i]
		c.Name = a.fab.Name
		if !a.asked {
			continue
		}
		if m.offers[i], m.errs[i] = s.offerOf(a, w); m.errs[i] == nil {
			_, c.DaysMin, c.DaysMax = m.offers[i].Days()
			c.Priced, c.Cents = true, m.offers[i].TotalCents
		}
	}
	if fabricator.KindOf(r.answers[0].err) == fabricator.Files && r.answers[0].err != nil {
		m.index, m.why = -1, "The design files cannot be used as they are."
		return m
	}
	m.index, m.why = choice.Choose(r.rule, candidates)
	if r.only != "" {
		m.why = r.only
	}
	return m
}

// describe is what a quote keeps of a choice; nil where there is one fabricator, and nothing
// to choose.
func (m choiceMade) describe(r round) *quotes.FabricatorChoice {
	if len(r.answers)+len(r.others) == 1 {
		return nil
	}
	out := &quotes.FabricatorChoice{Rule: r.rule.String(), Why: m.why}
	for i, a := range r.answers {
		o := quotes.FabricatorOffer{Fabricator: a.fab.Name, Status: quotes.OfferNotAsked}
		switch {
		case m.errs[i] != nil:
			o.Status, o.Why = statusOf(a, m.errs[i])
		case a.asked:
			o.Status, o.TotalCents = quotes.OfferPriced, m.offers[i].TotalCents
			_, o.DaysMin, o.DaysMax = m.offers[i].Days()
		}
		if i == m.index {
			o.Status = quotes.OfferChosen
		}
		out.Offers = append(out.Offers, o)
	}
	for _, name := range r.others {
		out.Offers = append(out.Offers, quotes.FabricatorOffer{Fabricator: name, Status: quotes.OfferNotAsked, Why: r.only})
	}
	out.Offers = out.Offers[:min(len(out.Offers), quotes.MaxOffers)]
	return out
}

// statusOf is why an answer is no offer, in words that customers may read.
func statusOf(a answer, err error) (quotes.OfferStatus, string) {
	if a.slow {
		return quotes.OfferSlow, "It did not answer in time."
	}
	var why []string
	status := quotes.OfferAway
	var e *fabricator.Error
	refusal := contract.RefusalIn(err)
	switch {
	case refusal != nil: // the build that was asked for
		status, why = quotes.OfferNotBuilt, []string{refusal.Message}
		for _, f := range refusal.Fields {
			why = []string{f.Message}
		}
	case errors.As(err, &e) && e.Kind == fabricator.Review:
		status, why = quotes.OfferByHand, reviewReasons(err)
	case errors.As(err, &e) && (e.Kind == fabricator.Refused || e.Kind == fabricator.Shipment):
		status = quotes.OfferNotBuilt
		for _, f := range e.Fields {
			why = append(why, describeField(f))
		}
	case errors.As(err, &e) && e.Kind == fabricator.Files:
		status, why = quotes.OfferNotBuilt, []string{"It cannot use the design files as they are."}
	case e == nil:
		if reasons, _ := classifyOfferError(err); reasons != nil {
			status, why = quotes.OfferByHand, reasons
		}
	}
	if len(why) == 0 {
		why = []string{map[quotes.OfferStatus]string{quotes.OfferAway: "It gives no price just now.", quotes.OfferNotBuilt: "It does not build this board."}[status]}
	}
	return status, cut(strings.Join(why, " "), quotes.MaxWhy)
}

// cut is the beginning of a text, at most n bytes long.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n -= len("…"); !utf8.RuneStart(text[n]); n-- {
	}
	return text[:n] + "…"
}

// wordOf is what counts where nobody has a price: the primary one's word.
func (s *Service) wordOf(r round, m choiceMade) (reasons []string, err error) {
	i := max(slices.IndexFunc(r.answers, func(a answer) bool { return a.asked }), 0)
	a := r.answers[i]
	if reasons := reviewReasons(a.err); reasons != nil {
		return reasons, nil
	}
	if a.err != nil {
		return nil, s.refusalOf(a.err)
	}
	return classifyOfferError(m.errs[i])
}
