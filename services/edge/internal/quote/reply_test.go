package quote

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/dispatch"

	"github.com/google/go-cmp/cmp"
)

// The reply that is made without decoding the quote is the one that decoding
// and encoding it would give, byte for byte.
func TestReplyIsTheStoredOneWithTheEdgesFields(t *testing.T) {
	t.Parallel()
	keys, err := secret.New(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	q := &Quotes{Client: &dispatch.Client{Secrets: keys, PublicURL: "https://shop.example/?a=<b>&c"}}
	at := time.Date(2026, 11, 21, 1, 2, 3, 456789012, time.UTC)
	total, words, cents, no := "USD 12.50", "2 layers, \"green\" <&> ü\u2028", int64(1250), false
	full := quotes.Reply{
		Quantity: 10, Total: &total, TotalCents: &cents, Lines: []prices.Line{{Label: words, Cents: 1250}},
		BoardDetails: &quotes.BoardDetails{Layers: 2, ThicknessMM: 1.6}, BoardDetailsFrom: map[string]string{"ok": "files", "layers": "request"},
		ShippingOptions: []quotes.ShippingOption{{ID: "dhl", Carrier: "mode"}}, Board: &words, SavedDetails: &no,
		InYourCurrency: &prices.CurrencyPrice{Currency: "EUR"}, ExpiresAt: &at, PriceBasis: map[string]string{"duty": "{}"},
	}
	orders := map[string]string{
		"instant": `{"board_order":1,"quantity":0,"thickness_mm":1.6}`, "no picture": `{"board_order":1,"quantity":0,"thickness_mm":1.6}`, "review": `{"board_order":1,"quantity":0}`,
	}
	for name, quote := range map[string]quotes.Quote{
		"instant":    {Ref: "r", RequestID: "req_1", Mode: quotes.ModeInstant, Reply: full, Picture: "p.png", ExpiresAt: at, Pricing: json.RawMessage(`{"reply":{"ok":1}}`)},
		"no picture": {Ref: "r", RequestID: "req_1", Mode: quotes.ModeInstant, Reply: full, ExpiresAt: at},
		"review":     {Ref: "r", RequestID: "req_2", Mode: quotes.ModeReview, Reply: quotes.Reply{CustomQuoteReasons: []string{words}}},
	} {
		doc, err := json.Marshal(quote)
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(q.contractReply(quote))
		if err != nil {
			t.Fatal(err)
		}
		got, err := q.reply(doc, "0", false, map[string]any{})
		want = append(want[:len(want)-1], `,"board_order":`+orders[name]+"}"...)
		if diff := cmp.Diff(string(want), string(got)); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got)\n%s", name, err, diff)
		}
	}
}

// contractReply is the reply in the way of the contract's types.
func (q *Quotes) contractReply(quote quotes.Quote) quotes.Reply {
	r := quote.Reply
	r.OK, r.Mode, r.RequestID = true, quote.Mode, &quote.RequestID
	r.QuoteID = q.Secrets.QuoteID(quote.RequestID)
	r.CheckoutURL = q.checkoutURL(r.QuoteID)
	if r.ExpiresAt != nil {
		at := millis(*r.ExpiresAt)
		r.ExpiresAt = &at
	}
	if quote.Picture != "" {
		url := q.PublicURL + "/board-images/" + q.Secrets.Link(pictureLink, quote.Ref+"-0", quote.ExpiresAt) + ".png"
		r.BoardImageURL = &url
	}
	return r
}

func TestReplyOfNoQuote(t *testing.T) {
	t.Parallel()
	q := &Quotes{}
	for _, doc := range []string{`{}`, `null`, `{"ref":"r","request_id":"req_1"}`, `{"ref":"r","request_id":"req_1","reply":null}`} {
		if got, err := q.reply([]byte(doc), "0", false, map[string]any{}); err == nil {
			t.Errorf("reply of %s = %s, want an error", doc, got)
		}
	}
}

// What was found is said in the notes, and leads to pictures; where blobs lie is
// nobody's business.
func TestFindingsOfAReply(t *testing.T) {
	t.Parallel()
	keys, err := secret.New(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	q := &Quotes{Client: &dispatch.Client{Secrets: keys, PublicURL: "https://shop.example"}}
	quote := quotes.Quote{Ref: "r", RequestID: "req_1", Mode: quotes.ModeInstant, Picture: "p.png", Reply: quotes.Reply{
		Notes: []string{"First."}, BoardFindings: []contract.Finding{
			{Level: "must_fix", Check: "short", What: "GND and VCC are joined", Image: "boards/d/0.png"}, {Level: "note", Check: "x", What: "beside"},
		},
	}}
	doc, err := json.Marshal(quote)
	if err != nil {
		t.Fatal(err)
	}
	got, err := q.reply(doc, "0", false, map[string]any{})
	if err != nil {
		t.Fatal(err)
	}
	var reply struct {
		Notes    []string         `json:"notes"`
		Findings []map[string]any `json:"board_findings"`
	}
	if err := json.Unmarshal(got, &reply); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(got, []byte("boards/d")) {
		t.Errorf("the reply says where blobs lie: %s", got)
	}
	if len(reply.Notes) != 3 || reply.Notes[0] != "First." || !strings.Contains(reply.Notes[1], "one thing that the customer has to confirm") || reply.Notes[2] != "GND and VCC are joined." {
		t.Errorf("notes %q, want 3: the first, that a thing is to be confirmed, that GND and VCC are joined", reply.Notes)
	}
	url, _ := reply.Findings[0]["image_url"].(string)
	if len(reply.Findings) != 2 || !strings.HasPrefix(url, "https://shop.example/board-images/") || !strings.HasSuffix(url, "/finding-0.png") || reply.Findings[1]["image_url"] != nil {
		t.Errorf("findings %v, want two, the first with a picture at shop.example", reply.Findings)
	}
	for name, want := range map[string]string{"": "", "finding-0.png": "boards/d/0.png", "finding-1.png": "", "finding-2.png": "", "finding-x.png": "", "0.png": ""} {
		if got := findingPicture(quote, name); got != want {
			t.Errorf("picture %q = %q, want %q", name, got, want)
		}
	}
}
