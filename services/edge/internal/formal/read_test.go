package formal_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/shipments"
	"boardorder/services/edge/internal/edgetest"
	formalapi "boardorder/services/edge/internal/formal"

	"github.com/google/go-cmp/cmp"
)

func ptr[V any](v V) *V { return &v }

// TestRecord: an order as its customer reads it, with its money in cents and in words.
func TestRecord(t *testing.T) {
	t.Parallel()
	d := open(t)
	o := makeQuotedOrder()
	o.Quote.Note, o.Notes, o.Files[0].Key = "Panelized.", "Blue, please.", ""
	o.Tracking = &shipments.Tracking{Carrier: "DHL", Number: "1Z", URL: "https://dhl.test/1Z"}
	shipped := edgetest.At
	o.Dates.Shipped, o.Dates.EstimatedShip = &shipped, "2026-12-01"
	d.put(o)
	r := d.Get("/v1/orders/ord_1")
	got := edgetest.Decode[formalapi.Record](t, r)
	if got.QuotePDF == nil || !strings.HasPrefix(*got.QuotePDF, "https://boards.test/formal-quotes/") {
		t.Errorf("quote_pdf_url %v, want a signed link at https://boards.test", got.QuotePDF)
	}
	got.QuotePDF = nil
	want := formalapi.Record{
		OK: true, OrderID: "ord_1", OrderRef: "CO-1", RequestID: "po-7", Name: "Motor controller", Qty: 50, Status: formal.Quoted,
		Services: formal.Services{Fabrication: true}, BoardLayers: ptr(4), Notes: ptr("Blue, please."), Email: ptr("ada@example.com"),
		Files: []formalapi.File{{Field: "gerbers", Name: "board.zip", Size: 10, SHA256: "ab", Kept: false}},
		Quotes: []formalapi.Option{
			{
				OptionID: "opt_1", QuoteNumber: "Q-1", IssuedAt: "2026-11-20T09:30:00.120Z", ValidUntil: "2026-12-20T09:30:00.120Z", Fabricator: "North Fab", LeadTimeDays: 10,
				Lines: []formalapi.Line{{Label: "Line 1", Cents: 100_000, Amount: "$1,000.00"}, {Label: "Line 2", Cents: 23_450, Amount: "$234.50"}},
				Total: "$1,234.50", TotalCents: 123_450, Currency: "USD",
			},
			{
				OptionID: "opt_2", QuoteNumber: "Q-1", IssuedAt: "2026-11-20T09:30:00.120Z", ValidUntil: "2026-12-20T09:30:00.120Z", Fabricator: "South Fab", LeadTimeDays: 5,
				Lines: []formalapi.Line{{Label: "Line 1", Cents: 200_001, Amount: "$2,000.01"}}, Total: "$2,000.01", TotalCents: 200_001, Currency: "USD",
			},
		},
		QuoteNote: ptr("Panelized."),
		Dates:     formalapi.Dates{Submitted: "2026-11-19T09:30:00.120Z", Quoted: ptr("2026-11-20T09:30:00.120Z"), EstimatedShip: ptr("2026-12-01"), Shipped: ptr("2026-11-21T10:00:00.000Z")},
		Tracking:  &formalapi.Tracking{Carrier: "DHL", Number: "1Z", URL: ptr("https://dhl.test/1Z")},
		Timeline:  []formalapi.Moment{{What: "submitted", At: "2026-11-19T09:30:00.120Z"}, {What: "quoted", At: "2026-11-20T09:30:00.120Z", Note: ptr("Two ways.")}},
		Questions: []formalapi.Question{},
		Next:      "Show the customer the options in quotes. Only after the customer approved one of them explicitly, accept it with POST /v1/orders/ord_1/accept-quote.",

		MissingFiles: []string{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order of two options: -want +got\n%s", diff)
	}
	for _, secret := range []string{"central/k1", `"op"`, `"k1"`} {
		if strings.Contains(string(r.Body), secret) {
			t.Errorf("the record holds %s, which is ours alone:\n%s", secret, r.Body)
		}
	}
}

// TestAdvice: what is said to do next, by where an order stands and what it lacks.
func TestAdvice(t *testing.T) {
	t.Parallel()
	d := open(t)
	file := func(roles ...string) (out []formal.File) {
		for _, r := range roles {
			out = append(out, formal.File{Role: r, Key: "x"})
		}
		return out
	}
	all := formal.Services{Fabrication: true, PartProcurement: true, Assembly: true}
	for i, tt := range []struct {
		name    string
		status  formal.Status
		service formal.Services
		files   []formal.File
		now     time.Time
		says    string
		missing []string
	}{
		{"submitted", formal.Submitted, formal.Services{Fabrication: true}, file("gerbers"), edgetest.At, "looks at the order and issues a quote", []string{}},
		{"procurement without a list", formal.InReview, formal.Services{PartProcurement: true}, file("gerbers"), edgetest.At, "(bom)", []string{"bom"}},
		{"assembly without anything", formal.Submitted, formal.Services{Assembly: true}, nil, edgetest.At, "(bom, cpl, gerbers)", []string{"bom", "cpl", "gerbers"}},
		{"assembly of bare boards of ours", formal.Submitted, all, file("gerbers", "bom"), edgetest.At, "(cpl)", []string{"cpl"}},
		{"everything is there", formal.Submitted, all, file("gerbers", "bom", "cpl"), edgetest.At, "Read the order again to see it.", []string{}},
		{"a quote that lasts", formal.Quoted, all, file("gerbers", "bom", "cpl"), edgetest.At, "/accept-quote", []string{}},
		{"a quote to the moment", formal.Quoted, all, file("gerbers", "bom", "cpl"), makeQuotedOrder().Quote.ValidUntil, "could be accepted until 2026-12-20 09:30 UTC", []string{}},
		{"accepted", formal.Accepted, all, nil, edgetest.At, "The order is accepted.", []string{"bom", "cpl"}},
		{"in production", formal.InProduction, all, nil, edgetest.At, "The order is in production.", []string{"bom", "cpl"}},
		{"shipped", formal.Shipped, all, nil, edgetest.At, "The order is shipped.", []string{"bom", "cpl"}},
		{"delivered", formal.Delivered, all, nil, edgetest.At, "The order is delivered.", []string{"bom", "cpl"}},
		{"cancelled", formal.Cancelled, all, nil, edgetest.At, "The order is cancelled.", []string{"bom", "cpl"}},
	} {
		o := makeQuotedOrder()
		o.Key, o.ID, o.Ref = fmt.Sprintf("k%d", i), fmt.Sprintf("ord_%d", i), fmt.Sprintf("CO-%d", i)
		o.Status, o.Services, o.Files = tt.status, tt.service, tt.files
		d.put(o)
		d.Set(tt.now)
		got := edgetest.Decode[formalapi.Record](t, d.Get("/v1/orders/"+o.Ref))
		if !strings.Contains(got.Next, tt.says) || !slices.Equal(got.MissingFiles, tt.missing) {
			t.Errorf("%s: next %q, missing %v; want %q in it and %v", tt.name, got.Next, got.MissingFiles, tt.says, tt.missing)
		}
	}
}

// TestOrdersAreFound: by id or by ref, by their account alone.
func TestOrdersAreFound(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.put(makeQuotedOrder())
	for name, tt := range map[string]struct {
		path, account string
		status        int
		code          contract.Code
	}{
		"by id":                 {"/v1/orders/ord_1", "", 200, ""},
		"by ref":                {"/v1/orders/CO-1", "", 200, ""},
		"at the other address":  {"/central/orders/CO-1", "", 200, ""},
		"by key":                {"/v1/orders/k1", "", 404, contract.OrderNotFound},
		"of another":            {"/v1/orders/ord_1", "acc_2", 404, contract.OrderNotFound},
		"of another, by ref":    {"/v1/orders/CO-1/design-review", "acc_2", 404, contract.OrderNotFound},
		"of another, its quote": {"/v1/orders/CO-1/quote.pdf", "acc_2", 404, contract.OrderNotFound},
		"of nobody":             {"/v1/orders/ord_2", "", 404, contract.OrderNotFound},
		"of 80 characters":      {"/v1/orders/" + strings.Repeat("o", 80), "", 404, contract.OrderNotFound},
		"of 81 characters":      {"/v1/orders/" + strings.Repeat("o", 81), "", 422, ""},
	} {
		if r := d.Get(tt.path, edgetest.AccountHeader, tt.account); r.Status != tt.status || r.Code() != tt.code {
			t.Errorf("%s: GET %s as %q: %d %s, want %d %s", name, tt.path, tt.account, r.Status, r.Code(), tt.status, tt.code)
		}
	}
	d.CloseDocs()
	for _, path := range []string{"/v1/orders", "/v1/orders/ord_1", "/v1/orders/ord_1/design-review"} {
		if r := d.Get(path); r.Status != 503 || r.Code() != contract.Unavailable {
			t.Errorf("GET %s without a projection: %d %s, want 503 %s", path, r.Status, r.Code(), contract.Unavailable)
		}
	}
}

// TestPages: the account's own orders, newest first, a page at a time.
func TestPages(t *testing.T) {
	t.Parallel()
	d := open(t)
	type list struct {
		Orders     []formalapi.Record
		HasMore    bool    `json:"has_more"`
		NextCursor *string `json:"next_cursor"`
	}
	if got := edgetest.Decode[list](t, d.Get("/v1/orders")); got.Orders == nil || len(got.Orders) != 0 || got.HasMore || got.NextCursor != nil {
		t.Errorf("list of no orders: %+v, want an empty list that ends", got)
	}
	for i := range 25 {
		o := makeQuotedOrder()
		o.Key, o.ID, o.Ref = fmt.Sprintf("k%02d", i), fmt.Sprintf("ord_%02d", i), fmt.Sprintf("CO-%02d", i)
		if i == 7 {
			o.Account = "acc_2"
		}
		d.Set(edgetest.At.Add(time.Duration(i) * time.Minute))
		d.put(o)
	}
	var ids []string
	cursor := ""
	for page := range 4 {
		got := edgetest.Decode[list](t, d.Get("/v1/orders?limit=10&cursor="+cursor))
		for _, o := range got.Orders {
			ids = append(ids, o.OrderID)
		}
		if got.HasMore != (got.NextCursor != nil) || got.HasMore != (page < 2) {
			t.Fatalf("page %d: has_more %t, next_cursor %v; want more of pages 0 and 1 alone", page, got.HasMore, got.NextCursor)
		}
		if !got.HasMore {
			break
		}
		cursor = *got.NextCursor
	}
	var want []string
	for i := 24; i >= 0; i-- {
		if i != 7 {
			want = append(want, fmt.Sprintf("ord_%02d", i))
		}
	}
	if !slices.Equal(ids, want) {
		t.Errorf("three pages of 10: %v, want %v", ids, want)
	}
	for query, tt := range map[string]struct {
		count int
		wrong []string
	}{
		"":                  {20, nil},
		"?limit=1":          {1, nil},
		"?limit=100":        {24, nil},
		"?limit=0":          {0, []string{"query.limit greater_than_equal"}},
		"?limit=101":        {0, []string{"query.limit less_than_equal"}},
		"?limit=many":       {0, []string{"query.limit int_parsing"}},
		"?limit=":           {0, []string{"query.limit int_parsing"}},
		"?cursor=elsewhere": {0, []string{"query.cursor value_error"}},
	} {
		r := d.Get("/central/orders" + query)
		if got := edgetest.Decode[list](t, r); len(got.Orders) != tt.count || len(tt.wrong) > 0 && !slices.Equal(r.Details(), tt.wrong) {
			t.Errorf("GET /central/orders%s: %d orders, refused %v; want %d, %v", query, len(got.Orders), r.Details(), tt.count, tt.wrong)
		}
	}
}

// TestReviews: what is said of a design, by what was found and whether it may be looked at.
func TestReviews(t *testing.T) {
	t.Parallel()
	d := open(t)
	at := edgetest.At
	found := formal.Finding{Level: "must_fix", Check: "drill", What: "A hole is too small."}
	for i, tt := range []struct {
		name   string
		change func(*formal.Order)
		status designchecks.Status
		why    string
		again  bool // there is more to come
		team   string
	}{
		{"not checked yet", func(*formal.Order) {}, designchecks.Running, "", true, "pending"},
		{"controlled", func(o *formal.Order) { o.ITAR = true }, formal.NotRun, "ITAR", false, "pending"},
		{"no Gerbers", func(o *formal.Order) { o.Files = nil }, formal.NotRun, "no Gerbers", false, "pending"},
		{"cancelled", func(o *formal.Order) { o.Status = formal.Cancelled }, formal.NotRun, "cancelled", false, "pending"},
		{"passed", func(o *formal.Order) { o.Check = &formal.Check{Status: designchecks.Pass, At: at} }, designchecks.Pass, "", false, "pending"},
		{"checked and cancelled", func(o *formal.Order) {
			o.Check, o.Status = &formal.Check{Status: designchecks.MustFix, Findings: []formal.Finding{found}, MoreFindings: 3, At: at}, formal.Cancelled
		}, designchecks.MustFix, "", false, "pending"},
		{"not readable", func(o *formal.Order) { o.Check = &formal.Check{Status: formal.NotRun, Why: "No outline.", At: at} }, formal.NotRun, "No outline.", false, "pending"},
		{"reviewed", func(o *formal.Order) {
			o.Review = &formal.Review{Operator: "op", Findings: []formal.Finding{found}, Note: "See drill.", At: at}
		}, designchecks.Running, "", true, "done"},
	} {
		o := makeQuotedOrder()
		o.Key, o.ID = fmt.Sprintf("k%d", i), fmt.Sprintf("ord_%d", i)
		tt.change(&o)
		d.put(o)
		r := d.Get("/v1/orders/" + o.ID + "/design-review")
		got := edgetest.Decode[struct {
			Review struct {
				Status   string
				Findings []formal.Finding
			}
			DesignCheck struct {
				Status      designchecks.Status
				Why         string
				Findings    []formal.Finding
				Assumed     []string
				RetryAfterS int `json:"retry_after_s"`
			} `json:"design_check"`
		}](t, r)
		c := got.DesignCheck
		if c.Status != tt.status || !strings.Contains(c.Why, tt.why) || (c.RetryAfterS > 0) != tt.again || (r.Header.Get("Retry-After") != "") != tt.again || got.Review.Status != tt.team {
			t.Errorf("%s: %s (%q), again %d, team %s; want %s (%q), again %t, team %s", tt.name, c.Status, c.Why, c.RetryAfterS, got.Review.Status, tt.status, tt.why, tt.again, tt.team)
		}
		if c.Findings == nil || c.Assumed == nil || got.Review.Findings == nil {
			t.Errorf("%s: %s, want lists, empty where nothing was found", tt.name, r.Body)
		}
	}
}

// TestQuoteDocuments: a quote is a PDF for its account and for who has the link, while
// it is the current one.
func TestQuoteDocuments(t *testing.T) {
	t.Parallel()
	link := func(d *desk, o formal.Order) string {
		return strings.TrimPrefix(edgetest.Decode[struct {
			URL string `json:"quote_pdf_url"`
		}](t, d.Get("/v1/orders/"+o.ID)).URL, "https://boards.test")
	}
	for name, tt := range map[string]struct {
		change func(*formal.Order) // after the link was given
		alter  func(string) string
		now    time.Time
		status int
		code   contract.Code
	}{
		"as it was given":        {nil, nil, edgetest.At, 200, ""},
		"after the quote ended":  {nil, nil, makeQuotedOrder().Quote.ValidUntil.Add(time.Hour), 200, ""},
		"90 days after that":     {nil, nil, makeQuotedOrder().Quote.ValidUntil.AddDate(0, 0, 91), 410, contract.LinkExpired},
		"of a quote before":      {func(o *formal.Order) { o.Quote.Number = "Q-2" }, nil, edgetest.At, 410, contract.LinkExpired},
		"of a quote drawn back":  {func(o *formal.Order) { o.Quote = nil }, nil, edgetest.At, 410, contract.LinkExpired},
		"of one controlled then": {func(o *formal.Order) { o.ITAR = true }, nil, edgetest.At, 410, contract.LinkExpired},
		"altered":                {nil, func(s string) string { return strings.Replace(s, ".pdf", "x.pdf", 1) }, edgetest.At, 0, contract.LinkInvalid},
	} {
		d := open(t)
		o := makeQuotedOrder()
		d.put(o)
		path := link(d, o)
		if tt.change != nil {
			tt.change(&o)
			d.put(o)
		}
		if tt.alter != nil {
			path = tt.alter(path)
		}
		d.Set(tt.now)
		r := d.Get(path)
		if tt.status != 0 && r.Status != tt.status || r.Code() != tt.code || r.Status == 200 && !strings.HasPrefix(string(r.Body), "%PDF-") {
			t.Errorf("%s: GET %s: %d %s, want %d %s", name, path, r.Status, r.Code(), tt.status, tt.code)
		}
	}
	d := open(t)
	o := makeQuotedOrder()
	o.ITAR = true
	d.put(o)
	if got := link(d, o); got != "/v1/orders/ord_1/quote.pdf" {
		t.Errorf("link to the quote of a controlled order: %s, want the address that takes a key", got)
	}
	if r := d.Get("/v1/orders/ord_1/quote.pdf"); r.Status != 200 || r.Header.Get("Cache-Control") != "private, no-store" || r.Header.Get("Content-Disposition") != `inline; filename="Q-1.pdf"` {
		t.Errorf("GET quote.pdf: %d %v, want a document Q-1.pdf that nobody keeps", r.Status, r.Header)
	}
	o.Quote = nil
	d.put(o)
	if r := d.Get("/v1/orders/ord_1/quote.pdf"); r.Status != 404 || r.Code() != contract.NotFound {
		t.Errorf("GET quote.pdf of no quote: %d %s, want 404 %s", r.Status, r.Code(), contract.NotFound)
	}
}
