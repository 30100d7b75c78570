package checkout_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/blob/folder"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/flow"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/sqlite"
	"boardorder/pkg/secret"
	"boardorder/services/edge"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// harness is an edge on real servers, with a small pricing and payment service
// behind it: they take commands from the broker and write documents.
type harness struct {
	t       testing.TB
	bus     *bus.Bus
	docs    *sqlite.Store
	blobs   blob.Store
	secrets *secret.Keyring
	url     string
	card    *httptest.Server // the card processor's pages
	logs    *observer.ObservedLogs
	clock   atomic.Int64
	seq     atomic.Uint64
	id, ref string // of the quote

	mu       sync.Mutex
	commands []contract.Command
	refuse   map[contract.CommandName]*contract.Refusal
	dearer   int64 // added at the next pricing
	place    bool  // settling finds the payment and places the order
}

func open(t testing.TB, change func(*edge.Config)) *harness {
	t.Helper()
	s := &harness{t: t, bus: bustest.Start(t), refuse: map[contract.CommandName]*contract.Refusal{}}
	var err error
	if s.docs, err = sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "docs.db")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.docs.Close() })
	if s.blobs, err = folder.Open(t.TempDir(), time.Now); err != nil {
		t.Fatal(err)
	}
	if s.secrets, err = secret.New(bytes.Repeat([]byte{7}, 32)); err != nil {
		t.Fatal(err)
	}
	s.id = s.secrets.QuoteID("req_test")
	s.ref = contract.SecretRef(s.id)
	s.card = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!doctype html><title>Card</title><h1>Card page</h1>")
	}))
	t.Cleanup(s.card.Close)
	s.serve()
	s.run(change)
	return s
}

func (s *harness) run(change func(*edge.Config)) {
	s.t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	s.url = "http://" + ln.Addr().String()
	core, logs := observer.New(zap.DebugLevel)
	s.logs = logs
	cfg := edge.Config{PublicURL: s.url, Grace: 5 * time.Second, CardPages: []string{s.card.URL}}
	if change != nil {
		change(&cfg)
	}
	e, err := edge.New(s.t.Context(), cfg, edge.Deps{
		Bus: s.bus, Docs: s.docs, Blobs: s.blobs, Secrets: s.secrets, Log: zap.New(core), Now: s.now,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	bustest.Go(s.t, func(ctx context.Context) error { return e.Run(ctx, ln) })
}

func (s *harness) now() time.Time { return time.Now().Add(time.Duration(s.clock.Load())) }

func (s *harness) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

func (s *harness) put(kind contract.Aggregate, id string, state any) {
	s.t.Helper()
	if err := s.write(kind, id, state); err != nil {
		s.t.Fatal(err)
	}
}

func (s *harness) write(kind contract.Aggregate, id string, state any) error {
	body, err := json.Marshal(state)
	if err != nil {
		return err
	}
	if err := s.docs.Put(context.Background(), projection.Document{Kind: string(kind), ID: id, Seq: s.seq.Add(1), At: s.now(), Body: body}); err != nil {
		return err
	}
	return s.bus.Wake(kind, id)
}

func load[S any](s *harness, kind contract.Aggregate) S {
	s.t.Helper()
	state, err := fetch[S](s, kind)
	if err != nil {
		s.t.Fatal(err)
	}
	return state
}

func fetch[S any](s *harness, kind contract.Aggregate) (state S, err error) {
	doc, err := s.docs.Get(context.Background(), string(kind), s.ref)
	if err != nil {
		return state, err
	}
	return state, json.Unmarshal(doc.Body, &state)
}

// serve stands in for the services behind the edge.
func (s *harness) serve() {
	do := map[contract.CommandName]func(context.Context, contract.Command) error{
		quotes.Price: s.priceAgain, quotes.ChooseDelivery: s.chooseDelivery, quotes.RequestReview: s.requestReview, quotes.AnswerReview: s.answerReview, quotes.AnswerApproval: s.answerApproval, orders.Cancel: s.cancelOrder,
		checkouts.Begin: s.beginCheckout, checkouts.Settle: s.settle,
	}
	services := map[string]flow.Handlers{"pricing": {}, "payment": {}}
	for name, handle := range do {
		services[name.Service][name] = func(ctx context.Context, c contract.Command) error {
			s.mu.Lock()
			s.commands = append(s.commands, c)
			refusal := s.refuse[name]
			s.mu.Unlock()
			if refusal != nil {
				return s.finish(c, contract.Operation{Refusal: refusal})
			}
			if err := handle(ctx, c); contract.RefusalIn(err) != nil {
				return s.finish(c, contract.Operation{Refusal: contract.RefusalIn(err)})
			} else if err != nil {
				return err
			}
			return nil
		}
	}
	for service, handlers := range services {
		bustest.Go(s.t, func(ctx context.Context) error {
			return s.bus.Serve(ctx, bus.Work{Service: service, Claims: service == quotes.Price.Service, Handlers: handlers, Parallel: 8})
		})
	}
}

func (s *harness) finish(c contract.Command, op contract.Operation) error {
	if c.Request == "" {
		return nil
	}
	op.Request, op.Account, op.At = c.Request, c.Account, s.now()
	return s.write(contract.OperationAggregate, c.Request, op)
}

func (s *harness) commandsOf(name contract.CommandName) []contract.Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []contract.Command
	for _, c := range s.commands {
		if c.Name == name {
			out = append(out, c)
		}
	}
	return out
}

// ada is a complete address.
func ada() shipments.ShipTo {
	return shipments.ShipTo{
		Name: "Ada Lovelace", Email: "ada@example.com", Phone: "+1 415 555 0100", Line1: "1 Market Street", City: "San Francisco",
		State: "CA", PostalCode: "94105", Country: "US",
	}
}

// quote puts an instant quote of ten boards.
func (s *harness) quote(change func(*quotes.Quote)) quotes.Quote {
	s.t.Helper()
	name, board, assembled := "Weather station", "2 layers, 50 × 40 mm, 1.6 mm FR-4, green, lead-free HASL", false
	q := quotes.Quote{
		Ref: s.ref, Account: "acc_partner", RequestID: "req_test", Mode: quotes.ModeInstant, Status: quotes.Ready,
		Version: 1, CreatedAt: s.now(), ExpiresAt: s.now().Add(quotes.InstantTTL), Picture: "boards/x/top.png",
		Request: quotes.Request{Quantity: 10, ProjectName: &name},
		Reply: quotes.Reply{
			Quantity: 10, Board: &board, Assembled: &assembled, Shipping: "To the United States, 2 to 4 working days in transit, duty and import tax paid in advance.",
			Notes: []string{"The price per board is the total divided by the quantity, rounded to the cent; the total is what is paid."},
			BoardDetails: &quotes.BoardDetails{
				Layers: 2, WidthMM: 50, HeightMM: 40, ThicknessMM: 1.6, CopperOz: 1, SurfaceFinish: "hasl_lead_free", SolderMask: "Green", Material: "FR-4", ViaProcess: "tented",
			},
			BoardDetailsFrom: map[string]string{"layers": "file:board.gbrjob", "thickness_mm": "request", "copper_oz": "standard"},
			PriceBasis: map[string]string{
				"as_of": "2026-11-21", "duty.mfn": "Import duty, HS 8534.00: free. Source: HTSUS, checked 2026-11-20",
				"tax.sales": "Sales tax, California, 8.25%: $11.37. Source: CDTFA, checked 2026-11-20",
			},
		},
	}
	ways := options("US")
	ways[1].Chosen = true
	q.Assumed = "US"
	price(&q, ways, 0, 0)
	if change != nil {
		change(&q)
	}
	s.put(contract.QuoteAggregate, s.ref, q)
	s.picture()
	return q
}

// picture stores something that looks a little like a board.
func (s *harness) picture() {
	s.t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 500, 400))
	for x := range 500 {
		for y := range 400 {
			c := color.RGBA{20, 96, 60, 255}
			if x%50 > 38 && y%50 > 38 {
				c = color.RGBA{205, 205, 200, 255}
			}
			img.Set(x, y, c)
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		s.t.Fatal(err)
	}
	if _, err := s.blobs.Put(context.Background(), "boards/x/top.png", &out, int64(out.Len()), "image/png"); err != nil {
		s.t.Fatal(err)
	}
}

type answer struct {
	status int
	header http.Header
	body   string
}

func (s *harness) do(method, path string, form url.Values, headers ...string) answer {
	s.t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	req, err := http.NewRequestWithContext(context.Background(), method, s.url+path, body)
	if err != nil {
		s.t.Fatal(err)
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		s.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatalf("%s %s: %v", method, path, err)
	}
	return answer{resp.StatusCode, resp.Header, string(data)}
}

func (s *harness) path() string { return "/checkout/" + s.id }

func (s *harness) get(query string) answer {
	s.t.Helper()
	return s.do("GET", s.path()+query, nil)
}

var hidden = regexp.MustCompile(`<input type="hidden" name="([a-z_]+)" value="([^"]*)">`)

// form is the page's form as a browser would send it, with an address.
func (s *harness) form(to shipments.ShipTo, more ...string) url.Values {
	s.t.Helper()
	page := s.get("")
	form := url.Values{}
	for _, m := range hidden.FindAllStringSubmatch(page.body, -1) {
		form.Set(m[1], m[2])
	}
	if form.Get("token") == "" {
		s.t.Fatalf("the page has no form: %d\n%s", page.status, page.body)
	}
	for name, value := range fieldsOf(s.t, to) {
		form.Set(name, value)
	}
	for i := 0; i+1 < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form
}

func fieldsOf(t testing.TB, to shipments.ShipTo) map[string]string {
	t.Helper()
	data, err := json.Marshal(to)
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]string{}
	if err := json.Unmarshal(data, &fields); err != nil {
		t.Fatal(err)
	}
	return fields
}

func (s *harness) post(form url.Values, headers ...string) answer {
	s.t.Helper()
	return s.do("POST", s.path(), form, headers...)
}

// has fails the test unless the page holds all the texts.
func (a answer) has(t testing.TB, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(a.body, text) && !strings.Contains(html.UnescapeString(a.body), text) {
			t.Errorf("page (%d) lacks %q:\n%s", a.status, text, a.body)
		}
	}
}

func (a answer) lacks(t testing.TB, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(a.body, text) {
			t.Errorf("page (%d) holds %q", a.status, text)
		}
	}
}

func decode[D any](t testing.TB, c contract.Command) D {
	t.Helper()
	var d D
	if err := json.Unmarshal(c.Data, &d); err != nil {
		t.Fatal(fmt.Errorf("decode %s: %w", c.Name, err))
	}
	return d
}

type edgeConfig = edge.Config
