package formal_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/shipments"

	"github.com/google/go-cmp/cmp"
)

var issued = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// order is one with something in every field that tells of its customer.
func order() formal.Order {
	layers := 4
	return formal.Order{
		Key: "key", ID: "ord_1", Ref: "CO-1", Account: "acc", RequestID: "r1", Submission: "cmd", Status: formal.Quoted,
		Form: formal.Form{
			Name: "Rocket", Qty: 5, Services: formal.Services{Fabrication: true}, BoardLayers: &layers, BoardOrigin: "us", ProductionSpec: "as drawn", TargetDate: "2026-05-01", CustomerPO: "PO-7", Notes: "call Ann", Email: "ann@example.com",
		},
		Files:  []formal.File{{Role: formal.Gerbers, Name: "rocket.zip", Size: 9, SHA256: "aa", Key: "central/key/1"}, {Role: formal.BOM, Name: "bom.csv"}},
		Issued: 2, Quote: &formal.Quote{
			Number: "Q-2", IssuedAt: issued, ValidUntil: issued.Add(30 * 24 * time.Hour), Operator: "pia", Note: "for Ann", Seller: []string{"Shop"},
			Options: []formal.Option{{ID: "a", Fabricator: "North", LeadTimeDays: 10, Lines: []prices.Line{{Label: "Boards", Cents: 5000}}, TotalCents: 5000, Currency: "USD"}, {ID: "b", TotalCents: 7000}},
		},
		Review: &formal.Review{Operator: "pia", Note: "her rocket"}, Check: &formal.Check{Status: designchecks.Status("pass"), Board: "rocket"}, Tracking: &shipments.Tracking{},
		Timeline:   []formal.Moment{{What: formal.EventSubmitted, At: issued, Note: "hello Ann"}, {What: formal.EventQuoted, At: issued, By: "pia"}},
		FilesUntil: issued.Add(time.Hour),
	}
}

// TestNext: an order goes forward only; it can be cancelled before production and not after,
// and only a quote and its acceptance make it quoted and accepted.
func TestNext(t *testing.T) {
	t.Parallel()
	for status, want := range map[formal.Status][]formal.Status{
		formal.Submitted: {formal.InReview, formal.Cancelled}, formal.InReview: {formal.Cancelled}, formal.Quoted: {formal.InReview, formal.Cancelled}, formal.Accepted: {formal.InProduction, formal.Cancelled},
		formal.InProduction: {formal.Shipped}, formal.Shipped: {formal.Delivered}, formal.Delivered: nil, formal.Cancelled: nil, "": nil, "lost": nil,
	} {
		if got := status.Next(); !slices.Equal(got, want) {
			t.Errorf("from %q the team sends to %q, want %q", status, got, want)
		}
	}
	all := formal.Statuses()
	for i, s := range all {
		for _, next := range s.Next() {
			if slices.Contains([]formal.Status{formal.Quoted, formal.Accepted, formal.Submitted}, next) || !slices.Contains(all, next) {
				t.Errorf("from %q the team sends to %q, want what it may decide", s, next)
			}
		}
		if slices.Contains(all[:i], s) {
			t.Errorf("%q is listed twice among %q", s, all)
		}
	}
}

// TestRefusal: what an order must have, in the order in which it is asked for: ITAR before
// anything of the files is looked at.
func TestRefusal(t *testing.T) {
	t.Parallel()
	layers := 2
	for rule, tt := range map[string]struct {
		form  formal.Form
		files []string
		want  contract.Code
	}{
		"boards":                        {formal.Form{Services: formal.Services{Fabrication: true}, BoardLayers: &layers}, []string{formal.Gerbers}, ""},
		"boards with a list and places": {formal.Form{Services: formal.Services{Fabrication: true, Assembly: true}, BoardLayers: &layers}, []string{formal.Gerbers, formal.BOM, formal.CPL}, ""},
		"parts alone":                   {formal.Form{Services: formal.Services{PartProcurement: true}, BoardLayers: &layers}, []string{formal.BOM}, ""},
		"no file":                       {formal.Form{BoardLayers: &layers}, nil, contract.DesignOrBOMRequired},
		"places alone":                  {formal.Form{BoardLayers: &layers}, []string{formal.CPL}, contract.DesignOrBOMRequired},
		"boards without Gerbers":        {formal.Form{Services: formal.Services{Fabrication: true}, BoardLayers: &layers}, []string{formal.BOM}, contract.GerbersRequired},
		"no number of layers":           {formal.Form{Services: formal.Services{Fabrication: true}}, []string{formal.Gerbers}, contract.LayersRequired},
		"controlled, of anywhere":       {formal.Form{ITAR: true, BoardLayers: &layers}, []string{formal.Gerbers}, contract.ITAROrigin},
		"controlled, of Canada":         {formal.Form{ITAR: true, BoardOrigin: "ca", BoardLayers: &layers}, []string{formal.Gerbers}, contract.ITAROrigin},
		"controlled, in capitals":       {formal.Form{ITAR: true, BoardOrigin: "US", BoardLayers: &layers}, []string{formal.Gerbers}, contract.ITAROrigin},
		"controlled, of nowhere, empty": {formal.Form{ITAR: true}, nil, contract.ITAROrigin},
		"controlled, of the US":         {formal.Form{ITAR: true, BoardOrigin: formal.USOrigin, BoardLayers: &layers}, []string{formal.Gerbers}, ""},
	} {
		got := contract.Code("")
		if r := tt.form.Refusal(func(role string) bool { return slices.Contains(tt.files, role) }); r != nil {
			got = r.Code
		}
		if got != tt.want {
			t.Errorf("%s: %+v with %q is refused as %q, want %q", rule, tt.form, tt.files, got, tt.want)
		}
	}
}

// TestKey: what was sent under one request_id of one account is one order, and nothing else is.
func TestKey(t *testing.T) {
	t.Parallel()
	keys := map[string][2]string{}
	for _, of := range [][2]string{{"a", "b"}, {"ab", ""}, {"", "ab"}, {"a", "c"}, {"b", "a"}} {
		key := formal.Key(of[0], of[1])
		if before, taken := keys[key]; taken || key != formal.Key(of[0], of[1]) {
			t.Errorf("account and request %q have the key %s, and so have %q; want one of their own that stays", of, key, before)
		}
		keys[key] = of
	}
}

// TestQuote: a quote ends at the very moment that it names, and an option is known by its id.
func TestQuote(t *testing.T) {
	t.Parallel()
	o := order()
	for at, want := range map[time.Time]bool{issued: false, o.Quote.ValidUntil.Add(-time.Nanosecond): false, o.Quote.ValidUntil: true, o.Quote.ValidUntil.Add(time.Hour): true} {
		if got := o.Quote.HasEnded(at); got != want {
			t.Errorf("at %s a quote that holds until %s has ended %t, want %t", at, o.Quote.ValidUntil, got, want)
		}
	}
	for id, want := range map[string]int64{"a": 5000, "b": 7000, "c": 0, "": 0} {
		got := int64(0)
		if option := o.Quote.Option(id); option != nil {
			got = option.TotalCents
		}
		if got != want {
			t.Errorf("the option %q costs %d cents, want %d", id, got, want)
		}
	}
	if (*formal.Quote)(nil).Option("a") != nil {
		t.Error("no quote has the option a, want none")
	}
	far := o
	quote := *o.Quote
	quote.ValidUntil = time.Date(2026, 3, 31, 23, 30, 0, 0, time.FixedZone("", -3600))
	far.Quote = &quote
	if got, want := far.ExplainEnd(), "Quote Q-2 could be accepted until 2026-04-01 00:30 UTC. Ask the operator's team for a new quote of order CO-1,"; !strings.HasPrefix(got, want) {
		t.Errorf("the end of a quote is explained as %q, want %q", got, want)
	}
	var purpose, subject string
	var expires time.Time
	path := formal.QuotePath(func(p, s string, e time.Time) string {
		purpose, subject, expires = p, s, e
		return "signed"
	}, o)
	if want := o.Quote.ValidUntil.AddDate(0, 0, 90); path != "/formal-quotes/signed.pdf" || purpose != formal.QuoteLink || subject != "key_Q-2" || !expires.Equal(want) {
		t.Errorf("the quote is at %q, signed for %q of %q until %s; want /formal-quotes/signed.pdf, %q, key_Q-2, %s", path, purpose, subject, expires, formal.QuoteLink, want)
	}
}

// TestFiles: a file is found by its role.
func TestFiles(t *testing.T) {
	t.Parallel()
	o := order()
	for role, want := range map[string]string{formal.Gerbers: "rocket.zip", formal.BOM: "bom.csv", formal.CPL: "", "": ""} {
		got := ""
		if f := o.File(role); f != nil {
			got = f.Name
		}
		if got != want || o.Has(role) != (want != "") {
			t.Errorf("the file in the role %q is %q, there %t; want %q", role, got, o.Has(role), want)
		}
	}
}

// TestLabels: an order is labelled by whom its e-mails go to, and where it is controlled as such.
func TestLabels(t *testing.T) {
	t.Parallel()
	person := contract.PersonLabel("ann@example.com")
	for rule, tt := range map[string]struct {
		email string
		itar  bool
		want  contract.Labels
	}{
		"nobody":     {"", false, nil},
		"a person":   {"ann@example.com", false, contract.Labels{person}},
		"controlled": {"", true, contract.Labels{contract.ControlledLabel}},
		"both":       {"ann@example.com", true, contract.Labels{person, contract.ControlledLabel}},
	} {
		got := formal.Order{Form: formal.Form{Email: tt.email, ITAR: tt.itar}}.Labels()
		slices.Sort(got)
		slices.Sort(tt.want)
		if !slices.Equal(got, tt.want) || got.IsControlled() != tt.itar {
			t.Errorf("%s: labels %q, controlled %t; want %q, %t", rule, got, got.IsControlled(), tt.want, tt.itar)
		}
	}
}

// TestRedact: of an erased order bookkeeping keeps what was sold for how much; no word of the
// customer or to them stays, and the order that was given is not changed.
func TestRedact(t *testing.T) {
	t.Parallel()
	before, given := order(), order()
	got := given.Redact()
	if d := cmp.Diff(before, given); d != "" {
		t.Errorf("redacting changed the order itself (-before +after)\n%s", d)
	}
	want := before
	want.Form = formal.Form{Qty: 5, Services: formal.Services{Fabrication: true}, BoardLayers: before.BoardLayers, BoardOrigin: "us", TargetDate: "2026-05-01"}
	want.Files, want.Review, want.Check, want.Tracking, want.FilesUntil = []formal.File{}, nil, nil, nil, time.Time{}
	quote := *before.Quote
	quote.Note = ""
	want.Quote = &quote
	want.Timeline = []formal.Moment{{What: formal.EventSubmitted, At: issued}, {What: formal.EventQuoted, At: issued, By: "pia"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("a redacted order (-want +got)\n%s", d)
	}
	if none := (formal.Order{}).Redact(); none.Quote != nil || none.Files == nil || none.Timeline == nil {
		t.Errorf("redacting an order without a quote gives %+v, want empty lists and no quote", none)
	}
}
