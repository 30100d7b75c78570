package standalone_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"boardorder/pkg/client"
)

// unpackSample gives a folder with the files of the sample board, and what tools leave.
func (s *system) unpackSample(t testing.TB) string {
	t.Helper()
	folder := t.TempDir()
	sample := s.sample(t)
	packed, err := zip.NewReader(bytes.NewReader(sample), int64(len(sample)))
	if err == nil {
		err = os.CopyFS(folder, packed)
	}
	if err == nil {
		err = os.MkdirAll(filepath.Join(folder, ".git"), 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, ".git", "config"), []byte("secret"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

func (s *system) testKey(t testing.TB) string {
	t.Helper()
	key, err := os.ReadFile(filepath.Join(s.dir, "demo-test.key"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(key))
}

// TestGoClient drives the service by the library as partners do.
func TestGoClient(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	ctx := t.Context()
	c, err := client.New(s.BaseURL, s.testKey(t))
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, err error, ok bool, got any) {
		t.Helper()
		if err != nil || !ok {
			t.Errorf("%s: %v, %+v", what, err, got)
		}
	}
	key, err := c.CheckKey(ctx)
	check("the key", err, !key.Key.Livemode && key.Account.ID != "", key)

	address, secret, verified, unverified := receiveEvents(t)
	var made client.WebhookEndpointReply
	err = c.Do(ctx, http.MethodPost, "/v1/webhook-endpoints", nil, client.WebhookEndpointRequest{URL: address, Types: []string{"quote.priced"}}, &made)
	check("a webhook endpoint", err, made.Secret != "", made)
	secret <- made.Secret

	upload, err := c.UploadFolder(ctx, s.unpackSample(t))
	check("an upload", err, len(upload.Files) > 3 && !strings.Contains(strings.Join(upload.Files, " "), ".git"), upload)
	upload, err = c.ReadUpload(ctx, upload.UploadID)
	check("what files were taken for", err, len(upload.Classified) > 3, upload)

	request := client.QuoteRequest{UploadID: upload.UploadID, Quantity: 10}
	_, err = c.Quote(ctx, request)
	var open *client.Error
	if !errors.As(err, &open) || !errors.Is(err, client.NeedsAnswers) || len(open.Reply.Questions) == 0 || open.RequestID == "" {
		t.Fatalf("a quote with open questions: %v, want them and a request id", err)
	}
	for _, q := range open.Reply.Questions {
		request, err = client.ApplyAnswer(request, q.Option, q.Usual)
		check("an answer", err, true, q)
	}
	quote, err := c.Quote(ctx, request, client.IdempotencyKey("order-1"))
	price, priced := quote.Price()
	check("a quote", err, priced && price.String() == quote.Total && strings.HasPrefix(quote.CheckoutURL, s.BaseURL), quote)
	again, err := c.Quote(ctx, request, client.IdempotencyKey("order-1"))
	check("the same call again", err, again.QuoteID == quote.QuoteID, again)
	standing, err := c.GetQuote(ctx, quote.QuoteID)
	check("where it stands", err, standing.Status == client.QuoteStandingStatusQuoteReady, standing)

	table, err := c.PriceTable(ctx, client.PriceTableRequest{UploadID: upload.UploadID, Quantities: []int64{10, 50}, StandardForUnstated: true, ShipTo: []client.ShipTo{{Country: "DE"}, {Country: "US", State: "CA"}}})
	check("a price table", err, len(table.Cells) >= 4 && len(table.Destinations) == 2, table)
	found, err := c.CheckDesign(ctx, client.DesignCheckRequest{UploadID: upload.UploadID})
	check("a design check", err, found.Status != client.DesignCheckReportStatusChecking && found.ReportURL != "", found)
	parts, err := c.CheckParts(ctx, client.PartCheckRequest{Boards: 5, Parts: []client.PartLine{{Reference: "U1", Quantity: 1, Mpn: "TEST-STOCKED"}, {Reference: "U2", Quantity: 1, Mpn: "TEST-UNKNOWN"}}})
	check("a part check", err, len(parts.Parts) == 2 && parts.Parts[0].Verdict != parts.Parts[1].Verdict, parts)
	link, err := c.CreateBuyLink(ctx, client.BuyLinkRequest{UploadID: upload.UploadID, ProjectName: "Blinker", ThicknessMm: 1.6, SurfaceFinish: "hasl_lead_free"})
	check("a buy link", err, strings.HasPrefix(link.BuyURL, s.BaseURL), link)
	check("the end of a buy link", c.CloseBuyLink(ctx, link.BuyURL[strings.LastIndexByte(link.BuyURL, '/')+1:]), true, link)
	for order, err := range c.ListOrders(ctx) {
		check("formal orders", err, false, order) // there are none
	}

	_, err = c.GetQuote(ctx, strings.Repeat("0", 64))
	if !errors.Is(err, client.NotFound) {
		t.Errorf("a quote that is not there: %v, want not found", err)
	}
	feed := c.OpenFeed("")
	for event, err := range feed.Events(ctx) {
		if err != nil || event.Type == "quote.priced" && event.Data.QuoteID == quote.QuoteID {
			check("the feed", err, event.Data.TotalCents == quote.TotalCents, event)
			break
		}
	}
	select {
	case event := <-verified:
		check("a delivery", nil, event.Type == "quote.priced", event.Type)
	case err := <-unverified:
		t.Errorf("a delivery: %v, want it verified", err)
	case <-ctx.Done():
		t.Error("no delivery came")
	}
}

// TestGoExamples: the programs that the library comes with do what they say.
func TestGoExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: builds programs")
	}
	t.Parallel()
	s := start(t, nil)
	folder, key := s.unpackSample(t), s.testKey(t)
	c, err := client.New(s.BaseURL, key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func(ctx context.Context, name string, args ...string) *exec.Cmd {
		program := filepath.Join(dir, name)
		if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, filepath.Join("..", "..", "pkg", "client", "examples", name+".go")).CombinedOutput(); err != nil {
			t.Fatalf("%s does not build: %v\n%s", name, err, out)
		}
		p := exec.CommandContext(ctx, program, args...)
		p.Env = append(os.Environ(), "BOARD_URL="+s.BaseURL, "BOARD_API_KEY="+key)
		return p
	}
	price := regexp.MustCompile(`\$\d+\.\d\d\s+` + regexp.QuoteMeta(s.BaseURL) + `/checkout/\w+\n`)
	for _, name := range []string{"first_quote", "answer_questions", "price_table"} {
		if out, err := run(t.Context(), name, folder).CombinedOutput(); err != nil || !price.Match(out) {
			t.Errorf("%s printed %q, %v; want a price and where it is paid", name, out, err)
		}
	}

	receiver := run(t.Context(), "webhook_receiver", "127.0.0.1:0")
	receiver.Env = append(receiver.Env, "WEBHOOK_SECRET=whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
	out, err := receiver.StdoutPipe()
	if err == nil {
		err = receiver.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { receiver.Process.Kill(); receiver.Wait() }) //nolint:errcheck // it is ended

	line := make([]byte, 100)
	n, err := out.Read(line)
	address := strings.TrimSpace(strings.TrimPrefix(string(line[:n]), "listening on "))
	if err != nil || !strings.HasPrefix(address, "127.0.0.1:") {
		t.Fatalf("webhook_receiver printed %q, %v; want its address", line[:n], err)
	}
	resp, err := http.Post("http://"+address, "application/json", strings.NewReader("{}"))
	if err != nil || resp.StatusCode != http.StatusBadRequest {
		t.Errorf("a delivery without a signature: %v, %v; want 400", resp, err)
	}

	upload, err := c.UploadFolder(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	quote, err := c.Quote(t.Context(), client.QuoteRequest{UploadID: upload.UploadID, Quantity: 10, StandardForUnstated: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	follower := run(ctx, "follow_order", quote.QuoteID, filepath.Join(t.TempDir(), "cursor"))
	told, err := follower.StdoutPipe()
	if err == nil {
		err = follower.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	n, err = told.Read(line)
	stop()
	follower.Wait() //nolint:errcheck // it is ended
	if want := "quote.priced quote_ready"; !strings.HasPrefix(string(line[:n]), want) {
		t.Errorf("follow_order printed %q, %v; want %q", line[:n], err, want)
	}
}

// receiveEvents starts a receiver of webhooks, whose deliveries are verified by the secret that it is
// given last.
func receiveEvents(t testing.TB) (address string, secret chan string, verified chan *client.Event, unverified chan error) {
	t.Helper()
	secret, verified, unverified = make(chan string, 1), make(chan *client.Event, 100), make(chan error, 100)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		known := <-secret
		secret <- known
		var event *client.Event
		if err == nil {
			event, err = client.VerifyWebhook(body, r.Header, known)
		}
		if err != nil {
			unverified <- err
			return
		}
		verified <- event
	}))
	t.Cleanup(receiver.Close)
	return receiver.URL, secret, verified, unverified
}
