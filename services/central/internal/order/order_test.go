package order_test

import (
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/shipments"
	"boardorder/services/central/internal/order"
)

var at = time.Date(2026, 11, 22, 12, 0, 0, 125_600_000, time.UTC)

func orderWithQuote() formal.Order {
	o, _, err := order.Quote(formal.Order{Key: "k", Ref: "CO-1", Status: formal.Submitted}, good(), at)
	if err != nil {
		panic(err)
	}
	return o
}

func good() formal.IssueQuoteData {
	option := formal.Option{Fabricator: "A", LeadTimeDays: 10, TotalCents: 1500, Lines: []prices.Line{{Label: "Boards", Cents: 2000}, {Label: "Discount", Cents: -500}}}
	return formal.IssueQuoteData{Operator: "ann", ValidUntil: at.Add(time.Hour), Options: []formal.Option{option, option}}
}

func TestQuote(t *testing.T) {
	t.Parallel()
	o := orderWithQuote()
	if q := o.Quote; q.Number != "CO-1-Q1" || q.IssuedAt != at.Truncate(time.Millisecond) || q.Options[1].ID != "opt_1_2" || q.Options[0].Currency != "USD" {
		t.Errorf("quote %+v, want CO-1-Q1 at %s, the second option opt_1_2, in USD", q, at.Truncate(time.Millisecond))
	}
	again, event, err := order.Quote(o, good(), at)
	if err != nil || event != formal.EventQuoted || again.Quote.Number != "CO-1-Q2" || again.Quote.Options[0].ID == o.Quote.Options[0].ID {
		t.Errorf("again %+v, %s, %v", again.Quote, event, err)
	}
	for name, tt := range map[string]struct {
		change func(*formal.IssueQuoteData)
		want   string
	}{
		"nobody":         {func(d *formal.IssueQuoteData) { d.Operator = "" }, "operator"},
		"no options":     {func(d *formal.IssueQuoteData) { d.Options = nil }, "options"},
		"valid no more":  {func(d *formal.IssueQuoteData) { d.ValidUntil = at.Add(-time.Second) }, "valid_until"},
		"valid for ever": {func(d *formal.IssueQuoteData) { d.ValidUntil = at.AddDate(2, 0, 0) }, "valid_until"},
		"another total":  {func(d *formal.IssueQuoteData) { d.Options[0].TotalCents++ }, "options.0.total_cents"},
		"nothing": {func(d *formal.IssueQuoteData) {
			d.Options[0].Lines, d.Options[0].TotalCents = []prices.Line{{Label: "x"}}, 0
		}, "options.0.total_cents"},
		"no fabricator": {func(d *formal.IssueQuoteData) { d.Options[1].Fabricator = " " }, "options.1.fabricator"},
		"no label":      {func(d *formal.IssueQuoteData) { d.Options[1].Lines = []prices.Line{{Cents: 1500}} }, "options.1.lines"},
		"lead time":     {func(d *formal.IssueQuoteData) { d.Options[1].LeadTimeDays = -1 }, "options.1.lead_time_days"},
	} {
		data := good()
		tt.change(&data)
		_, _, err := order.Quote(o, data, at)
		if r := contract.RefusalIn(err); r == nil || len(r.Fields) == 0 || r.Fields[0].Field != tt.want {
			t.Errorf("%s: quote %+v: %v, want a refusal of %s", name, data, err, tt.want)
		}
	}
}

func TestAccept(t *testing.T) {
	t.Parallel()
	o := orderWithQuote()
	terms := formal.Terms{OptionID: "opt_1_2", QuoteNumber: "CO-1-Q1", IssuedAt: o.Quote.IssuedAt, TotalCents: 1500}
	accepted := o
	accepted.Status, accepted.Accepted = formal.Accepted, &formal.Acceptance{Terms: terms}
	submitted := o
	submitted.Status, submitted.Quote = formal.InReview, nil
	for name, tt := range map[string]struct {
		of     formal.Order
		change func(*formal.AcceptQuoteData)
		at     time.Time
		event  contract.EventName
		code   contract.Code
	}{
		"as it was seen":         {o, func(*formal.AcceptQuoteData) {}, at, formal.EventAccepted, ""},
		"in another time zone":   {o, func(d *formal.AcceptQuoteData) { d.IssuedAt = d.IssuedAt.In(time.FixedZone("x", 3600)) }, at, formal.EventAccepted, ""},
		"not approved":           {o, func(d *formal.AcceptQuoteData) { d.Approved = false }, at, "", contract.ApprovalRequired},
		"another option":         {o, func(d *formal.AcceptQuoteData) { d.OptionID = "opt_1_3" }, at, "", contract.QuoteNotAccepted},
		"another number":         {o, func(d *formal.AcceptQuoteData) { d.QuoteNumber = "CO-1-Q2" }, at, "", contract.QuoteNotAccepted},
		"a millisecond later":    {o, func(d *formal.AcceptQuoteData) { d.IssuedAt = d.IssuedAt.Add(time.Millisecond) }, at, "", contract.QuoteNotAccepted},
		"a cent less":            {o, func(d *formal.AcceptQuoteData) { d.TotalCents-- }, at, "", contract.QuoteNotAccepted},
		"too late":               {o, func(*formal.AcceptQuoteData) {}, at.Add(time.Hour), "", contract.QuoteNotAccepted},
		"without a quote":        {submitted, func(*formal.AcceptQuoteData) {}, at, "", contract.QuoteNotAccepted},
		"the same once more":     {accepted, func(*formal.AcceptQuoteData) {}, at.Add(time.Hour), "", ""},
		"another after that one": {accepted, func(d *formal.AcceptQuoteData) { d.OptionID = "opt_1_1" }, at, "", contract.QuoteNotAccepted},
	} {
		data := formal.AcceptQuoteData{Terms: terms, Approved: true, Key: "key1"}
		tt.change(&data)
		after, event, err := order.Accept(tt.of, data, "req_1", tt.at)
		code := contract.Code("")
		if r := contract.RefusalIn(err); r != nil {
			code = r.Code
		}
		if event != tt.event || code != tt.code || event != "" && (after.Accepted == nil || after.Status != formal.Accepted) {
			t.Errorf("%s: %q, %v; want %q, %q", name, event, err, tt.event, tt.code)
		}
	}
}

func TestMove(t *testing.T) {
	t.Parallel()
	parcel := &shipments.Tracking{Carrier: "DHL", Number: "1"}
	for _, tt := range []struct {
		from  formal.Status
		data  formal.MoveData
		event contract.EventName
	}{
		{formal.Submitted, formal.MoveData{Status: formal.InReview}, formal.EventInReview},
		{formal.Quoted, formal.MoveData{Status: formal.InReview}, formal.EventInReview},
		{formal.Submitted, formal.MoveData{Status: formal.InProduction}, ""},
		{formal.Accepted, formal.MoveData{Status: formal.InProduction, EstimatedShip: "2026-12-01"}, formal.EventInProduction},
		{formal.Accepted, formal.MoveData{Status: formal.Cancelled}, formal.EventCancelled},
		{formal.InProduction, formal.MoveData{Status: formal.Cancelled}, ""},
		{formal.InProduction, formal.MoveData{Status: formal.Shipped}, ""}, // no parcel
		{formal.InProduction, formal.MoveData{Status: formal.Shipped, Tracking: parcel}, formal.EventShipped},
		{formal.Shipped, formal.MoveData{Status: formal.Delivered}, formal.EventDelivered},
		{formal.Shipped, formal.MoveData{Status: formal.Submitted}, ""},
		{formal.InProduction, formal.MoveData{EstimatedShip: "2026-12-02"}, formal.EventUpdated},
		{formal.InProduction, formal.MoveData{EstimatedShip: "soon"}, ""},
		{formal.InProduction, formal.MoveData{}, ""},
		{formal.InProduction, formal.MoveData{Tracking: &shipments.Tracking{Carrier: "DHL"}}, ""},
		{formal.Cancelled, formal.MoveData{Note: "x"}, ""},
		{formal.Quoted, formal.MoveData{From: formal.Quoted, Status: formal.Cancelled}, formal.EventCancelled},
		{formal.Accepted, formal.MoveData{From: formal.Quoted, Status: formal.Cancelled}, ""}, // accepted meanwhile
	} {
		tt.data.Operator = "ann"
		after, event, err := order.Move(formal.Order{Status: tt.from, Quote: &formal.Quote{}}, tt.data, at)
		if event != tt.event || (err == nil) == (event == "") {
			t.Errorf("%s to %+v: %q, %v", tt.from, tt.data, event, err)
		}
		if event == formal.EventInReview && after.Quote != nil || event == formal.EventShipped && after.Dates.Shipped == nil {
			t.Errorf("%s to %+v, %s: %+v; want no quote in review, and a date once shipped", tt.from, tt.data, event, after)
		}
	}
	if _, _, err := order.Move(formal.Order{}, formal.MoveData{Note: "x"}, at); err == nil {
		t.Error("nobody's word counts")
	}
}

func TestReview(t *testing.T) {
	t.Parallel()
	found := []formal.Finding{{Level: "note", What: "n"}, {Level: "must_fix", What: "m"}}
	o, event, err := order.Review(formal.Order{Status: formal.Submitted}, formal.RecordReviewData{Operator: "ann", Findings: found}, at)
	if err != nil || event != formal.EventReviewed || o.Status != formal.InReview || o.Review.Findings[0].Level != "must_fix" {
		t.Errorf("Review of %+v = %q, %v: %+v; want %s, the order in review, what must be mended first", found, event, err, o, formal.EventReviewed)
	}
	for _, wrong := range []formal.RecordReviewData{{Findings: found}, {Operator: "ann", Findings: []formal.Finding{{Level: "bad", What: "x"}}}, {Operator: "ann", Findings: make([]formal.Finding, 101)}} {
		if _, _, err := order.Review(o, wrong, at); err == nil {
			t.Errorf("%+v was taken", wrong)
		}
	}
}

func TestRefs(t *testing.T) {
	t.Parallel()
	if a, b := order.Ref("a"), order.Ref("b"); a == b || !strings.HasPrefix(a, "CO-") || len(a) != 13 || a != order.Ref("a") {
		t.Errorf("refs %s, %s; want two, of CO- and 13 characters, the same again", a, b)
	}
}

// TestDeclared: of an order that is declared afterwards the check goes, and the
// files unless it is made in the United States.
func TestDeclared(t *testing.T) {
	t.Parallel()
	sent := formal.Order{
		Files: []formal.File{{Role: formal.Gerbers, Key: "k"}}, FilesUntil: time.Now(), Check: &formal.Check{},
	}
	for _, tt := range []struct {
		origin, message string
		keeps           bool
	}{{"", "us", true}, {"cn", "us", true}, {"us", "", true}, {"us", "cn", false}, {"", "", false}, {"cn", "", false}} {
		sent.BoardOrigin = tt.origin
		after, changed := order.DeclareITAR(sent, tt.message)
		if !changed || !after.ITAR || after.Check != nil || order.Keeps(after) != tt.keeps || after.FilesUntil.IsZero() == tt.keeps || order.Checkable(after) {
			t.Errorf("DeclareITAR of %+v: changed %t, files kept %t, %+v; want it changed, controlled, without a check, files kept: %t", tt, changed, order.Keeps(after), after, tt.keeps)
		}
		if tt.keeps && after.BoardOrigin != formal.USOrigin {
			t.Errorf("%+v: it is made in %q, want %q", tt, after.BoardOrigin, formal.USOrigin)
		}
		if _, again := order.DeclareITAR(after, tt.message); again {
			t.Errorf("%+v: it is declared twice", tt)
		}
	}
	if !order.Keeps(sent) || sent.Check == nil {
		t.Error("the order before was changed")
	}
}
