package pricing_test

import (
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	stackupscontract "boardorder/pkg/contract/stackups"
	"boardorder/pkg/fabricator"

	"github.com/google/go-cmp/cmp"
)

// Refused fields of the board and of the destination come at once, with the
// questions that are open.
func TestEveryRefusedFieldComesAtOnce(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.reads(t, twoLayers("a"))
	four := 4
	_, refusal := d.do(t, quotes.Price, quotes.PriceData{Upload: "u", Request: quotes.Request{
		Quantity: 5, Layers: &four, FabOptions: map[string]any{"sparkle": true},
		ShipTo: &shipments.ShipTo{Country: "US", State: "NY", PostalCode: "94105", TaxID: "XX"},
	}})
	if refusal == nil || refusal.Code != contract.InvalidRequest {
		t.Fatalf("refusal %+v, want %s", refusal, contract.InvalidRequest)
	}
	var got []string
	for _, f := range refusal.Fields {
		got = append(got, f.Field)
	}
	want := []string{"layers", "fab_options.sparkle", "ship_to.tax_id", "ship_to.postal_code"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields (-want +got)\n%s", diff)
	}
	_, refusal = d.do(t, quotes.Price, quotes.PriceData{Upload: "u", Request: quotes.Request{
		Quantity: 5, ShipTo: &shipments.ShipTo{Country: "US", State: "Bavaria"},
	}})
	if refusal == nil || refusal.Code != contract.InvalidRequest || len(refusal.Questions) == 0 {
		t.Errorf("an unknown state beside open questions: %+v, want both", refusal)
	}
}

// The board's name, its options, its stackup and the destination are judged together.
func TestPhasesOfAQuoteRefuseTogether(t *testing.T) {
	t.Parallel()
	three, board := 3, "zz"
	stackup := "ZZZ"
	for name, tt := range map[string]struct {
		request quotes.Request
		want    []string
	}{
		"state and stackup": {quotes.Request{FabStackup: &stackup, ShipTo: &shipments.ShipTo{Country: "US", State: "ZZ"}}, []string{"fab_stackup", "ship_to.state"}},
		"country, layers and board": {
			quotes.Request{Board: &board, Layers: &three, ShipTo: &shipments.ShipTo{Country: "CN"}}, []string{"board", "layers", "ship_to.country"},
		},
		"the board alone": {quotes.Request{Board: &board, ShipTo: &shipments.ShipTo{Country: "US", State: "CA"}}, []string{"board"}},
	} {
		d := setup(t)
		d.stock = stackups{}
		for layers := 4; layers <= 20; layers += 2 {
			d.stock[layers] = []stackupscontract.Stackup{{Code: "A", Layers: layers}}
		}
		d.reads(t, twoLayers("a"))
		_, refusal := d.do(t, quotes.Price, standard(func(r *quotes.Request) {
			tt.request.Quantity, tt.request.StandardForUnstated = r.Quantity, true
			*r = tt.request
		}))
		if refusal == nil {
			t.Errorf("%s: nothing was refused", name)
			continue
		}
		var got []string
		for _, f := range refusal.Fields {
			got = append(got, f.Field)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: fields (-want +got)\n%s", name, diff)
		}
	}
}

// What the fabricator refuses is a sentence about a field.
func TestTheFabricatorsRefusalIsASentence(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"is not offered for this board":             "thickness_mm is not offered for this board.",
		"0.4 mm boards are built with enig only":    "0.4 mm boards are built with enig only.",
		"castellated holes need two or more layers": "Castellated holes need two or more layers.",
		"does not belong to this layer count":       "thickness_mm does not belong to this layer count.",
		"":                                          "thickness_mm is not offered for this board.",
	} {
		d := setup(t)
		d.reads(t, twoLayers("a"))
		d.fab.err = &fabricator.Error{Kind: fabricator.Refused, Fields: []fabricator.Field{{Field: "thickness_mm", Message: message}}}
		_, refusal := d.do(t, quotes.Price, standard(nil))
		if refusal == nil || len(refusal.Fields) != 1 || refusal.Fields[0].Message != want {
			t.Errorf("%q: %+v, want %q", message, refusal, want)
		}
	}
}

// Delivery is saved only when the checkout asks for nothing more.
func TestDeliveryIsSavedOnlyWhenNothingIsMissing(t *testing.T) {
	t.Parallel()
	brazil := home
	brazil.Country, brazil.State, brazil.PostalCode = "BR", "SP", "01310-100"
	withCPF := brazil
	withCPF.TaxID = "390.533.447-05"
	puertoRico := home
	puertoRico.Country, puertoRico.State, puertoRico.PostalCode = "PR", "", "00901"
	for name, tt := range map[string]struct {
		to   shipments.ShipTo
		want bool
	}{
		"complete": {home, true}, "Brazil without a tax number": {brazil, false}, "Brazil with one": {withCPF, true},
		"Puerto Rico": {puertoRico, true}, "a country alone": {shipments.ShipTo{Country: "US"}, false},
	} {
		for _, special := range []bool{false, true} {
			d := setup(t)
			d.reads(t, twoLayers("a"))
			request, refusal := d.do(t, quotes.Price, standard(func(r *quotes.Request) { r.ShipTo, r.SpecialRequirements = &tt.to, special }))
			if refusal != nil {
				t.Errorf("%s: a price for %+v was refused by %+v, want a review", name, tt.to, refusal)
				continue
			}
			if q := d.quote(t, request); *q.Reply.DeliverySaved != tt.want {
				t.Errorf("%s, review %v: delivery_saved = %v, want %v", name, special, *q.Reply.DeliverySaved, tt.want)
			} else if name == "Puerto Rico" && (q.Delivery.ShipTo.Country != "US" || q.Delivery.ShipTo.State != "PR") {
				t.Errorf("Puerto Rico is delivered to as %+v, want state PR of the US", q.Delivery.ShipTo)
			}
		}
	}
}
