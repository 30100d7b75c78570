package checkout

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/language"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/quote"
	"boardorder/services/edge/internal/web"
)

// shownPrices bounds the prices that buttons and cards of all links have made: each costs a fabricator's call,
// and anybody can ask.
var shownPrices = limit.Policy{Name: "shown-prices", Quota: 2000, Window: time.Hour}

// How long others may keep a button or a card: one whose price is missing or late is soon another.
const (
	keepShown = 5 * time.Minute
	keepLate  = time.Minute
)

//go:embed button
var buttonFiles embed.FS

var buttonTemplate = template.Must(template.ParseFS(buttonFiles, "button/button.svg"))

// A buttonView is the button of a buy link, with lengths in pixels.
type buttonView struct {
	Lang, Title         string
	Label, Price        string
	LabelWidth, Labeled float64 // of the text, and of all that is on its ground
	PriceAt, PriceWidth float64
	Width, Inner        float64 // of the button, and between the middles of its edges
	Mark                template.HTML
	Ended               bool
}

const (
	buttonMargin = 12.0
	buttonMark   = 20.0
	buttonSize   = 13.0 // of the letters
)

// A shownView is the price of a buy link's board as buttons and cards say it.
type shownView struct {
	quote.ShownPrice
	Amount, Country, Date string
	Test                  bool
}

// readShown gives the price of a link, in the currency that the address asks for where it is known.
func (p *Pages) readShown(c *web.Call, l *language.Printer, link buylinks.BuyLink) (shownView, error) {
	price, err := p.Shown(c, link, func(ctx context.Context) (func(), bool) { return p.spendShown(ctx, link.Account) })
	v := shownView{ShownPrice: price, Test: contract.IsTest(link.Account)}
	if err != nil || price.At.IsZero() {
		return v, err
	}
	wanted, _ := c.Query("currency")
	v.Amount, v.Country = amountIn(l, price, strings.ToUpper(wanted)), l.Country(price.Country)
	if price.Late {
		v.Date = l.ShortDays(price.At, price.At)
	}
	return v, nil
}

// amountIn is what a price says in a currency, or else in that which it can be paid in; "" where the team
// prices the board.
func amountIn(l *language.Printer, price quote.ShownPrice, wanted string) string {
	switch charge := price.Charge; {
	case price.Review:
		return ""
	case charge != nil && (wanted == charge.Currency || wanted == ""):
		return amountCharged(l, charge.Charged)
	case price.Own != nil && wanted != "" && wanted == price.Own.Currency:
		return "≈ " + LocalTotal(l, price.Own)
	}
	return l.Amount(price.Cents, price.Currency)
}

// spendShown counts a price that a link of an account is about to have made. Half of what the account's links
// may show in a day stays for those who look at their pages.
func (p *Pages) spendShown(ctx context.Context, owner string) (giveBack func(), allowed bool) {
	day, who := p.LinkQuotes.OwnerPolicy(owner), limit.OwnerName(owner)
	left, err := p.Limiter.Look(ctx, day, who)
	if err != nil || left.Remaining <= day.Quota/2 {
		return nil, false
	}
	all, err := p.Limiter.Take(ctx, shownPrices, "all")
	if err != nil || !all.Allowed {
		return nil, false
	}
	own, err := p.Limiter.Take(ctx, day, who)
	if err != nil || !own.Allowed {
		p.Limiter.GiveBack(all, "all")
		return nil, false
	}
	return func() {
		p.Limiter.GiveBack(all, "all")
		p.Limiter.GiveBack(own, who)
	}, true
}

// languageOf is that which the address asks for, or else the reader's; no cookie counts, so that caches may
// keep what is shown.
func languageOf(c *web.Call) *language.Printer {
	chosen, _ := c.Query(web.LanguageField)
	return language.Choose(chosen, c.Header("Accept-Language"))
}

// button answers GET /buy/{link}/button.svg: a picture for pages of others, with the price of the hour.
func (p *Pages) button(c *web.Call) error {
	l := languageOf(c)
	link, err := p.link(c)
	failure := problem.Find(err)
	if err != nil && failure.Refusal.Code != contract.LinkExpired {
		return err
	}
	v, keep := buttonView{Lang: l.Code, Label: l.Text("Order this board"), Mark: p.mark}, keepShown
	if err != nil {
		v.Label, v.Title, v.Ended = l.Text("No longer offered"), l.Text("This board is no longer offered."), true
	} else if keep, err = p.fillButton(c, l, link, &v); err != nil {
		return err
	}
	v.layOut()
	var out bytes.Buffer
	if err := buttonTemplate.Execute(&out, v); err != nil {
		return fmt.Errorf("button: %w", err)
	}
	c.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'")
	return sendShown(c, keep, "image/svg+xml", out.Bytes())
}

// fillButton writes what the button says of a price, and gives how long that may be kept.
func (p *Pages) fillButton(c *web.Call, l *language.Printer, link buylinks.BuyLink, v *buttonView) (time.Duration, error) {
	s, err := p.readShown(c, l, link)
	if err != nil {
		return 0, err
	}
	var parts []string
	if s.Test {
		parts = append(parts, l.Text("Test"))
	}
	keep := keepShown
	switch boards := l.Boards(s.Quantity); {
	case s.At.IsZero():
		parts, keep = append(parts, l.Text("No price just now")), keepLate
	case s.Review:
		parts = append(parts, l.Text("Price on request"))
	case s.Late:
		parts, keep = append(parts, boards, s.Amount, s.Date), keepLate
		v.Title = l.Text("Order this board: %[1]s for %[2]s, delivered to %[3]s, as of %[4]s", boards, s.Amount, s.Country, l.Day(s.At))
	default:
		parts = append(parts, boards, s.Amount)
		v.Title = l.Text("Order this board: %[1]s for %[2]s, delivered to %[3]s", boards, s.Amount, s.Country)
	}
	v.Price = strings.Join(parts, " · ")
	if v.Title == "" {
		v.Title = v.Label + ": " + v.Price
	}
	if s.Test {
		v.Title += " – " + l.Text("Test mode: nothing is sold or made.")
	}
	return keep, nil
}

// layOut says where the parts of the button are.
func (v *buttonView) layOut() {
	v.LabelWidth = textWidth(v.Label)
	v.Labeled = buttonMargin + buttonMark + 8 + v.LabelWidth + buttonMargin
	v.Width = v.Labeled
	if v.Price != "" {
		v.PriceAt, v.PriceWidth = v.Labeled+buttonMargin, textWidth(v.Price)
		v.Width = v.PriceAt + v.PriceWidth + buttonMargin
	}
	v.Inner = v.Width - 1
}

// textWidth is about how wide a text is in the usual fonts; the picture has its letters fill just that.
func textWidth(text string) float64 {
	em := 0.0
	for _, r := range text {
		switch {
		case r >= 0x2e80:
			em++
		case strings.ContainsRune("mwMW@%≈", r):
			em += .85
		case strings.ContainsRune("iIjlftr.,:;'’|!()· \u00a0", r):
			em += .34
		case r >= 'A' && r <= 'Z':
			em += .68
		default:
			em += .57
		}
	}
	return math.Ceil(em * buttonSize)
}

// sendShown replies with what stands on pages of others, which caches keep for a while.
func sendShown(c *web.Call, keep time.Duration, kind string, body []byte) error {
	c.Set("Cache-Control", fmt.Sprintf("public, max-age=%d", keep/time.Second))
	c.Set("Cross-Origin-Resource-Policy", "cross-origin")
	defer c.Set("Vary", "Accept-Encoding, Accept-Language")
	if c.AnswerNotModified(`"` + contract.DeriveID(string(body)) + `"`) {
		return nil
	}
	return c.Compress(http.StatusOK, kind, body)
}
