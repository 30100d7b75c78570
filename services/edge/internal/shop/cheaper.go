package shop

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/savings"
	"boardorder/pkg/money"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/web"
)

const (
	// cheaperField asks what would be cheaper.
	cheaperField = "cheaper"
	// maxCheaperTime is how long all changes are waited for together.
	maxCheaperTime = 8 * time.Second
)

// cheaperView is what would make the board cheaper.
type cheaperView struct {
	Rows  []savingView
	Later bool // it is not known yet
}

// savingView is one change with what it takes off.
type savingView struct {
	Change, Means string
	Amount, Local string // Local is about as much in the customer's currency, or ""
	Total         string
	URL           string // the page with the change made; "" of a change of the design
}

// cheaperFor finds what would make a quote cheaper, as POST /v1/quotes/{quote_id}/savings does.
// Whoever asks for the same shares what was found.
func (s *Shop) cheaperFor(c *web.Call, id string, f choices, q quotes.Quote) (*cheaperView, error) {
	for range savings.Max { // as many prices as it gives, though more may be asked for
		if err := s.take(c, limit.ShopQuotes, s.Network(c)); err != nil {
			return nil, err
		}
	}
	made, err := s.Quotes.AskSavings(c, q, maxCheaperTime)
	if err != nil || made.Joined {
		c.Refund()
	}
	switch {
	case err != nil:
		return nil, err
	case made.Refusal != nil, made.Savings == nil:
		return &cheaperView{Later: true}, nil
	}
	v := &cheaperView{}
	for _, one := range made.Savings.Reply.Savings {
		if row, ok := s.savingView(s.voice(c), s.self(id), f, one); ok {
			v.Rows = append(v.Rows, row)
		}
	}
	return v, nil
}

// savingView says one change in words; ok is false of one that the page cannot make.
func (s *Shop) savingView(p voice, at string, f choices, one savings.Saving) (v savingView, ok bool) {
	v = savingView{Amount: p.Amount(one.AmountCents, "USD"), Total: p.Amount(one.TotalCents, "USD"), Local: localAmount(p, one)}
	if v.Change, v.Means = s.changeWords(p, one); v.Change == "" {
		return v, false
	}
	if one.Change == nil {
		return v, true
	}
	next, ok := f.change(one.Change)
	v.URL = at + "?" + url.Values(next).Encode()
	return v, ok
}

// change is the same choice with some properties of the request changed; ok is false where the
// page has no field for one.
func (f choices) change(body map[string]any) (next choices, ok bool) {
	next = choices(maps.Clone(url.Values(f)))
	delete(next, cheaperField)
	for field, value := range body {
		if !slices.Contains(numbers, field) && !slices.Contains(words, field) {
			return f, false
		}
		next[field] = []string{plainValue(value)}
	}
	return next, true
}

// plainValue is a number or a word of JSON as a form has it.
func plainValue(value any) string {
	if n, ok := value.(float64); ok {
		return formatDecimal(n)
	}
	return fmt.Sprint(value)
}

// localAmount is about what a change takes off in the customer's currency, at the rate of its price.
func localAmount(p voice, one savings.Saving) string {
	own := one.InYourCurrency
	if own == nil || one.TotalCents <= 0 || own.TotalMinor == 0 {
		return ""
	}
	_, decimals, _ := strings.Cut(own.Total, ".")
	less := money.Divide(one.AmountCents*own.TotalMinor, one.TotalCents)
	if p.isEnglish() { // as the price is written there
		return money.Format(less, len(decimals), own.Currency)
	}
	return p.Money(less, len(decimals), own.Currency)
}

// changeWords says a change and what it means for the board; "" of one that the page has no
// words for.
func (s *Shop) changeWords(p voice, one savings.Saving) (change, means string) {
	if len(one.Changes) == 0 {
		return "", ""
	}
	first := one.Changes[0]
	from, to := plainValue(first.From), plainValue(first.To)
	instead := func(from, to string) string { return p.Text("%[1]s instead of %[2]s", to, from) }
	switch one.Kind {
	case savings.SurfaceFinish:
		return instead(s.nameOf(p, first.Field, from), s.nameOf(p, first.Field, to)),
			p.Text("The pads are covered with lead-free solder instead of gold. They solder as well and are less flat: keep gold for parts with balls or with pins closer than 0.5 mm, for contacts, and for bonding wires.")
	case savings.SolderMask:
		return instead(s.nameOf(p, first.Field, from), s.nameOf(p, first.Field, to)), p.Text("Only colours change; copper, holes and pads are the same.")
	case savings.Material:
		return instead(s.nameOf(p, first.Field, from), s.nameOf(p, first.Field, to)),
			p.Text("The board softens at a lower temperature. That does for a board that is soldered once or twice; keep the other material for boards that get hot.")
	case savings.Quantity:
		return instead(boardsOf(p, first.From), boardsOf(p, first.To)), p.Text("You get more boards for less: the fabricator asks less for the round number.")
	case savings.BoardSize:
		return p.Text("No side longer than %s mm", p.decimal(to)), p.Text("That is a change of your design. Upload the files of the smaller board.")
	case savings.DrillSize:
		return p.Text("No hole smaller than %s mm", p.decimal(to)), p.Text("That is a change of your design: larger holes need larger pads. Upload the changed files.")
	}
	return "", ""
}

// boardsOf is a number of boards of JSON in words.
func boardsOf(p voice, n any) string {
	f, _ := n.(float64)
	return p.Boards(int(f))
}
