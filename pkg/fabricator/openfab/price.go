package openfab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/shopspring/decimal"

	"boardorder/pkg/catalog"
	"boardorder/pkg/fabricator"
)

// usualHours are the build times to try, in this order, as long as nobody has
// seen which one is the standard of such an order: the usual ones first.
var usualHours = []int{48, 72, 120, 96, 24, 144, 192, 168, 240, 216, 288, 360}

// ask prices s at the fabricator. Without a wish for a build time, the
// standard build is priced: its hours come with any answer.
func (c *Client) ask(ctx context.Context, s fabricator.Spec) (fabricator.Price, error) {
	b, err := board(s)
	if err != nil {
		return fabricator.Price{}, err
	}
	req := priceRequest{
		OrderType: boardOnly, Board: b, FileKey: s.FileKey,
		Country: s.To.Country, PostCode: s.To.PostalCode, City: s.To.City,
	}
	if s.BuildHours != 0 {
		return c.calculate(ctx, req, s.BuildHours)
	}
	p, err := c.calculateStandard(ctx, req, c.hoursToTry(s))
	if err != nil {
		return fabricator.Price{}, err
	}
	std := p.Builds[0]
	for _, of := range orderClasses(s) {
		c.standard.Store(of, std.Hours)
	}
	if std.Chosen {
		return p, nil
	}
	return c.calculate(ctx, req, std.Hours)
}

// An orderClass is what the standard build time follows from: large orders, and some colours
// and materials, take longer. Where the bounds lie only the fabricator knows.
type orderClass struct {
	layers         int
	material, mask string
	magnitude      int // of the area of all boards: its power of two, in mm2
}

// orderClasses are that of an order, and one of its layers alone, for what was not seen yet.
func orderClasses(s fabricator.Spec) [2]orderClass {
	_, magnitude := math.Frexp(s.BoardArea() * float64(s.Quantity))
	return [2]orderClass{{s.Layers, s.Material, s.Mask, magnitude}, {layers: s.Layers}}
}

// hoursToTry are the build times to try, the likeliest first, none twice: each one that is
// refused is a call in vain.
func (c *Client) hoursToTry(s fabricator.Spec) []int {
	var out []int
	for _, of := range orderClasses(s) {
		if h, ok := c.standard.Load(of); ok && !slices.Contains(out, h.(int)) {
			out = append(out, h.(int))
		}
	}
	for _, h := range usualHours {
		if !slices.Contains(out, h) {
			out = append(out, h)
		}
	}
	return out
}

// calculateStandard finds a build time that the fabricator accepts.
func (c *Client) calculateStandard(ctx context.Context, req priceRequest, try []int) (fabricator.Price, error) {
	var last error
	for _, h := range try {
		p, err := c.calculate(ctx, req, h)
		if e, ok := errors.AsType[*fabricator.Error](err); !ok || e.Code != wrongBuild {
			return p, err
		}
		last = err
	}
	return fabricator.Price{}, &fabricator.Error{Kind: fabricator.Unavailable, Message: "it takes none of the usual build times", Err: last}
}

func (c *Client) calculate(ctx context.Context, req priceRequest, hours int) (fabricator.Price, error) {
	req.AchieveDate = hours
	requestedAt := c.cfg.Now()
	var r priceReply
	if err := c.post(ctx, "pcb/calculate", req, &r); err != nil {
		return fabricator.Price{}, err
	}
	p, err := c.believe(r, req)
	if err != nil {
		if e, ok := errors.AsType[*fabricator.Error](err); ok {
			return fabricator.Price{}, e
		}
		return fabricator.Price{}, &fabricator.Error{Kind: fabricator.Unavailable, Message: "its price makes no sense", Err: err}
	}
	p.PricedAt, p.ValidUntil = requestedAt, requestedAt.Add(c.cfg.PriceTTL)
	return p, nil
}

// believe turns an answer into a price, or says what is wrong with it.
func (c *Client) believe(r priceReply, req priceRequest) (fabricator.Price, error) {
	p := fabricator.Price{Currency: c.cfg.Currency, Source: "openfab", Weight: r.Weight.Ceil().IntPart()}
	if r.Currency != "" && r.Currency != c.cfg.Currency {
		return p, fmt.Errorf("it is in %q, not %s", r.Currency, c.cfg.Currency)
	}
	var err error
	if p.Lines, err = lines(r); err != nil {
		return p, err
	}
	if p.Builds, err = builds(r, req.AchieveDate); err != nil {
		return p, err
	}
	if req.Country != "" {
		p.Shipping = shipping(r)
		if len(p.Shipping) == 0 { // what it does not ship, it refuses by a code
			return p, fmt.Errorf("no way of shipping to %s is in it", req.Country)
		}
	}
	if p.Weight > 10_000_000 {
		return p, fmt.Errorf("the boards weigh %d g", p.Weight)
	}
	return p, p.Check()
}

// costLines names the parts of the cost, in the order in which they are shown.
var costLines = []struct{ wire, code, label string }{
	{"projectFee", fabricator.CodeEngineering, "Engineering"},
	{"stencilFee", fabricator.CodeBoard, "Boards"},
	{"spellFee", "panel", "Panelisation"},
	{"adornPutFee", "surface_finish", "Surface finish"},
	{"goldThicknessMoney", "gold_thickness", "Gold thickness"},
	{"charFontColor", "solder_mask", "Solder mask colour"},
	{"cuprumThicknessFee", "copper", "Outer copper"},
	{"insideCuprumThicknessFee", "inner_copper", "Inner copper"},
	{"viaCoveringMoney", "via_process", "Via process"},
	{"stackupMoney", "stackup", "Stackup"},
	{"halfHoleFee", "castellated", "Castellated holes"},
	{"edgeGrindingMoney", "bevel", "Edge bevelling"},
	{"rimCutFee", "v_cut", "V-cut"},
	{"bigBoardFee", "large_board", "Large board"},
	{"specialProcessMoney", "special_process", "Special process"},
	{"noCodeMoney", "order_mark", "Order number marking"},
	{"fillFee", "film", "Film"},
	{"testsFee", "test", "Electrical test"},
	{"achieveFee", fabricator.CodeExpress, "Express build"},
}

// notParts are numbers of the cost that are not parts of it.
var notParts = []string{"totalFee", "dummyMoney", "specialMoney", "originStencilMoney", "weight", "chargeWeight"}

// knownCosts are the names of both.
var knownCosts = func() map[string]bool {
	out := map[string]bool{}
	for _, name := range notParts {
		out[name] = true
	}
	for _, l := range costLines {
		out[l.wire] = true
	}
	return out
}()

// lines takes the cost apart and holds its parts against its total. A part
// that we do not know by name still counts.
func lines(r priceReply) ([]fabricator.Line, error) {
	var out []fabricator.Line
	sum := decimal.Zero
	add := func(code, label string, a amount) error {
		if a.IsZero() { // as most are
			return nil
		}
		if a.IsNegative() {
			return fmt.Errorf("%s costs %s", code, a)
		}
		sum = sum.Add(a.Decimal)
		if n := cents(a.Decimal); n != 0 {
			out = append(out, fabricator.Line{Code: code, Label: label, Cents: n})
		}
		return nil
	}
	for _, l := range costLines {
		if err := add(l.code, l.label, r.Cost.parts[l.wire]); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Cost.parts)) {
		if !knownCosts[name] {
			if err := add(name, "Other cost", r.Cost.parts[name]); err != nil {
				return nil, err
			}
		}
	}
	due := r.Due.Decimal
	if !due.IsPositive() {
		return nil, fmt.Errorf("the boards cost %s", due)
	}
	// The fees of services are either parts of the total or already in the
	// special process: whichever adds up.
	if !sum.Round(2).Equal(due.Round(2)) {
		for _, s := range r.Services {
			if err := add("service_"+s.Code, serviceLabel(s.Code, s.Show), s.Fee); err != nil {
				return nil, err
			}
		}
	}
	if diff := due.Sub(sum); r.Cost.special && diff.Round(2).IsNegative() {
		out = append(out, fabricator.Line{Code: fabricator.CodeOffer, Label: "Special offer", Cents: cents(diff)})
	} else if !diff.Round(2).IsZero() {
		return nil, fmt.Errorf("the parts add up to %s, the total is %s", sum, due)
	}
	return balance(out, cents(due)), nil
}

// serviceNames are what the catalogue calls services, by their codes on the wire.
var serviceNames = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	if c, err := catalog.Load(); err == nil {
		for _, o := range c.Services {
			out[o.Code] = o.Name
		}
	}
	return out
})

// serviceLabel is what people call a service: as the catalogue does, or else as the
// fabricator does, whose inner names are put in words.
func serviceLabel(code, show string) string {
	if name := serviceNames()[code]; name != "" {
		return name
	}
	if show == "" || strings.Contains(show, " ") || !strings.Contains(show, "_") {
		return show
	}
	words := strings.ReplaceAll(show, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// balance puts what rounding each line has lost onto the largest one.
func balance(ls []fabricator.Line, total int64) []fabricator.Line {
	if len(ls) == 0 {
		return ls
	}
	largest := 0
	for i, l := range ls {
		total -= l.Cents
		if l.Cents > ls[largest].Cents {
			largest = i
		}
	}
	ls[largest].Cents += total
	return ls
}

// builds lists the build times, standard first; the one asked for is chosen.
func builds(r priceReply, requested int) ([]fabricator.Build, error) {
	var out []fabricator.Build
	for _, b := range r.Builds {
		if b.Price.IsNegative() {
			return nil, fmt.Errorf("a build costs %s", b.Price)
		}
		out = append(out, fabricator.Build{Hours: int(b.Hours), Name: b.Name, Cents: cents(b.Price.Decimal), Chosen: int(b.Hours) == requested})
	}
	if !slices.ContainsFunc(out, func(b fabricator.Build) bool { return b.Chosen }) {
		return nil, &fabricator.Error{
			Kind: fabricator.Refused, Message: "the build time is not on offer", Code: wrongBuild,
			Fields: []fabricator.Field{fields[wrongBuild]},
		}
	}
	slices.SortFunc(out, func(a, b fabricator.Build) int {
		return cmp.Or(cmp.Compare(a.Cents, b.Cents), cmp.Compare(a.Hours, b.Hours))
	})
	base := out[0].Cents
	for i := range out {
		out[i].Cents -= base
	}
	return slices.CompactFunc(out, func(a, b fabricator.Build) bool { return a.Hours == b.Hours }), nil
}

// shipping lists the ways to the destination, cheapest first.
func shipping(r priceReply) []fabricator.Shipping {
	var out []fabricator.Shipping
	for _, s := range r.Ship {
		if s.Cost == nil || s.ID == "" {
			continue // listed, but not priced
		}
		carrier, service := carrierOf(s.ID, s.Name)
		out = append(out, fabricator.Shipping{
			ID: s.ID, Carrier: carrier, Service: service, Cents: cents(s.Cost.Decimal), DaysMin: s.Days.min, DaysMax: s.Days.max,
		})
	}
	slices.SortFunc(out, func(a, b fabricator.Shipping) int {
		return cmp.Or(cmp.Compare(a.Cents, b.Cents), cmp.Compare(a.DaysMax, b.DaysMax))
	})
	return out
}
