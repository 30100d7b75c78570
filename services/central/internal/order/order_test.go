package order_test

import (
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/services/central/internal/order"
)

var at = time.Date(2026, 11, 22, 12, 0, 0, 125_600_000, time.UTC)

func orderWithQuote() contract.CentralOrder {
	o, _, err := order.Quote(contract.CentralOrder{Key: "k", Ref: "CO-1", Status: contract.CentralStatusSubmitted}, good(), at)
	if err != nil {
		panic(err)
	}
	return o
}

func good() contract.QuoteCentralData {
	option := contract.CentralOption{Fabricator: "A", LeadTimeDays: 10, TotalCents: 1500, Lines: []contract.Line{{Label: "Boards", Cents: 2000}, {Label: "Discount", Cents: -500}}}
	return contract.QuoteCentralData{Operator: "ann", ValidUntil: at.Add(time.Hour), Options: []contract.CentralOption{option, option}}
}

func TestQuote(t *testing.T) {
	t.Parallel()
	o := orderWithQuote()
	if q := o.Quote; q.Number != "CO-1-Q1" || q.IssuedAt != at.Truncate(time.Millisecond) || q.Options[1].ID != "opt_1_2" || q.Options[0].Currency != "USD" {
		t.Errorf("quote %+v", q)
	}
	again, event, err := order.Quote(o, good(), at)
	if err != nil || event != contract.CentralQuoted || again.Quote.Number != "CO-1-Q2" || again.Quote.Options[0].ID == o.Quote.Options[0].ID {
		t.Errorf("again %+v, %s, %v", again.Quote, event, err)
	}
	for name, tt := range map[string]struct {
		change func(*contract.QuoteCentralData)
		want   string
	}{
		"nobody":         {func(d *contract.QuoteCentralData) { d.Operator = "" }, "operator"},
		"no options":     {func(d *contract.QuoteCentralData) { d.Options = nil }, "options"},
		"valid no more":  {func(d *contract.QuoteCentralData) { d.ValidUntil = at.Add(-time.Second) }, "valid_until"},
		"valid for ever": {func(d *contract.QuoteCentralData) { d.ValidUntil = at.AddDate(2, 0, 0) }, "valid_until"},
		"another total":  {func(d *contract.QuoteCentralData) { d.Options[0].TotalCents++ }, "options.0.total_cents"},
		"nothing": {func(d *contract.QuoteCentralData) {
			d.Options[0].Lines, d.Options[0].TotalCents = []contract.Line{{Label: "x"}}, 0
		}, "options.0.total_cents"},
		"no fabricator": {func(d *contract.QuoteCentralData) { d.Options[1].Fabricator = " " }, "options.1.fabricator"},
		"no label":      {func(d *contract.QuoteCentralData) { d.Options[1].Lines = []contract.Line{{Cents: 1500}} }, "options.1.lines"},
		"lead time":     {func(d *contract.QuoteCentralData) { d.Options[1].LeadTimeDays = -1 }, "options.1.lead_time_days"},
	} {
		data := good()
		tt.change(&data)
		_, _, err := order.Quote(o, data, at)
		if r := contract.RefusalIn(err); r == nil || len(r.Fields) == 0 || r.Fields[0].Field != tt.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAccept(t *testing.T) {
	t.Parallel()
	o := orderWithQuote()
	terms := contract.CentralTerms{OptionID: "opt_1_2", QuoteNumber: "CO-1-Q1", IssuedAt: o.Quote.IssuedAt, TotalCents: 1500}
	accepted := o
	accepted.Status, accepted.Accepted = contract.CentralStatusAccepted, &contract.CentralAcceptance{CentralTerms: terms}
	submitted := o
	submitted.Status, submitted.Quote = contract.CentralStatusInReview, nil
	for name, tt := range map[string]struct {
		of     contract.CentralOrder
		change func(*contract.AcceptCentralData)
		at     time.Time
		event  contract.EventName
		code   contract.Code
	}{
		"as it was seen":         {o, func(*contract.AcceptCentralData) {}, at, contract.CentralAccepted, ""},
		"in another time zone":   {o, func(d *contract.AcceptCentralData) { d.IssuedAt = d.IssuedAt.In(time.FixedZone("x", 3600)) }, at, contract.CentralAccepted, ""},
		"not approved":           {o, func(d *contract.AcceptCentralData) { d.Approved = false }, at, "", contract.ApprovalRequired},
		"another option":         {o, func(d *contract.AcceptCentralData) { d.OptionID = "opt_1_3" }, at, "", contract.QuoteNotAccepted},
		"another number":         {o, func(d *contract.AcceptCentralData) { d.QuoteNumber = "CO-1-Q2" }, at, "", contract.QuoteNotAccepted},
		"a millisecond later":    {o, func(d *contract.AcceptCentralData) { d.IssuedAt = d.IssuedAt.Add(time.Millisecond) }, at, "", contract.QuoteNotAccepted},
		"a cent less":            {o, func(d *contract.AcceptCentralData) { d.TotalCents-- }, at, "", contract.QuoteNotAccepted},
		"too late":               {o, func(*contract.AcceptCentralData) {}, at.Add(time.Hour), "", contract.QuoteNotAccepted},
		"without a quote":        {submitted, func(*contract.AcceptCentralData) {}, at, "", contract.QuoteNotAccepted},
		"the same once more":     {accepted, func(*contract.AcceptCentralData) {}, at.Add(time.Hour), "", ""},
		"another after that one": {accepted, func(d *contract.AcceptCentralData) { d.OptionID = "opt_1_1" }, at, "", contract.QuoteNotAccepted},
	} {
		data := contract.AcceptCentralData{CentralTerms: terms, Approved: true, Key: "key1"}
		tt.change(&data)
		after, event, err := order.Accept(tt.of, data, "req_1", tt.at)
		code := contract.Code("")
		if r := contract.RefusalIn(err); r != nil {
			code = r.Code
		}
		if event != tt.event || code != tt.code || event != "" && (after.Accepted == nil || after.Status != contract.CentralStatusAccepted) {
			t.Errorf("%s: %q, %v; want %q, %q", name, event, err, tt.event, tt.code)
		}
	}
}

func TestMove(t *testing.T) {
	t.Parallel()
	parcel := &contract.Tracking{Carrier: "DHL", Number: "1"}
	for _, tt := range []struct {
		from  contract.CentralStatus
		data  contract.MoveCentralData
		event contract.EventName
	}{
		{contract.CentralStatusSubmitted, contract.MoveCentralData{Status: contract.CentralStatusInReview}, contract.CentralInReview},
		{contract.CentralStatusQuoted, contract.MoveCentralData{Status: contract.CentralStatusInReview}, contract.CentralInReview},
		{contract.CentralStatusSubmitted, contract.MoveCentralData{Status: contract.CentralStatusInProduction}, ""},
		{contract.CentralStatusAccepted, contract.MoveCentralData{Status: contract.CentralStatusInProduction, EstimatedShip: "2026-12-01"}, contract.CentralInProduction},
		{contract.CentralStatusAccepted, contract.MoveCentralData{Status: contract.CentralStatusCancelled}, contract.CentralCancelled},
		{contract.CentralStatusInProduction, contract.MoveCentralData{Status: contract.CentralStatusCancelled}, ""},
		{contract.CentralStatusInProduction, contract.MoveCentralData{Status: contract.CentralStatusShipped}, ""}, // no parcel
		{contract.CentralStatusInProduction, contract.MoveCentralData{Status: contract.CentralStatusShipped, Tracking: parcel}, contract.CentralShipped},
		{contract.CentralStatusShipped, contract.MoveCentralData{Status: contract.CentralStatusDelivered}, contract.CentralDelivered},
		{contract.CentralStatusShipped, contract.MoveCentralData{Status: contract.CentralStatusSubmitted}, ""},
		{contract.CentralStatusInProduction, contract.MoveCentralData{EstimatedShip: "2026-12-02"}, contract.CentralUpdated},
		{contract.CentralStatusInProduction, contract.MoveCentralData{EstimatedShip: "soon"}, ""},
		{contract.CentralStatusInProduction, contract.MoveCentralData{}, ""},
		{contract.CentralStatusInProduction, contract.MoveCentralData{Tracking: &contract.Tracking{Carrier: "DHL"}}, ""},
		{contract.CentralStatusCancelled, contract.MoveCentralData{Note: "x"}, ""},
		{contract.CentralStatusQuoted, contract.MoveCentralData{From: contract.CentralStatusQuoted, Status: contract.CentralStatusCancelled}, contract.CentralCancelled},
		{contract.CentralStatusAccepted, contract.MoveCentralData{From: contract.CentralStatusQuoted, Status: contract.CentralStatusCancelled}, ""}, // accepted meanwhile
	} {
		tt.data.Operator = "ann"
		after, event, err := order.Move(contract.CentralOrder{Status: tt.from, Quote: &contract.CentralQuote{}}, tt.data, at)
		if event != tt.event || (err == nil) == (event == "") {
			t.Errorf("%s to %+v: %q, %v", tt.from, tt.data, event, err)
		}
		if event == contract.CentralInReview && after.Quote != nil || event == contract.CentralShipped && after.Dates.Shipped == nil {
			t.Errorf("%s: %+v", event, after)
		}
	}
	if _, _, err := order.Move(contract.CentralOrder{}, contract.MoveCentralData{Note: "x"}, at); err == nil {
		t.Error("nobody's word counts")
	}
}

func TestReview(t *testing.T) {
	t.Parallel()
	found := []contract.CentralFinding{{Level: "note", What: "n"}, {Level: "must_fix", What: "m"}}
	o, event, err := order.Review(contract.CentralOrder{Status: contract.CentralStatusSubmitted}, contract.ReviewCentralData{Operator: "ann", Findings: found}, at)
	if err != nil || event != contract.CentralReviewed || o.Status != contract.CentralStatusInReview || o.Review.Findings[0].Level != "must_fix" {
		t.Errorf("%q, %v: %+v", event, err, o)
	}
	for _, wrong := range []contract.ReviewCentralData{{Findings: found}, {Operator: "ann", Findings: []contract.CentralFinding{{Level: "bad", What: "x"}}}, {Operator: "ann", Findings: make([]contract.CentralFinding, 101)}} {
		if _, _, err := order.Review(o, wrong, at); err == nil {
			t.Errorf("%+v was taken", wrong)
		}
	}
}

func TestRefs(t *testing.T) {
	t.Parallel()
	if a, b := order.Ref("a"), order.Ref("b"); a == b || !strings.HasPrefix(a, "CO-") || len(a) != 13 || a != order.Ref("a") {
		t.Errorf("refs %s, %s", a, b)
	}
}

// TestDeclared: of an order that is declared afterwards the check goes, and the
// files unless it is made in the United States.
func TestDeclared(t *testing.T) {
	t.Parallel()
	sent := contract.CentralOrder{
		Files: []contract.CentralFile{{Role: contract.CentralGerbers, Key: "k"}}, FilesUntil: time.Now(), Check: &contract.CentralCheck{},
	}
	for _, tt := range []struct {
		origin, said string
		keeps        bool
	}{{"", "us", true}, {"cn", "us", true}, {"us", "", true}, {"us", "cn", false}, {"", "", false}, {"cn", "", false}} {
		sent.BoardOrigin = tt.origin
		after, changed := order.DeclareITAR(sent, tt.said)
		if !changed || !after.ITAR || after.Check != nil || order.Keeps(after) != tt.keeps || after.FilesUntil.IsZero() == tt.keeps || order.Checkable(after) {
			t.Errorf("%+v: %v, %+v", tt, changed, after)
		}
		if tt.keeps && after.BoardOrigin != contract.USOrigin {
			t.Errorf("%+v: it is made in %q", tt, after.BoardOrigin)
		}
		if _, again := order.DeclareITAR(after, tt.said); again {
			t.Errorf("%+v: it is declared twice", tt)
		}
	}
	if !order.Keeps(sent) || sent.Check == nil {
		t.Error("the order before was changed")
	}
}
