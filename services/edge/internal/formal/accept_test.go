package formal_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/services/edge/internal/edgetest"
	formalapi "boardorder/services/edge/internal/formal"
)

const agreed = `"customer_approved": true, "option_id": "opt_1", "quote_number": "Q-1", "issued_at": "2026-11-20T09:30:00.120Z", "total_cents": 123450`

// TestAcceptancesAreRead: what the customer saw goes to the desk to the cent and the
// millisecond; what is not all of it goes nowhere.
func TestAcceptancesAreRead(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.put(makeQuotedOrder())
	change := func(old, as string) string {
		if !strings.Contains(agreed, old) {
			t.Fatalf("%s is not in %s", old, agreed)
		}
		return "{" + strings.Replace(agreed, old, as, 1) + "}"
	}
	for name, tt := range map[string]struct {
		body string
		code contract.Code
		want []string
	}{
		"all of it":               {"{" + agreed + "}", "", nil},
		"approval unsaid":         {change(`"customer_approved": true, `, ""), contract.ApprovalRequired, nil},
		"approval denied":         {change(`true`, "false"), contract.ApprovalRequired, nil},
		"approval as a text":      {change(`true`, `"true"`), contract.ApprovalRequired, nil},
		"approval as a number":    {change(`true`, `1`), contract.ApprovalRequired, nil},
		"nothing but approval":    {`{"customer_approved": true}`, "", []string{"body.option_id missing", "body.quote_number missing", "body.issued_at missing", "body.total_cents missing"}},
		"an option by its place":  {change(`"opt_1"`, `1`), "", []string{"body.option_id string_type"}},
		"an option of 101":        {change(`"opt_1"`, `"`+strings.Repeat("o", 101)+`"`), "", []string{"body.option_id string_too_long"}},
		"no quote's number":       {change(`"Q-1"`, `null`), "", []string{"body.quote_number string_type"}},
		"a day for a time":        {change(`2026-11-20T09:30:00.120Z`, `2026-11-20`), "", []string{"body.issued_at datetime_from_date_parsing"}},
		"a time as a number":      {change(`"2026-11-20T09:30:00.120Z"`, `1763631000`), "", []string{"body.issued_at string_type"}},
		"dollars for cents":       {change(`123450`, `1234.50`), "", []string{"body.total_cents int_type"}},
		"cents with an exponent":  {change(`123450`, `1.2345e5`), "", []string{"body.total_cents int_type"}},
		"cents as a text":         {change(`123450`, `"123450"`), "", []string{"body.total_cents int_type"}},
		"cents beyond all counts": {change(`123450`, strings.Repeat("9", 30)), "", []string{"body.total_cents int_type"}},
		"no cents":                {change(`123450`, `null`), "", []string{"body.total_cents int_type"}},
		"a list":                  {`[]`, "", []string{"body model_attributes_type"}},
		"no JSON":                 {`{`, "", []string{"body json_invalid"}},
	} {
		before := len(d.Commands())
		r := d.Do("POST", "/v1/orders/ord_1/accept-quote", tt.body)
		if r.Code() != tt.code || len(r.Details())+len(tt.want) > 0 && !slices.Equal(r.Details(), tt.want) {
			t.Errorf("%s: %d %s %v, want %q %v", name, r.Status, r.Code(), r.Details(), tt.code, tt.want)
		}
		sent := d.Commands()[before:]
		if taken := tt.code == "" && tt.want == nil; !taken && len(sent) != 0 || taken && (len(sent) != 1 || r.Status != 200) {
			t.Errorf("%s: %d with %d commands, want one only of what is accepted", name, r.Status, len(sent))
		}
	}
	got := decode[formal.AcceptQuoteData](t, d.Commands()[0])
	want := formal.AcceptQuoteData{
		Terms: formal.Terms{OptionID: "opt_1", QuoteNumber: "Q-1", IssuedAt: time.Date(2026, 11, 20, 9, 30, 0, 120e6, time.UTC), TotalCents: 123450},
		Order: "k1", Approved: true, Key: "key_1",
	}
	if got != want {
		t.Errorf("sent %+v, want %+v", got, want)
	}
}

// TestAcceptanceEnds: how an acceptance ends by what the desk says of it.
func TestAcceptanceEnds(t *testing.T) {
	t.Parallel()
	body := "{" + agreed + `, "comment": "go", "itar": false}`
	for name, tt := range map[string]struct {
		down, silent bool
		refuse       *contract.Refusal
		account      string
		status       int
		code         contract.Code
	}{
		"accepted":            {false, false, nil, "", 200, ""},
		"another quote":       {false, false, contract.Refuse(contract.QuoteNotAccepted, "It changed."), "", 409, contract.QuoteNotAccepted},
		"the broker is away":  {true, false, nil, "", 502, contract.FormalUnavailable},
		"no outcome in time":  {false, true, nil, "", 502, contract.FormalUnavailable},
		"by another account":  {false, false, nil, "acc_2", 404, contract.OrderNotFound},
		"by a test's account": {false, false, nil, "test:" + edgetest.Account, 404, contract.OrderNotFound},
	} {
		d := open(t)
		d.put(makeQuotedOrder())
		d.fail(tt.down, tt.silent)
		d.refuse = tt.refuse
		r := d.Do("POST", "/central/orders/CO-1/accept-quote", body, edgetest.AccountHeader, tt.account)
		if r.Status != tt.status || r.Code() != tt.code {
			t.Errorf("%s: %d %s, want %d %s", name, r.Status, r.Body, tt.status, tt.code)
		}
		if tt.status != 200 {
			continue
		}
		got := edgetest.Decode[formalapi.Record](t, r)
		if got.Accepted == nil || got.Accepted.TotalCents != 123450 || got.Accepted.ApprovedBy != "key_1" || got.Status != formal.Accepted || !slices.Equal(got.LeftAside, []string{"comment"}) {
			t.Errorf("accepted: %s, want the option at 123450 cents by key_1, and comment left aside", r.Body)
		}
	}
}
