package pricing_test

import (
	"encoding/json"
	"strings"
	"testing"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	stackupscontract "boardorder/pkg/contract/stackups"
	"boardorder/pkg/fabricator"
)

// The words of a fabricator that gives no price.
var (
	errAway   = &fabricator.Error{Kind: fabricator.Unavailable}
	errBroken = &fabricator.Error{Kind: fabricator.Internal, Message: "the key was revoked"}
	errByHand = &fabricator.Error{Kind: fabricator.Review, Reasons: []string{"Too fine."}}
	errTooBig = &fabricator.Error{Kind: fabricator.Refused, Fields: []fabricator.Field{{Field: "layers", Message: "is not offered"}}}
	errTooFar = &fabricator.Error{Kind: fabricator.Shipment, Fields: []fabricator.Field{{Field: "ship_to.country", Message: "is not served"}}}
	errFiles  = &fabricator.Error{Kind: fabricator.Files}
)

// TestWhoBuilds: the first fabricator that has a price builds the boards, and the quote is of it
// alone. Where nobody has a price, the primary one's word counts.
func TestWhoBuilds(t *testing.T) {
	t.Parallel()
	four := twoLayers("board")
	four.Facts["layers"] = boards.Fact{Value: 4, Source: "a.gbr"}
	stackup, assembled := "A-4", func(r *quotes.Request) { r.Assembly = true }
	for _, tt := range []struct {
		what          string
		primary, next error
		change        func(*quotes.Request)
		builder       string // "" for none
		outcome       string // a mode, or the code of a refusal
		requested     [2]int // how often each was asked
	}{
		{"both could", nil, nil, nil, "far_east", quotes.ModeInstant, [2]int{1, 0}},
		{"the primary one is away", errAway, nil, nil, "near_by", quotes.ModeInstant, [2]int{1, 1}},
		{"its account is closed", errBroken, nil, nil, "near_by", quotes.ModeInstant, [2]int{1, 1}},
		{"it prices by hand", errByHand, nil, nil, "near_by", quotes.ModeInstant, [2]int{1, 1}},
		{"it builds no such board", errTooBig, nil, nil, "near_by", quotes.ModeInstant, [2]int{1, 1}},
		{"it does not ship there", errTooFar, nil, nil, "near_by", quotes.ModeInstant, [2]int{1, 1}},
		{"the files cannot be used", errFiles, nil, nil, "", string(contract.DesignFiles), [2]int{1, 0}},
		{"by hand, and the next is away", errByHand, errAway, nil, "", quotes.ModeReview, [2]int{1, 1}},
		{"away, and the next by hand", errAway, errByHand, nil, "", string(contract.PriceUnavailable), [2]int{1, 1}},
		{"nobody builds it", errTooBig, errByHand, nil, "", string(contract.InvalidRequest), [2]int{1, 1}},
		{"a stackup of the primary one's", errByHand, nil, func(r *quotes.Request) { r.FabStackup = &stackup }, "", quotes.ModeReview, [2]int{1, 0}},
		{"assembled boards", nil, nil, assembled, "far_east", quotes.ModeInstant, [2]int{1, 0}},
		{"assembled boards, and it is away", errAway, nil, assembled, "", string(contract.PriceUnavailable), [2]int{1, 0}},
	} {
		t.Run(tt.what, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			d.stock = stackups{4: []stackupscontract.Stackup{{Code: stackup, Material: "FR-4", Layers: 4, ThicknessMM: 1.6, CopperOz: 1, InnerCopperOz: 0.5}}}
			d.reads(t, four)
			d.assembled = []assemblies.Assembly{assemblyWith(false, assemblyPart("R1", 40))}
			d.fab.err, d.next.err, d.next.price.Lines[0].Cents = tt.primary, tt.next, 4321
			request, refusal := d.do(t, quotes.Price, standard(tt.change))
			q := d.quote(t, request)
			outcome := q.Mode
			if refusal != nil {
				outcome = string(refusal.Code)
			}
			if requested := [2]int{len(d.fab.requests), len(d.next.requests)}; outcome != tt.outcome || requested != tt.requested {
				t.Fatalf("primary %v, next %v: %s after %v questions, want %s after %v", tt.primary, tt.next, outcome, requested, tt.outcome, tt.requested)
			}
			if tt.builder == "" {
				if q.Terms != nil || q.Reply.Fabricator != "" {
					t.Errorf("terms %+v, fabricator %q, want none", q.Terms, q.Reply.Fabricator)
				}
				return
			}
			country, cents := "CN", int64(1000)
			if tt.builder == "near_by" {
				country, cents = "US", 4321
			}
			if q.Terms.Fabricator != tt.builder || q.Reply.Fabricator != tt.builder {
				t.Errorf("terms of %q, a reply that names %q, want %s", q.Terms.Fabricator, q.Reply.Fabricator, tt.builder)
			}
			if got := origin(t, q); got != country || q.Reply.Lines[0].Cents != cents {
				t.Errorf("sent from %s, %+v, want from %s for %d cents", got, q.Reply.Lines[0], country, cents)
			}
		})
	}
}

// origin is the country that a quote's duty was reckoned from.
func origin(t *testing.T, q quotes.Quote) string {
	t.Helper()
	var kept struct {
		Origin string `json:"origin"`
	}
	if err := json.Unmarshal(q.Pricing, &kept); err != nil {
		t.Fatal(err)
	}
	return kept.Origin
}

// TestAQuoteStaysWhereItIs: another number of boards asks the quote's own fabricator and
// nobody else, whatever the list is by then; where it has gone, the quote is sold no more.
func TestAQuoteStaysWhereItIs(t *testing.T) {
	t.Parallel()
	to := shipments.ShipTo{Name: "Ada", Email: "ada@example.com", Phone: "+1 512 555 0100", Line1: "1 Main St", City: "Austin", State: "TX", PostalCode: "78701", Country: "US"}
	for _, tt := range []struct {
		what    string
		primary error
		builder string
		list    []int // the fabricators afterwards
		next    error // what the other one says afterwards
		code    contract.Code
	}{
		{"the primary one's", nil, "far_east", []int{0, 1}, nil, ""},
		{"the next one's", errByHand, "near_by", []int{0, 1}, nil, ""},
		{"the list is turned round", nil, "far_east", []int{1, 0}, nil, ""},
		{"turned round, the next one's", errByHand, "near_by", []int{1, 0}, nil, ""},
		{"it has gone", nil, "far_east", []int{1}, nil, contract.QuoteNotPayable},
		{"the next one has gone", errByHand, "near_by", []int{0}, nil, contract.QuoteNotPayable},
	} {
		t.Run(tt.what, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			d.reads(t, twoLayers("board"))
			d.fab.err, d.next.err = tt.primary, nil
			request, refusal := d.do(t, quotes.Price, standard(nil))
			if refusal != nil {
				t.Fatalf("refused: %+v, want it granted", refusal)
			}
			before := d.quote(t, request)
			all, now := d.fabricators(), d.fabricators()[:0]
			for _, i := range tt.list {
				now = append(now, all[i])
			}
			d.serve(t, now...)
			d.fab.err, d.next.err, d.fab.requests, d.next.requests = nil, nil, nil, nil
			_, refusal = d.do(t, quotes.ChooseDelivery, quotes.ChooseDeliveryData{Quote: before.Ref, ShipTo: to, Quantity: 20})
			if got := codeOf(refusal); before.Terms.Fabricator != tt.builder || got != tt.code {
				t.Fatalf("a quote of %s: %q, want one of %s and %q", before.Terms.Fabricator, got, tt.builder, tt.code)
			}
			q := d.quote(t, request)
			requests := map[string]int{"far_east": len(d.fab.requests), "near_by": len(d.next.requests)}
			want := map[string]int{"far_east": 0, "near_by": 0}
			if tt.code == "" {
				want[tt.builder] = 1
			}
			if q.Terms.Fabricator != tt.builder || q.Reply.Fabricator != tt.builder || requests["far_east"] != want["far_east"] || requests["near_by"] != want["near_by"] {
				t.Errorf("now of %s, %d boards, asked %v; want still of %s, asked %v", q.Terms.Fabricator, q.Reply.Quantity, requests, tt.builder, want)
			}
			if tt.code != "" && q.Version != before.Version {
				t.Errorf("version %d of a quote that is sold no more, want %d", q.Version, before.Version)
			}
		})
	}
}

func codeOf(r *contract.Refusal) contract.Code {
	if r == nil {
		return ""
	}
	return r.Code
}

// TestBoardsAlone: the quote of the boards alone that stands beside a review may be of the next
// fabricator; what is known of the assembly's price never holds that one's boards.
func TestBoardsAlone(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		what    string
		primary error
		builder string
		known   bool // what the boards of the review cost
	}{
		{"the primary one has a price", nil, "far_east", true},
		{"it is away", errAway, "near_by", false},
	} {
		t.Run(tt.what, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			d.reads(t, twoLayers("board"))
			d.fab.err, d.next.err = tt.primary, nil
			d.assembled = []assemblies.Assembly{assemblyWith(false, assemblyPart("R1", 40), assemblyPart("U1", 0))}
			request, refusal := d.do(t, quotes.Price, standard(assembly))
			if refusal != nil {
				t.Fatalf("refused: %+v, want it granted", refusal)
			}
			q := d.quote(t, request)
			bare, err := aggregate.At[quotes.Quote](d, contract.QuoteAggregate, q.Bare.Ref).Load(t.Context())
			if err != nil || bare.State.Terms.Fabricator != tt.builder || q.Reply.FabricationQuote.Fabricator != tt.builder {
				t.Fatalf("boards alone of %+v, named as of %q, %v; want of %s", bare.State.Terms, q.Reply.FabricationQuote.Fabricator, err, tt.builder)
			}
			to := shipments.ShipTo{Name: "Ada", Email: "ada@example.com", Phone: "+1 512 555 0100", Line1: "1 Main St", City: "Austin", State: "TX", PostalCode: "78701", Country: "US"}
			if _, refusal := d.do(t, quotes.RequestReview, quotes.RequestReviewData{Quote: q.Ref, ShipTo: to}); refusal != nil {
				t.Fatalf("refused: %+v, want it granted", refusal)
			}
			q = d.quote(t, request)
			known := false
			if q.Known != nil {
				for _, l := range q.Known.Lines {
					known = known || strings.Contains(l.Label, "Boards")
				}
			}
			if known != tt.known {
				t.Errorf("known of the review's price: %+v, want its boards in it: %t", q.Known, tt.known)
			}
		})
	}
}

// TestBuyLinkOfTheNext: a link is made of a board that any fabricator sells.
func TestBuyLinkOfTheNext(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		what          string
		primary, next error
		code          contract.Code
	}{
		{"the next one sells it", errByHand, nil, ""},
		{"nobody does", errByHand, errByHand, contract.DesignFiles},
	} {
		d := setup(t)
		d.reads(t, twoLayers("a"))
		d.fab.err, d.next.err = tt.primary, tt.next
		_, refusal := d.do(t, buylinks.Create, buylinks.CreateData{Link: "bl_1", Upload: "u", Key: "k", Request: quotes.Request{StandardForUnstated: true}})
		if got := codeOf(refusal); got != tt.code {
			t.Errorf("%s: %q, want %q", tt.what, got, tt.code)
		}
	}
}
