package shop

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
	"boardorder/services/edge/internal/checkout"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/quote"
	"boardorder/services/edge/internal/web"

	"go.uber.org/zap"
)

// patience is how long a visit waits for its price; then the page says how far it is and
// comes again.
const patience = 3 * time.Second

// board answers GET /order/{upload_id}: the board, and what it costs as it was chosen.
func (s *Shop) board(c *web.Call) error {
	id, up, err := s.upload(c)
	if err == nil && checkout.Switch(c, s.self(id)) {
		return nil
	}
	if isUnpacking(err) {
		return s.reply(c, http.StatusOK, "board", s.unpackingView(c, id))
	}
	if err != nil {
		return err
	}
	f := choicesFor(c, up)
	made, status, err := s.price(c, id, s.chooseHome(c, f))
	if err != nil {
		return err
	}
	if f.get(goField) != "" && made.Quote != nil {
		c.Fiber.Status(http.StatusSeeOther)
		c.Set("Location", checkoutAt(made.CheckoutURL, f))
		return nil
	}
	tabled, compared := f.isSet(tableField), f.isSet(cheaperField)
	for _, name := range []string{goField, buildField, tableField, cheaperField} {
		delete(f, name)
	}
	v, err := s.boardView(c, id, up, f, made)
	if err != nil {
		return err
	}
	if tabled && v.Price != nil {
		if v.Table, err = s.tableFor(c, id, f); err != nil {
			return err
		}
	}
	if compared && v.Price != nil {
		if v.Cheaper, err = s.cheaperFor(c, id, f, *made.Quote); err != nil {
			return err
		}
	}
	return s.reply(c, status, "board", v)
}

// chooseHome gives the choices to price for a reader: where no place was chosen, in the reader's own
// country, as an example.
func (s *Shop) chooseHome(c *web.Call, f choices) choices {
	home, ok := s.countries.Find(c.Language().HomeCountry(c.Header("Accept-Language")))
	if !ok || f.namesPlace() {
		return f
	}
	out := maps.Clone(f)
	out["country"] = []string{home.Code}
	return out
}

// price asks what a board costs as it was chosen. A refusal is an outcome too, with its status.
func (s *Shop) price(c *web.Call, id string, f choices) (made quote.Outcome, status int, err error) {
	made, err = s.ask(c, f.body(id))
	if err == nil {
		return made, http.StatusOK, nil
	}
	failure := problem.Find(err)
	if isGone(failure) {
		return made, failure.Status, err
	}
	for name, value := range failure.Headers() {
		c.Set(name, value)
	}
	if failure.Status >= http.StatusInternalServerError {
		c.Log().Warn("no price for a page", zap.Int("status", failure.Status), zap.Error(failure.Cause))
	}
	return quote.Outcome{Refusal: &failure.Refusal}, failure.Status, nil
}

// checkoutAt is the address of a checkout, at which a faster build is chosen, if any, and the
// language that a link chose.
func checkoutAt(address string, f choices) string {
	query := url.Values{}
	if hours, err := strconv.Atoi(f.get(buildField)); err == nil && hours > 0 {
		query.Set(buildField, strconv.Itoa(hours))
	}
	if code := f.language(); code != "" {
		query.Set(web.LanguageField, code)
	}
	if len(query) == 0 {
		return address
	}
	return address + "?" + query.Encode()
}

// upload gives the upload of a page's address, if it is the shop's.
func (s *Shop) upload(c *web.Call) (id string, up uploads.Brief, err error) {
	if id, err = c.PathID("upload_id", design.MaxUploadID); err != nil || !s.Secrets.HasMadeUploadID(id) {
		return "", up, design.Unknown()
	}
	ref := contract.SecretRef(id)
	c.About = append(c.About, zap.String("upload", ref))
	up, err = s.Designs.Usable(c.Context(), s.Account, ref, 0)
	if err == nil && up.Owner != s.Account {
		err = design.Unknown() // of a partner, who has not shown it to anybody
	}
	return id, up, err
}

func isUnpacking(err error) bool {
	return err != nil && problem.Find(err).Refusal.Code == contract.UploadNotReady
}

// isGone reports whether a failure is about the files as a whole, so that there is nothing to show.
func isGone(p *problem.Problem) bool {
	return slices.Contains([]contract.Code{
		contract.UploadNotFound, contract.UploadExpired, contract.ITARNotSupported, contract.UnreadableArchive, contract.NoFiles, contract.UploadTooLarge, contract.InvalidFile,
	}, p.Refusal.Code)
}

// ask requests a quote. One that was requested before costs nothing of the limits.
func (s *Shop) ask(c *web.Call, body map[string]any) (quote.Outcome, error) {
	if err := s.take(c, limit.ShopQuotes, s.Network(c)); err != nil {
		return quote.Outcome{}, err
	}
	if err := s.CountOwner(c, limit.QuotesDay); err != nil {
		return quote.Outcome{}, err
	}
	made, err := s.askUntaken(c, body)
	if err != nil || made.Joined {
		c.Refund()
	}
	return made, err
}

// maxTaken is how many visitors may have taken the quote of one choice to the checkout while
// it is the same for all who come.
const maxTaken = 50

// askUntaken requests a quote that nobody has taken to the checkout: what was typed there is
// not for whoever has the board's address.
func (s *Shop) askUntaken(c *web.Call, body map[string]any) (made quote.Outcome, err error) {
	key := ""
	for range maxTaken {
		made, err = s.Quotes.Ask(c, body, key, patience)
		if err != nil || made.Quote == nil || !isTaken(*made.Quote) {
			return made, err
		}
		key = "after-" + made.Quote.Ref
	}
	return quote.Outcome{}, problem.New(contract.Unavailable, "Many people have just ordered this board. Please try again in ten minutes.")
}

// isTaken reports whether a quote says whom it is for.
func isTaken(q quotes.Quote) bool {
	names := func(d shipments.Delivery) bool { return d.ShipTo.Name != "" || d.ShipTo.Email != "" }
	return q.Delivery != nil && names(*q.Delivery) || q.Estimate != nil && names(q.Estimate.Delivery)
}

// readingOf is what was read of the files that a quote was made of, or else of those of the
// upload; empty while they are being read.
func (s *Shop) readingOf(c *web.Call, up uploads.Brief, made quote.Outcome) (boards.ReadFiles, error) {
	digest := up.Digest
	if made.Quote != nil && made.Quote.Digest != "" {
		digest = made.Quote.Digest
	}
	read, _, err := outcome.Read[boards.ReadFiles](c.Context(), s.Docs, string(contract.BoardAggregate), digest)
	return read, err
}

// fail shows a problem on a page of its own, with where to go on.
func (s *Shop) fail(c *web.Call, err error) error {
	failure := problem.Find(err)
	if failure.Status >= http.StatusInternalServerError {
		c.LogFailure(failure)
	}
	for name, value := range failure.Headers() {
		c.Set(name, value)
	}
	v := s.voice(c).failure(failure, s.Now(), c.ID)
	v.Frame = s.frame(c, v.Heading)
	return s.reply(c, failure.Status, "message", v)
}
