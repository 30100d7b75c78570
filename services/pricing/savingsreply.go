package pricing

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/savings"
	"boardorder/pkg/money"
	finder "boardorder/services/pricing/internal/savings"
)

// savingsOf is what was found: the changes that cost less than the quote, and than its board
// would today.
func (s *Service) savingsOf(in search, base *quotes.Quote, changes []finder.Change, priced []*quotes.Quote, missed bool) (savings.Savings, error) {
	now := s.now().UTC().Truncate(time.Millisecond)
	out := savings.Savings{Account: in.command.Account, Quote: in.quote.Ref, Upload: in.quote.Upload, Digest: in.quote.Digest, CreatedAt: now, ExpiresAt: endOfPrices(now)}
	if missed {
		out.ExpiresAt = now.Add(partTTL)
	}
	if in.quote.ExpiresAt.Before(out.ExpiresAt) {
		out.ExpiresAt = in.quote.ExpiresAt
	}
	found := []savings.Saving{}
	for i, q := range priced {
		if q == nil || !isCheaper(*q.Reply.TotalCents, *base.Reply.TotalCents, *in.quote.Reply.TotalCents) {
			continue
		}
		found = append(found, savingOf(in, base, changes[i], q))
		if err := s.endWith(&out.ExpiresAt, q); err != nil {
			return out, err
		}
	}
	if err := s.endWith(&out.ExpiresAt, base); err != nil {
		return out, err
	}
	out.ExpiresAt = out.ExpiresAt.UTC().Truncate(time.Millisecond)
	out.Reply = savings.Reply{
		OK: true, Currency: "USD", QuoteTotalCents: *in.quote.Reply.TotalCents, Total: *base.Reply.Total, TotalCents: *base.Reply.TotalCents,
		Savings: chooseSavings(found), Notes: in.notes(base, missed), AsOf: now, ExpiresAt: out.ExpiresAt,
		Next: "Ask the customer. Then send the body of the quote's request to POST /v1/quotes with the properties of one change in place of its own: the quote that comes has the total of that saving.",
	}
	if len(out.Reply.Savings) == 0 {
		out.Reply.Next = "Nothing of this board can be changed for a lower price without changing its circuit, as far as we know. Send the customer to checkout_url."
	}
	return out, nil
}

// isCheaper reports whether a total is worth a change, beside that of the same board today
// and that of its quote.
func isCheaper(total, today, quoted int64) bool { return min(today, quoted)-total >= leastSaving }

// endWith lets savings end when the fabricator's price does that a quote was made of.
func (s *Service) endWith(end *time.Time, q *quotes.Quote) error {
	stored, err := s.loadPricing(q)
	if until := stored.price.ValidUntil; err == nil && !until.IsZero() && until.Before(*end) {
		*end = until
	}
	return err
}

// savingOf is a change with its price, beside that of the same board today.
func savingOf(in search, base *quotes.Quote, change finder.Change, q *quotes.Quote) savings.Saving {
	r := q.Reply
	amount := *base.Reply.TotalCents - *r.TotalCents
	out := savings.Saving{
		Kind: change.Kind, Changes: change.Changes, Amount: money.Dollars(amount), AmountCents: amount, Total: *r.Total, TotalCents: *r.TotalCents,
		PerBoard: *r.PerBoard, PerBoardCents: *r.PerBoardCents, TaxCents: *r.TaxCents, Quantity: r.Quantity, Fabricator: r.Fabricator,
		LeadTime: *r.LeadTime, Delivery: *r.Delivery, InYourCurrency: r.InYourCurrency, Means: change.Means,
	}
	if change.Body != nil {
		out.Change = maps.Clone(in.chosen)
		maps.Copy(out.Change, change.Body)
	}
	return out
}

// chooseSavings are the largest savings, of a kind of which each is a step of the same
// change only the smallest step that leads to the lowest price.
func chooseSavings(all []savings.Saving) []savings.Saving {
	slices.SortStableFunc(all, func(a, b savings.Saving) int { return cmp.Compare(b.AmountCents, a.AmountCents) })
	steps := []savings.Kind{savings.DrillSize, savings.Quantity}
	var out []savings.Saving
	for _, s := range all {
		if !slices.Contains(steps, s.Kind) || !slices.ContainsFunc(out, func(o savings.Saving) bool { return o.Kind == s.Kind }) {
			out = append(out, s)
		}
	}
	return append([]savings.Saving{}, out[:min(len(out), savings.Max)]...)
}

// notes say what a reader of the savings must know.
func (in search) notes(base *quotes.Quote, missed bool) []string {
	out := []string{}
	if quoted, today := *in.quote.Reply.TotalCents, *base.Reply.TotalCents; quoted != today {
		out = append(out, fmt.Sprintf("The quote costs %s; the same request made today, with the usual way of shipping, costs %s, and each amount is what its change takes off that.", money.Dollars(quoted), money.Dollars(today)))
	}
	if len(in.chosen) > 0 {
		out = append(out, "Each change also holds what was chosen at checkout since the quote was asked for.")
	}
	if in.gone {
		out = append(out, "The files of the quote's upload have been deleted: upload them again and send the new upload_id with a change.")
	}
	if missed {
		out = append(out, "The fabricator did not answer about every change: asked for again in a minute, there may be more.")
	}
	return out
}
