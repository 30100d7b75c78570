package fabricator_test

import (
	"errors"
	"io"
	"testing"

	"boardorder/pkg/fabricator"
)

// TestCarriers: a carrier is named by the beginning of a word, however it is written.
func TestCarriers(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]string{
		"DHL": "DHL", "dhl_express": "DHL", "DHLExpress": "DHL", "By DHL": "DHL", "FedEx IP": "FedEx", "FEDEX_IE": "FedEx", "UPS EXPRESS": "UPS", "UPS Worldwide Express Saver": "UPS", "post/ups": "UPS",
		"Groups of parcels": "Groups of parcels", "Startups Express": "Startups Express", "Slow Boat": "Slow Boat", "": "",
	} {
		if got := fabricator.CarrierOf(words); got != want {
			t.Errorf("CarrierOf(%q) = %q, want %q", words, got, want)
		}
	}
	for carrier, want := range map[string]string{"DHL": "https://www.dhl.com/global-en/home/tracking.html?tracking-id=A+B", "dhl": "https://t.17track.net/en#nums=A+B", "": "https://t.17track.net/en#nums=A+B"} {
		if got := fabricator.TrackingPage(carrier, "A B"); got != want {
			t.Errorf("the parcel A B of %q is followed at %q, want %q", carrier, got, want)
		}
	}
}

// TestPriceParts: what a price says of its lines, its builds and its shipping.
func TestPriceParts(t *testing.T) {
	t.Parallel()
	p := good()
	for id, want := range map[string]int64{"a": 900, "b": -1, "": -1} {
		got := int64(-1)
		if s, ok := p.ShippingByID(id); ok {
			got = s.Cents
		}
		if got != want {
			t.Errorf("shipping by %q costs %d, want %d", id, got, want)
		}
	}
	if b := p.Build(); b.Hours != 48 {
		t.Errorf("of %+v the build of %d hours is chosen, want 48", p.Builds, b.Hours)
	}
	none := fabricator.Price{}
	if b := none.Build(); b != (fabricator.Build{}) || none.Boards() != 0 {
		t.Errorf("a price of nothing has the build %+v and costs %d, want none and 0", b, none.Boards())
	}
	if copied := none.Clone(); copied.Lines != nil || copied.Builds != nil || copied.Shipping != nil {
		t.Errorf("a copy of a price of nothing is %+v, want nothing", copied)
	}
}

// TestErrorText: an error says its kind, its fields, what was said, its reasons and its trace, each
// where there is one.
func TestErrorText(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]*fabricator.Error{
		"fabricator: unavailable":                  {Kind: fabricator.Unavailable},
		"fabricator: refused: layers: code 7":      {Kind: fabricator.Refused, Fields: []fabricator.Field{{Field: "layers"}}, Message: "code 7"},
		"fabricator: review: large: by hand":       {Kind: fabricator.Review, Reasons: []string{"large", "by hand"}},
		"fabricator: unknown: torn (trace t): EOF": {Kind: fabricator.Unknown, Message: "torn", Trace: "t", Err: io.EOF},
	} {
		if got := e.Error(); got != want {
			t.Errorf("%+v says %q, want %q", *e, got, want)
		}
	}
	for _, tt := range []struct {
		err  error
		want fabricator.Kind
	}{{errors.Join(io.EOF, &fabricator.Error{Kind: fabricator.Files}), fabricator.Files}, {io.EOF, fabricator.Internal}, {nil, fabricator.Internal}} {
		if got := fabricator.KindOf(tt.err); got != tt.want {
			t.Errorf("%v is of the kind %s, want %s", tt.err, got, tt.want)
		}
	}
}
