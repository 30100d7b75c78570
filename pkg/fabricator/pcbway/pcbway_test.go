package pcbway_test

import (
	_ "embed"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/fabricator"
	"boardorder/pkg/fabricator/pcbway"
)

// quotation has our own figures in the form that the help page and the client give
// (api-partner.pcbway.com/Help/Api/POST-api-Pcb-PcbQuotation, nabheet/pcbway-mcp-server).
//
//go:embed testdata/quotation.json
var quotation string

var at = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func board() fabricator.Spec {
	return fabricator.Spec{
		Layers: 2, Quantity: 10, Width: 50_000_000, Height: 30_500_000, Thickness: 1_600_000, OuterCopper: 1, Material: "FR-4", Finish: "hasl_lead_free", Mask: "Green",
		ViaProcess: "tented", MinTrack: 160_000, MinSpace: 200_000, MinHole: 300_000, To: fabricator.Destination{Country: "US", PostalCode: "78701"},
	}
}

// open is a client of a stand-in that answers alike, and what it was asked last.
func open(t *testing.T, status int, answer string) (*pcbway.Client, *map[string]any) {
	t.Helper()
	asked := map[string]any{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.URL.Path != "/api/Pcb/PcbQuotation" || r.Method != http.MethodPost || r.Header.Get("api-key") != "key" || json.Unmarshal(body, &asked) != nil {
			t.Errorf("%s %s with the key %q: %s; want a request for a price", r.Method, r.URL.Path, r.Header.Get("api-key"), body)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(s.Close)
	c, err := pcbway.New(pcbway.Config{Name: "far_east", URL: s.URL, APIKey: "key", PerSecond: 1000, Now: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	return c, &asked
}

// TestPrice: a board is asked for in the words of the help page, and the answer is a price.
func TestPrice(t *testing.T) {
	t.Parallel()
	c, asked := open(t, http.StatusOK, quotation)
	got, err := c.Price(t.Context(), board())
	want := fabricator.Price{
		Currency: "USD", Weight: 151, PricedAt: at, ValidUntil: at.Add(time.Minute), Source: "pcbway partner API",
		Lines:    []fabricator.Line{{Code: "board", Label: "Boards", Cents: 2400}},
		Builds:   []fabricator.Build{{Hours: 96, Name: "3-4 days", Chosen: true}, {Hours: 24, Name: "24 hours", Cents: 3750}},
		Shipping: []fabricator.Shipping{{ID: "dhl", Carrier: "DHL", Service: "DHL", Cents: 1835, DaysMin: 3, DaysMax: 5}},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("price: %v (-want +got)\n%s", err, diff)
	}
	words := map[string]any{
		"CountryCode": "US", "ShipType": 1.0, "Postalcode": "78701", "BoardType": "Single PCB", "DesignInPanel": 1.0, "Length": 30.5, "Width": 50.0, "Layers": 2.0, "Qty": 10.0,
		"Thickness": 1.6, "Material": "FR-4", "FR4Tg": "TG130", "MinTrackSpacing": "6/6mil", "MinHoleSize": 0.3, "SolderMask": "Green", "Silkscreen": "White",
		"SurfaceFinish": "HASL lead free", "ViaProcess": "Tenting vias", "FinishedCopper": "1 oz Cu", "Goldfingers": "No", "RemoveProductNo": "No",
	}
	if diff := cmp.Diff(words, *asked); diff != "" {
		t.Errorf("asked (-want +got)\n%s", diff)
	}
	express := board()
	express.BuildHours = 24
	if p, err := c.Price(t.Context(), express); err != nil || p.Boards() != 6150 || p.Build().Hours != 24 {
		t.Errorf("in 24 hours: %+v, %v; want 6150 cents", p, err)
	}
	express.BuildHours = 48
	if _, err := c.Price(t.Context(), express); fabricator.KindOf(err) != fabricator.Refused {
		t.Errorf("in 48 hours: %v, want %s", err, fabricator.Refused)
	}
}

// TestUndocumented: what the pages do not tell is a reason to look, and nobody is asked.
func TestUndocumented(t *testing.T) {
	t.Parallel()
	c, asked := open(t, http.StatusOK, quotation)
	for want, change := range map[string]func(*fabricator.Spec){
		"the inner copper of 4 layers":    func(s *fabricator.Spec) { s.Layers = 4 },
		`the material "FR-4 / TG155"`:     func(s *fabricator.Spec) { s.Material = "FR-4 / TG155" },
		`the surface finish "enig"`:       func(s *fabricator.Spec) { s.Finish = "enig" },
		`the via process "copper_paste"`:  func(s *fabricator.Spec) { s.ViaProcess = "copper_paste" },
		"7 boards":                        func(s *fabricator.Spec) { s.Quantity = 7 },
		"a thickness of 1.55 mm":          func(s *fabricator.Spec) { s.Thickness = 1_550_000 },
		`the mask "Pink"`:                 func(s *fabricator.Spec) { s.Mask = "Pink" },
		`the silkscreen "Blue"`:           func(s *fabricator.Spec) { s.Silkscreen = "Blue" },
		"copper of 0.5 oz":                func(s *fabricator.Spec) { s.OuterCopper = 0.5 },
		"controlled impedance":            func(s *fabricator.Spec) { s.Impedance = true },
		"the option gold_fingers":         func(s *fabricator.Spec) { s.Options = map[string]any{"gold_fingers": "plain"} },
		"a board without measured tracks": func(s *fabricator.Spec) { s.MinTrack = 0 },
		"finer ones than 3 mil":           func(s *fabricator.Spec) { s.MinSpace = 70_000 },
		"smaller ones than 0.15 mm":       func(s *fabricator.Spec) { s.MinHole = 100_000 },
		"a price without a destination":   func(s *fabricator.Spec) { s.To.Country = "" },
	} {
		s := board()
		change(&s)
		if _, err := c.Price(t.Context(), s); fabricator.KindOf(err) != fabricator.Review || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want a review for %q", s, err, want)
		}
	}
	if len(*asked) > 0 {
		t.Errorf("asked %v, want nothing", *asked)
	}
}

// TestAnswers: an answer that is not of the documented form is no price.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		what, answer string
		status       int
		want         fabricator.Kind
	}{
		{"an error", `{"priceList":null,"Shipping":null,"Status":"error","ErrorText":"no","Code":7}`, 200, fabricator.Review},
		{"another status", `{"Status":"maybe"}`, 200, fabricator.Unavailable},
		{"no JSON", `<html>`, 200, fabricator.Unavailable},
		{"a server's fault", `{}`, 500, fabricator.Unavailable},
		{"a refused key", `{}`, 401, fabricator.Internal},
		{"no standard build", strings.ReplaceAll(quotation, `"Standard": true`, `"Standard": false`), 200, fabricator.Unavailable},
		{"a remote place", strings.Replace(quotation, `"IsRas": false`, `"IsRas": true`, 1), 200, fabricator.Review},
		{"days in words", strings.Replace(quotation, `"3-5"`, `"soon"`, 1), 200, fabricator.Unavailable},
		{"no weight", strings.Replace(quotation, "150.2", "0", 1), 200, fabricator.Unavailable},
	} {
		c, _ := open(t, tt.status, tt.answer)
		if p, err := c.Price(t.Context(), board()); err == nil || fabricator.KindOf(err) != tt.want {
			t.Errorf("%s: %+v, %v; want %s", tt.what, p, err, tt.want)
		}
	}
}

// TestPlacing: an order is left to people, at the price that was agreed or a lower one.
func TestPlacing(t *testing.T) {
	t.Parallel()
	c, _ := open(t, http.StatusOK, quotation)
	for _, tt := range []struct {
		agreed   int64
		shipping string
		want     fabricator.Kind // "" = placed
	}{{4235, "dhl", ""}, {5000, "dhl", ""}, {0, "dhl", ""}, {4234, "dhl", fabricator.PriceMoved}, {4235, "ups", fabricator.Shipment}} {
		placed, err := c.Place(t.Context(), fabricator.PlaceRequest{Reference: "r", Spec: board(), Shipping: tt.shipping, AgreedCents: tt.agreed, Currency: "USD"})
		if tt.want == "" && (err != nil || !placed.Manual || placed.Cents != 4235) || tt.want != "" && fabricator.KindOf(err) != tt.want {
			t.Errorf("agreed %d by %s: %+v, %v; want %q, by hand for 4235", tt.agreed, tt.shipping, placed, err, tt.want)
		}
	}
	if _, err := c.FindOrder(t.Context(), "r"); fabricator.KindOf(err) != fabricator.NotFound {
		t.Errorf("find: %v, want %s", err, fabricator.NotFound)
	}
	if _, err := c.Upload(t.Context(), "a.zip", strings.NewReader("")); fabricator.KindOf(err) != fabricator.Files {
		t.Errorf("no files: %v, want %s", err, fabricator.Files)
	}
	for name, cfg := range map[string]pcbway.Config{"no key": {URL: "https://a.example"}, "no address": {URL: "a.example", APIKey: "k"}} {
		if _, err := pcbway.New(cfg); err == nil {
			t.Errorf("%s: a client, want an error", name)
		}
	}
}
