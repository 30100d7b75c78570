package shop

import (
	"fmt"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/money"
	"boardorder/services/edge/internal/checkout"
	"boardorder/services/edge/internal/quote"
)

// priceView is what a board costs, delivered.
type priceView struct {
	Total, PerBoard, Boards string
	Delivery, Built         said
	Arrival                 string // when the boards should be there, paid now
	For                     string // the country, as in a sentence
	Example                 bool   // nobody chose that country
	Local                   string // in the customer's currency
	Payable                 bool   // what it costs if it is paid in that; or else about what it is
	Lines                   []lineView
	Faster, Shipping        []lineView
	Until                   time.Time
}

// lineView is an amount and what it is for.
type lineView struct {
	Label, Detail said
	Amount        string
}

// reviewView is a price that our team makes.
type reviewView struct {
	Reasons []said
	Bare    *priceView // of the boards alone
}

// addQuote shows a quote.
func (s *Shop) addQuote(p voice, v *boardPage, made quote.Outcome) {
	q := *made.Quote
	for _, note := range q.Reply.Notes {
		v.Notes = append(v.Notes, p.say(note))
	}
	v.Findings = findingViews(p, q.Reply.BoardFindings)
	for _, f := range q.FindingsToAcknowledge() {
		if f.Check == quotes.CheckSubstitution || f.Check == quotes.CheckPart {
			v.Findings = append(v.Findings, findingView{What: p.say(contract.Sentence(f.What))})
		}
	}
	if q.Reply.TotalCents != nil {
		v.Price = s.priceView(p, q)
		return
	}
	v.Review = &reviewView{}
	for _, reason := range q.Reply.CustomQuoteReasons {
		v.Review.Reasons = append(v.Review.Reasons, p.say(contract.Sentence(reason)))
	}
	if bare := q.Reply.FabricationQuote; bare != nil {
		v.Review.Bare = &priceView{Total: bare.Total, PerBoard: bare.PerBoard} // whose quote somebody may have taken
		if bare.TotalCents > 0 && bare.Quantity > 0 {
			v.Review.Bare.Total, v.Review.Bare.PerBoard = p.Amount(bare.TotalCents, bare.Currency), p.Amount(money.Divide(bare.TotalCents, int64(bare.Quantity)), bare.Currency)
		}
	}
}

func (s *Shop) priceView(p voice, q quotes.Quote) *priceView {
	r, currency := q.Reply, "USD"
	if r.Currency != nil {
		currency = *r.Currency
	}
	v := &priceView{
		Total: p.Amount(*r.TotalCents, currency), Boards: p.Boards(r.Quantity), Until: q.ExpiresAt, Built: p.phrase(text(r.LeadTime)),
		Delivery: p.phrase(text(r.Delivery)), Arrival: checkout.Arrival(p.Printer, text(r.Delivery), s.Now()), Local: checkout.LocalTotal(p.Printer, r.InYourCurrency),
	}
	if r.PerBoardCents != nil && r.Quantity > 1 {
		v.PerBoard = p.Amount(*r.PerBoardCents, currency)
	}
	for _, l := range r.Lines {
		v.Lines = append(v.Lines, lineView{Label: p.phrase(l.Label), Amount: p.Amount(l.Cents, currency)})
	}
	for _, b := range r.FasterBuilds {
		v.Faster = append(v.Faster, lineView{said{Text: p.Text("Built in %s", checkout.BuildTime(p.Printer, b.BuildTimeHours))}, p.phrase(b.Delivery), "+" + p.Amount(b.AddsCents, currency)})
	}
	for _, o := range r.ShippingOptions {
		v.Shipping = append(v.Shipping, lineView{said{Text: o.Name()}, p.phrase(o.Delivery), p.surcharge(o, currency)})
	}
	if c := checkout.ChargeOf(q); c != nil {
		v.Local, v.Payable = p.Money(c.Minor, c.Digits, c.Currency), true
	}
	v.For = s.destination(p, q)
	return v
}

// surcharge is what a way costs more than the one in the price.
func (p voice) surcharge(o quotes.ShippingOption, currency string) string {
	switch {
	case o.Chosen:
		return p.Text("in the price")
	case o.AddsCents < 0:
		return p.Amount(o.AddsCents, currency)
	}
	return "+" + p.Amount(o.AddsCents, currency)
}

// destination is where a price delivers to.
func (s *Shop) destination(p voice, q quotes.Quote) string {
	code := q.Assumed
	if code == "" && q.Request.ShipTo != nil {
		code = q.Request.ShipTo.Country
	}
	c, ok := s.countries.Find(code)
	switch {
	case ok && p.isEnglish():
		return c.TheName
	case ok:
		return p.Country(code)
	}
	return code
}

// factsOf is what is known of a board: as it is priced, or as it was read.
func (s *Shop) factsOf(f choices, b boards.Board, made quote.Outcome) facts {
	now := facts{material: f.get("material")}
	size := boards.LayersAndSize(b)
	if made.Refusal != nil && len(size) == 0 {
		size = made.Refusal.Known
	}
	now.layers, now.width, now.height = boards.ReadSize(size)
	if made.Quote != nil && made.Quote.Reply.BoardDetails != nil {
		d := made.Quote.Reply.BoardDetails
		now.details, now.from, now.material = d, made.Quote.Reply.BoardDetailsFrom, d.Material
		now.mask, now.finish = d.SolderMask, d.SurfaceFinish
		if d.Layers > 0 {
			now.layers, now.width, now.height = d.Layers, d.WidthMM, d.HeightMM
		}
	}
	if now.material == "" {
		now.material = s.Catalog.Standard.Material
	}
	return now
}

// rowViews are the facts in words.
func (s *Shop) rowViews(p voice, now facts) []rowView {
	var out []rowView
	add := func(name, value, from string) {
		if value != "" {
			out = append(out, rowView{name, value, p.source(from)})
		}
	}
	if now.layers > 0 {
		add(p.Text("Layers"), fmt.Sprint(now.layers), now.from["layers"])
	}
	if now.width > 0 {
		add(p.Text("Size"), p.Printer.Size(now.width, now.height), now.from["width_mm"])
	}
	d := now.details
	if d == nil {
		return out
	}
	if d.ThicknessMM > 0 {
		add(p.Text("Thickness"), p.Number(d.ThicknessMM)+" mm", now.from["thickness_mm"])
	}
	if d.CopperOz > 0 {
		add(p.Text("Copper, outer"), p.Number(d.CopperOz)+" oz", now.from["copper_oz"])
	}
	if d.InnerCopperOz != nil {
		add(p.Text("Copper, inner"), p.Number(*d.InnerCopperOz)+" oz", now.from["inner_copper_oz"])
	}
	add(p.Text("Material"), s.nameOf(p, "material", d.Material), now.from["material"])
	add(p.Text("Surface finish"), s.nameOf(p, "surface_finish", d.SurfaceFinish), now.from["surface_finish"])
	add(p.Text("Solder mask"), s.nameOf(p, "solder_mask", d.SolderMask), now.from["solder_mask"])
	add(p.Text("Vias"), s.nameOf(p, "via_process", d.ViaProcess), now.from["via_process"])
	add(p.Text("Stackup"), d.FabStackup, now.from["fab_stackup"])
	if d.ImpedanceControlled {
		add(p.Text("Controlled impedance"), p.Text("yes"), now.from["impedance_controlled"])
	}
	return out
}

// source says where a value comes from.
func (p voice) source(from string) string {
	switch file, isFile := strings.CutPrefix(from, "file:"); {
	case isFile:
		return p.Text("from %s", shorten(file, 60))
	case from == "request":
		return p.Text("as you chose")
	case from == "standard":
		return p.Text("our standard")
	}
	return ""
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
