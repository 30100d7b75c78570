package quote

import (
	"encoding/json"
	"html"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"boardorder/pkg/address"
	"boardorder/pkg/board/answers"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/itar"
	"boardorder/pkg/money"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/idempotency"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/orderfile"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
	"boardorder/services/edge/internal/web"
)

const maxSourceURL = 2000

// BuyLinkReply is the reply of POST /v1/buy-links.
type BuyLinkReply struct {
	OK        bool     `json:"ok"`
	BuyURL    string   `json:"buy_url"`
	ButtonURL string   `json:"button_url"`
	CardURL   string   `json:"card_url"`
	Snippets  Snippets `json:"snippets"`
	Notes     []string `json:"notes"`
}

// Snippets put the button or the card of a buy link on a page.
type Snippets struct {
	Markdown         string `json:"markdown"`
	HTML             string `json:"html"`
	ReStructuredText string `json:"restructuredtext"`
	Card             string `json:"card"`
}

// makeSnippets writes them for a link's page. Its address holds nothing that any of the languages minds.
func makeSnippets(at string) Snippets {
	href, button := html.EscapeString(at), at+"/button.svg"
	return Snippets{
		Markdown:         "[![Order this board](" + button + ")](" + at + ")",
		HTML:             `<a href="` + href + `" rel="nofollow"><img src="` + href + `/button.svg" alt="Order this board" height="32"></a>`,
		ReStructuredText: ".. image:: " + button + "\n   :alt: Order this board\n   :target: " + at,
		Card:             `<iframe src="` + href + `/card" title="Order this board" width="320" height="470" loading="lazy" frameborder="0" sandbox="allow-top-navigation-by-user-activation"></iframe>`,
	}
}

// CreateBuyLink answers POST /v1/buy-links.
func (q *Quotes) CreateBuyLink(c *web.Call) error {
	body, err := c.Object()
	if err != nil {
		return err
	}
	if itar.DeclaresIn(body) {
		return q.designs().RefuseITAR(c)
	}
	f := jsonbody.NewFields(body)
	data := readLink(q, f)
	leftAside := jsonbody.UnknownNotes(f.Unknown())
	if p := f.Problems(); len(p) > 0 {
		return problem.Fields(p)
	}
	data.Upload, data.Key = contract.SecretRef(data.Upload), c.Caller.Key.ID
	r, err := q.Keys.Begin(c, q.outcomes(), "POST /v1/buy-links", jsonbody.Text(body))
	if err != nil {
		return err
	}
	if err := q.makeLink(c, r, data, body); err != nil {
		return err
	}
	data.Link = linkOf(r)
	at := q.PublicURL + "/buy/" + data.Link
	return c.JSON(http.StatusCreated, BuyLinkReply{OK: true, BuyURL: at, ButtonURL: at + "/button.svg", CardURL: at + "/card", Snippets: makeSnippets(at), Notes: append([]string{
		"The link is permanent and keeps its own copy of the files. Shoppers choose quantity and destination, see the live price, and pay.",
		"snippets put a button with the price of the hour into a README or a page, and a card into a frame; quantity and country of the request say what that price is for.",
		`A button without a price: <a href="` + html.EscapeString(at) + `" rel="nofollow" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#0b5d3b;color:#fff;text-decoration:none;font-weight:bold">Buy this board</a>`,
		"DELETE /v1/buy-links/" + data.Link + " closes it.",
	}, leftAside...)})
}

// linkOf names the link that a request makes.
func linkOf(r *idempotency.Request) string { return contract.IDFrom(buylinks.Prefix, r.At, r.ID) }

// makeLink makes the link of a request, unless it has been made.
func (q *Quotes) makeLink(c *web.Call, r *idempotency.Request, data buylinks.CreateData, body map[string]any) error {
	if !r.HasEnded() {
		up, err := q.designs().Usable(c.Context(), c.Caller.Account, data.Upload, linkTimeout)
		if err != nil {
			return err
		}
		if data, err = q.completeLink(c, data, body, up.OrderFile); err != nil {
			return err
		}
		if err := r.Claim(c.Context()); err != nil {
			return err
		}
		data.Link = linkOf(r)
		if err := q.command(c, buylinks.Create, r.ID, data); err != nil {
			return r.Explain(err)
		}
	}
	r.Mark(c)
	if r.HasEnded() && r.Outcome.Refusal != nil {
		return q.refuse(c.Context(), r.ID, r.Outcome.Refusal)
	}
	return nil
}

// completeLink is the command for a link with what the order file of its upload states and
// the request does not.
func (q *Quotes) completeLink(c *web.Call, data buylinks.CreateData, body map[string]any, file *uploads.OrderFile) (buylinks.CreateData, error) {
	known := jsonbody.NewFields(nil)
	readLink(q, known)
	fields, source, err := q.fill(c, file, body, data.Upload, func(name string) bool { return !known.Takes(name) })
	if err != nil || source == nil {
		return data, err
	}
	all := readLink(q, fields)
	if p := fields.Problems(); len(p) > 0 {
		return data, orderfile.Name(problem.Fields(p), source)
	}
	if err := q.refuseUntaken(file, known); err != nil {
		return data, err
	}
	all.Request.OrderFile, all.Upload, all.Key = source, data.Upload, data.Key
	return all, nil
}

// ofShopper are the properties of a request that the shopper of a link chooses, or that a
// link has of itself.
var ofShopper = []string{"quantity", "build_time_hours", "standard_for_unstated"}

// refuseUntaken refuses what an order file says of the boards and a buy link cannot: they
// would be sold without it.
func (q *Quotes) refuseUntaken(file *uploads.OrderFile, known *jsonbody.Fields) error {
	stated, err := orderfile.Read(*file)
	if err != nil {
		return err
	}
	whole := jsonbody.NewFields(nil)
	Validate(whole, q.Rules)
	var refused []contract.FieldProblem
	for _, name := range slices.Sorted(maps.Keys(stated)) {
		if whole.Takes(name) && !known.Takes(name) && !slices.Contains(ofShopper, name) && !orderfile.IsEmpty(stated[name]) {
			refused = append(refused, contract.FieldProblem{
				Field: answers.OrderFileName + "." + name, Problem: jsonbody.Unsupported,
				Message: answers.OrderFileName + " states " + name + ", which a buy link cannot. Ask for a quote of such boards, or upload the files without it.",
			})
		}
	}
	if len(refused) > 0 {
		return problem.Fields(refused)
	}
	return nil
}

func readLink(q *Quotes, f *jsonbody.Fields) buylinks.CreateData {
	data := buylinks.CreateData{Upload: need(f, "upload_id", design.MaxUploadID), Assembly: f.Flag("assembly"), SourceURL: text(f, "source_url", maxSourceURL)}
	if data.SourceURL != "" && !isPage(data.SourceURL) {
		f.Refuse("source_url", jsonbody.Malformed, nil, "source_url is the address of the board's page, such as https://example.com/lamp.")
	}
	r := &data.Request
	r.StandardForUnstated = true // a shopper has no answers
	r.ProjectName = f.Text("project_name", 200, false)
	if n := f.Int("quantity", 1, maxQuantity); n != nil {
		r.Quantity = *n
	}
	if country := strings.ToUpper(text(f, "country", 60)); country != "" {
		r.ShipTo = &shipments.ShipTo{Country: country}
		if !address.IsCountry(country) {
			f.Refuse("country", jsonbody.Unsupported, nil, "We do not know this country; send its ISO 3166-1 code of two letters, such as US or DE.")
		}
	}
	r.Layers = f.Int("layers", 1, maxLayers)
	r.ThicknessMM = f.Number("thickness_mm", 0.1, 10)
	r.CopperOz = f.Number("copper_oz", 0.1, 12)
	r.InnerCopperOz = f.Number("inner_copper_oz", 0.1, 12)
	r.ViaProcess = choice(f, q.Rules.Catalog, "via_process", false)
	r.SurfaceFinish = choice(f, q.Rules.Catalog, "surface_finish", false)
	r.SolderMask = choice(f, q.Rules.Catalog, "solder_mask", false)
	r.Material = choice(f, q.Rules.Catalog, "material", false)
	r.Board = f.Text("board", 255, false)
	r.FileAnswers = design.Answers(f)
	r.SkipBoardChecks = f.Flag("skip_board_checks")
	_ = f.Bool("itar")
	return data
}

// isPage reports whether a text is the address of a page, as shoppers may be shown
// it: not one that names a person before the host, so that it looks like
// another's, nor one with characters that addresses have escaped.
func isPage(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil && !strings.ContainsAny(text, " \t\n\"'<>`\\^{|}")
}

// CloseBuyLink answers DELETE /v1/buy-links/{buy_link_id}.
func (q *Quotes) CloseBuyLink(c *web.Call) error {
	id, err := c.PathID("buy_link_id", 64)
	if err != nil {
		return err
	}
	if !contract.ValidToken(id) {
		return problem.New(contract.NotFound, "There is no such buy link.")
	}
	if err := q.command(c, buylinks.Close, q.NewRequest(), buylinks.Data{Link: id}); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]bool{"ok": true})
}

// linkTimeout is how long a command about a link, or the prices of its page, are
// waited for.
const linkTimeout = 25 * time.Second

// command carries out a command of a link's account.
func (q *Quotes) command(c *web.Call, name contract.CommandName, request string, data any) error {
	cmd, err := contract.NewCommand(name, request, c.Caller.Account, q.Now(), data)
	if err != nil {
		return err
	}
	w := q.Waiters.Join(wait.Request(request))
	defer w.Leave()
	if err := q.Send.Send(c.Context(), cmd); err != nil {
		return problem.Unavailable(err)
	}
	out, err := q.outcomes().Await(c.Context(), w, request, linkTimeout)
	switch {
	case err != nil:
		return err
	case out == nil:
		return problem.New(contract.Unavailable, "This takes longer than usual. Please send the same request again in a moment.")
	case out.Refusal != nil:
		return q.refuse(c.Context(), request, out.Refusal)
	}
	return nil
}

// LinkPrice is what a number of a link's boards costs.
type LinkPrice struct {
	Quantity        int
	Total, PerBoard string // empty where the team has to price it
	Delivery        string
	CheckoutURL     string // empty where there is no price now
	Problem         string
	Quote           *quotes.Quote
	PostalProblem   string // what is wrong with the postal code, whatever the number
}

// LinkPrices asks for the prices of several quantities at once, as requests of the
// link's account. Equal ones within ten minutes are one.
func (q *Quotes) LinkPrices(c *web.Call, link buylinks.BuyLink, to shipments.ShipTo, assembled bool, quantities []int) []LinkPrice {
	c.Caller.Account, c.Caller.Key.ID = link.Account, link.Key
	out := make([]LinkPrice, len(quantities))
	var wg sync.WaitGroup
	for i, n := range quantities {
		wg.Go(func() { out[i] = q.linkPrice(c, link, to, assembled, n) })
	}
	wg.Wait()
	return out
}

func (q *Quotes) linkPrice(c *web.Call, link buylinks.BuyLink, to shipments.ShipTo, assembled bool, quantity int) LinkPrice {
	p := LinkPrice{Quantity: quantity, Problem: "There is no price just now. Please try again in a minute."}
	r := link.Request
	r.Quantity, r.ShipTo, r.Assembly = quantity, &to, assembled && link.Assembly
	body, err := json.Marshal(quotes.PriceData{Upload: link.Upload, Digest: link.Digest, BuyLink: link.ID, Request: r})
	if err != nil {
		return p
	}
	o := &order{upload: link.Upload, body: body, timeout: linkTimeout, sum: digest(link.Account, endpoint, body, link.Digest)}
	a, err := q.submit(c, o)
	if err != nil {
		return p
	}
	defer a.waiter.Leave()
	a.await(c, q.outcomes())
	switch {
	case a.out == nil:
		return p
	case a.out.Refusal != nil:
		if !problem.Passing(a.out.Refusal.Code) {
			p.Problem = a.out.Refusal.Message
		}
		for _, f := range a.out.Refusal.Fields {
			if f.Field == "ship_to.postal_code" {
				p.PostalProblem = f.Message
			}
		}
		return p
	}
	return q.linkPriced(p, a.out.Doc.Body)
}

// linkPriced reads a price out of a quote.
func (q *Quotes) linkPriced(p LinkPrice, doc []byte) LinkPrice {
	var quote quotes.Quote
	if json.Unmarshal(doc, &quote) != nil {
		return p
	}
	p.Quote = &quote
	p.Problem, p.CheckoutURL = "", q.checkoutURL(q.Secrets.QuoteIDOf(quote.RequestID, quote.Ref))
	r := quote.Reply
	if r.TotalCents == nil || r.Currency == nil {
		return p
	}
	p.Total = money.Amount(*r.TotalCents, *r.Currency)
	if r.PerBoardCents != nil {
		p.PerBoard = money.Amount(*r.PerBoardCents, *r.Currency)
	}
	if r.Delivery != nil {
		p.Delivery = *r.Delivery
	}
	return p
}
