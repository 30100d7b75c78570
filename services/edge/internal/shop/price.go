package shop

import (
	"fmt"
	"strings"
	"time"

	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/wording"
	"boardorder/pkg/money"
	"boardorder/services/edge/internal/quote"
)

// priceView is what a board costs, delivered.
type priceView struct {
	Total, PerBoard, Boards string
	Delivery, Built         string
	For                     string // the country, as in a sentence
	Example                 bool   // nobody chose that country
	Local                   string
	Lines                   []lineView
	Faster, Shipping        []lineView
	Until                   time.Time
}

// lineView is an amount and what it is for.
type lineView struct{ Label, Detail, Amount string }

// reviewView is a price that our team makes.
type reviewView struct {
	Reasons []string
	Bare    *priceView // of the boards alone
}

// addQuote shows a quote.
func (s *Shop) addQuote(v *boardPage, made quote.Outcome) {
	q := *made.Quote
	for _, note := range q.Reply.Notes {
		v.Notes = append(v.Notes, plain.Replace(note))
	}
	v.Findings = findingViews(q.Reply.BoardFindings)
	for _, f := range q.FindingsToAcknowledge() {
		if f.Check == quotes.CheckSubstitution || f.Check == quotes.CheckPart {
			v.Findings = append(v.Findings, findingView{What: contract.Sentence(f.What)})
		}
	}
	if q.Reply.TotalCents != nil {
		v.Price = s.priceView(q)
		return
	}
	v.Review = &reviewView{}
	for _, reason := range q.Reply.CustomQuoteReasons {
		v.Review.Reasons = append(v.Review.Reasons, contract.Sentence(reason))
	}
	if bare := q.Reply.FabricationQuote; bare != nil {
		v.Review.Bare = &priceView{Total: bare.Total, PerBoard: bare.PerBoard} // whose quote somebody may have taken
	}
}

func (s *Shop) priceView(q quotes.Quote) *priceView {
	r, currency := q.Reply, "USD"
	if r.Currency != nil {
		currency = *r.Currency
	}
	p := &priceView{Total: money.Amount(*r.TotalCents, currency), Boards: wording.Count(r.Quantity, "board"), Until: q.ExpiresAt, Delivery: text(r.Delivery), Built: text(r.LeadTime)}
	if r.PerBoardCents != nil && r.Quantity > 1 {
		p.PerBoard = money.Amount(*r.PerBoardCents, currency)
	}
	if r.InYourCurrency != nil {
		p.Local = r.InYourCurrency.Total
	}
	for _, l := range r.Lines {
		p.Lines = append(p.Lines, lineView{Label: l.Label, Amount: money.Amount(l.Cents, currency)})
	}
	for _, b := range r.FasterBuilds {
		p.Faster = append(p.Faster, lineView{"Built in " + b.Build, b.Delivery, "+" + money.Amount(b.AddsCents, currency)})
	}
	for _, o := range r.ShippingOptions {
		p.Shipping = append(p.Shipping, lineView{o.Name(), o.Delivery, surcharge(o, currency)})
	}
	p.For, p.Example = s.destination(q)
	return p
}

// surcharge is what a way costs more than the one in the price.
func surcharge(o quotes.ShippingOption, currency string) string {
	switch {
	case o.Chosen:
		return "in the price"
	case o.AddsCents < 0:
		return money.Amount(o.AddsCents, currency)
	}
	return "+" + money.Amount(o.AddsCents, currency)
}

// destination is where a price delivers to.
func (s *Shop) destination(q quotes.Quote) (country string, example bool) {
	code := q.Assumed
	if code == "" && q.Request.ShipTo != nil {
		code = q.Request.ShipTo.Country
	}
	if c, ok := s.countries.Find(code); ok {
		return c.TheName, q.Assumed != ""
	}
	return code, q.Assumed != ""
}

// factsOf is what is known of a board: as it is priced, or as it was read.
func (s *Shop) factsOf(f choices, b boards.Board, made quote.Outcome) facts {
	now := facts{material: f.get("material")}
	size := boards.LayersAndSize(b)
	if made.Refusal != nil && len(size) == 0 {
		size = made.Refusal.Known
	}
	now.layers, now.width, now.height = int(floatOf(size["layers"])), floatOf(size["width_mm"]), floatOf(size["height_mm"])
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

func floatOf(v any) float64 {
	switch n := v.(type) {
	case float64:
		return n
	case int:
		return float64(n)
	}
	return 0
}

// rowViews are the facts in words.
func (s *Shop) rowViews(now facts) []rowView {
	var out []rowView
	add := func(name, value, from string) {
		if value != "" {
			out = append(out, rowView{name, value, sourceWords(from)})
		}
	}
	if now.layers > 0 {
		add("Layers", fmt.Sprint(now.layers), now.from["layers"])
	}
	if now.width > 0 {
		add("Size", formatDecimal(now.width)+" × "+formatDecimal(now.height)+" mm", now.from["width_mm"])
	}
	d := now.details
	if d == nil {
		return out
	}
	if d.ThicknessMM > 0 {
		add("Thickness", formatDecimal(d.ThicknessMM)+" mm", now.from["thickness_mm"])
	}
	if d.CopperOz > 0 {
		add("Copper, outer", formatDecimal(d.CopperOz)+" oz", now.from["copper_oz"])
	}
	if d.InnerCopperOz != nil {
		add("Copper, inner", formatDecimal(*d.InnerCopperOz)+" oz", now.from["inner_copper_oz"])
	}
	add("Material", s.nameOf("material", d.Material), now.from["material"])
	add("Surface finish", catalog.NameOf(s.Catalog.SurfaceFinishes, d.SurfaceFinish), now.from["surface_finish"])
	add("Solder mask", d.SolderMask, now.from["solder_mask"])
	add("Vias", catalog.NameOf(s.Catalog.ViaProcesses, d.ViaProcess), now.from["via_process"])
	return out
}

// sourceWords says where a value comes from.
func sourceWords(from string) string {
	switch file, isFile := strings.CutPrefix(from, "file:"); {
	case isFile:
		return "from " + shorten(file, 60)
	case from == "request":
		return "as you chose"
	case from == "standard":
		return "our standard"
	}
	return ""
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
