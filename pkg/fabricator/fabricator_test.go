package fabricator_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/fabricator"
)

func good() fabricator.Price {
	return fabricator.Price{
		Currency: "USD", Lines: []fabricator.Line{{Code: "board", Cents: 500}, {Code: fabricator.CodeOffer, Cents: -100}},
		Builds:   []fabricator.Build{{Hours: 48, Chosen: true}, {Hours: 24, Cents: 700}},
		Shipping: []fabricator.Shipping{{ID: "a", Cents: 900, DaysMin: 2, DaysMax: 3}}, Weight: 100,
	}
}

func TestPriceCheck(t *testing.T) {
	t.Parallel()
	if p := good(); p.Check() != nil || p.Boards() != 400 || p.Build().Hours != 48 {
		t.Fatalf("%+v: %v, %d cents, %+v; want no error, 400, 48 hours", p, p.Check(), p.Boards(), p.Build())
	}
	for name, spoil := range map[string]func(*fabricator.Price){
		"no currency":       func(p *fabricator.Price) { p.Currency = "" },
		"nothing":           func(p *fabricator.Price) { p.Lines = nil },
		"less than nothing": func(p *fabricator.Price) { p.Lines[1].Cents = -500 },
		"negative line":     func(p *fabricator.Price) { p.Lines[1].Code = "rebate" },
		"no build":          func(p *fabricator.Price) { p.Builds[0].Chosen = false },
		"two builds":        func(p *fabricator.Price) { p.Builds[1].Chosen = true },
		"negative build":    func(p *fabricator.Price) { p.Builds[1].Cents = -1 },
		"no hours":          func(p *fabricator.Price) { p.Builds[1].Hours = 0 },
		"negative shipping": func(p *fabricator.Price) { p.Shipping[0].Cents = -1 },
		"shipping unnamed":  func(p *fabricator.Price) { p.Shipping[0].ID = "" },
		"days backwards":    func(p *fabricator.Price) { p.Shipping[0].DaysMax = 1 },
		"no weight":         func(p *fabricator.Price) { p.Weight = 0 },
	} {
		p := good()
		spoil(&p)
		if p.Check() == nil {
			t.Errorf("%s: %+v passes", name, p)
		}
	}
}

func TestCloneSharesNothing(t *testing.T) {
	t.Parallel()
	p := good()
	q := p.Clone()
	q.Lines[0].Cents, q.Builds[0].Hours, q.Shipping[0].ID = 1, 1, "z"
	if diff := cmp.Diff(good(), p); diff != "" {
		t.Errorf("changing the copy changed the original (-want +got):\n%s", diff)
	}
}

func TestLive(t *testing.T) {
	t.Parallel()
	now := time.Now()
	p := fabricator.Price{ValidUntil: now}
	if p.Live(now) || !p.Live(now.Add(-1)) {
		t.Error("a price lives until its time, not at it")
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	e := &fabricator.Error{Kind: fabricator.Refused, Fields: []fabricator.Field{{Field: "layers"}}, Message: "code 2100", Trace: "t1", Err: io.EOF}
	wrapped := fmt.Errorf("price board: %w", e)
	if fabricator.KindOf(wrapped) != fabricator.Refused || !errors.Is(wrapped, io.EOF) {
		t.Errorf("kind %s of %v, want %s, of %v", fabricator.KindOf(wrapped), wrapped, fabricator.Refused, io.EOF)
	}
	if fabricator.KindOf(io.EOF) != fabricator.Internal {
		t.Errorf("the kind of %v is %v, want %v", io.EOF, fabricator.KindOf(io.EOF), fabricator.Internal)
	}
	for _, want := range []string{"refused", "layers", "code 2100", "t1", "EOF"} {
		if !strings.Contains(e.Error(), want) {
			t.Errorf("%q lacks %q", e.Error(), want)
		}
	}
}

func TestTracking(t *testing.T) {
	t.Parallel()
	tests := []struct{ words, carrier, page string }{
		{"DHL Express Worldwide", "DHL", "https://www.dhl.com/global-en/home/tracking.html?tracking-id=1%262"},
		{"UPS EXPRESS", "UPS", "https://www.ups.com/track?tracknum=1%262"},
		{"FedEx International Priority", "FedEx", "https://www.fedex.com/fedextrack/?trknbr=1%262"},
		{"Slow Boat", "Slow Boat", "https://t.17track.net/en#nums=1%262"},
	}
	for _, tt := range tests {
		carrier := fabricator.CarrierOf(tt.words)
		if page := fabricator.TrackingPage(carrier, "1&2"); carrier != tt.carrier || page != tt.page {
			t.Errorf("%s: %s, %s; want %s, %s", tt.words, carrier, page, tt.carrier, tt.page)
		}
	}
	if fabricator.TrackingPage("DHL", "") != "" {
		t.Error("a parcel without a number has a page")
	}
}

func TestAreas(t *testing.T) {
	t.Parallel()
	s := fabricator.Spec{Width: 100e6, Height: 80e6, Quantity: 10}
	if s.BoardArea() != 8000 || s.TotalArea() != 0.08 {
		t.Errorf("areas %v mm2 and %v m2, want 8000 and 0.08", s.BoardArea(), s.TotalArea())
	}
}
