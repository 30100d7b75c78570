package quotes_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"

	"github.com/google/go-cmp/cmp"
)

func pointer[T any](v T) *T { return &v }

// TestAcknowledgement: what is to be confirmed before paying, in one order; its hash names it
// and nothing else.
func TestAcknowledgement(t *testing.T) {
	t.Parallel()
	fitted := func(reference, number, verdict string) assemblies.Part {
		return assemblies.Part{Fitting: assemblies.Fitted, Found: partchecks.Found{Reference: reference, MPN: number, Verdict: verdict, Bought: 1, Why: "of another maker"}}
	}
	swapped := fitted("U1", "LM358DT", "ok")
	swapped.Replaces, swapped.Approved, swapped.Manufacturer = "LM358DR", true, "ST"
	silent := swapped
	silent.Approved = false
	off := swapped
	off.Fitting = assemblies.LeftOff
	named := fitted("U2", "", "check")
	named.Part = "some part"
	finding := func(level string) contract.Finding {
		return contract.Finding{Level: level, Check: "ring", What: "thin"}
	}
	for rule, tt := range map[string]struct {
		findings []contract.Finding
		parts    []assemblies.Part
		want     []string
	}{
		"nothing":                          {nil, nil, nil},
		"notes are no findings to confirm": {[]contract.Finding{finding("note")}, nil, nil},
		"findings of the board":            {[]contract.Finding{finding("warning"), finding("must_fix")}, nil, []string{"thin", "thin"}},
		"a part that was swapped":          {nil, []assemblies.Part{swapped}, []string{"at U1 the part LM358DT of ST is fitted in place of LM358DR; whoever asked for this price said that you approved it"}},
		"one that is as good":              {nil, []assemblies.Part{silent}, nil},
		"one that is left off":             {nil, []assemblies.Part{off}, nil},
		"one without a number":             {nil, []assemblies.Part{named}, []string{"at U2 the part some part is fitted, and it needs a look: of another maker"}},
		"the board, then doubts, then swaps": {[]contract.Finding{finding("warning")}, []assemblies.Part{swapped, fitted("R1", "A", "check")}, []string{
			"thin", "at R1 the part A is fitted, and it needs a look: of another maker", "at U1 the part LM358DT of ST is fitted in place of LM358DR; whoever asked for this price said that you approved it"}},
		"twelve places": {nil, []assemblies.Part{fitted(places(12), "A", "check")}, []string{"at R1, R2, R3, R4, R5, R6, R7, R8, R9, R10, R11, R12 the part A is fitted, and it needs a look: of another maker"}},
		"thirteen":      {nil, []assemblies.Part{fitted(places(13), "A", "check")}, []string{"at R1, R2, R3, R4, R5, R6, R7, R8, R9, R10, R11, R12 and 1 more place the part A is fitted, and it needs a look: of another maker"}},
		"fourteen":      {nil, []assemblies.Part{fitted(places(14), "A", "check")}, []string{"at R1, R2, R3, R4, R5, R6, R7, R8, R9, R10, R11, R12 and 2 more places the part A is fitted, and it needs a look: of another maker"}},
	} {
		q := quotes.Quote{Ref: "q", Reply: quotes.Reply{BoardFindings: tt.findings, Parts: tt.parts}}
		var got []string
		for _, f := range q.FindingsToAcknowledge() {
			got = append(got, f.What)
		}
		if d := cmp.Diff(tt.want, got); d != "" || (q.AcknowledgementHash() == "") != (len(tt.want) == 0) {
			t.Errorf("%s: hash %q, to acknowledge (-want +got)\n%s", rule, q.AcknowledgementHash(), d)
		}
	}
	q := quotes.Quote{Ref: "q", Reply: quotes.Reply{BoardFindings: []contract.Finding{finding("warning")}}}
	other, graver, more := q, q, q
	other.Ref = "p"
	graver.Reply.BoardFindings = []contract.Finding{finding("must_fix")}
	more.Reply.BoardFindings = append([]contract.Finding{finding("warning")}, finding("warning"))
	for name, changed := range map[string]quotes.Quote{"another quote": other, "a graver finding": graver, "one finding more": more} {
		if changed.AcknowledgementHash() == q.AcknowledgementHash() {
			t.Errorf("%s has the hash %s of what was shown before, want another", name, q.AcknowledgementHash())
		}
	}
}

func places(n int) string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("R%d", i+1))
	}
	return strings.Join(out, ",")
}

// TestPaper: what the papers about a quote say of its parts; of a bare board nothing.
func TestPaper(t *testing.T) {
	t.Parallel()
	part := func(reference, fitting, number, replaces string) assemblies.Part {
		return assemblies.Part{Fitting: fitting, Found: partchecks.Found{Reference: reference, MPN: number, Replaces: replaces}}
	}
	q := quotes.Quote{
		Request:  quotes.Request{Quantity: 10, Assembly: true, SpecialNotes: pointer(" mind the edge \n"), FileStackup: json.RawMessage(`["top","bottom"]`), SeparateBoards: json.RawMessage(`"V-cut"`)},
		Assembly: &quotes.QuotedAssembly{Boards: 7}, TeamNote: "by Friday",
		Reply: quotes.Reply{NotIncluded: []string{"Tax"}, UnlistedRefs: []string{"TP1"}, Parts: []assemblies.Part{
			part("R1,R2", assemblies.LeftOff, "", ""), part("J1", assemblies.CustomerSupplied, "", ""), part("U1,U2", assemblies.Fitted, "B", "A"), part("C1", assemblies.Fitted, "C", ""), part("C2", assemblies.LeftOff, "B", "A"),
		}},
	}
	want := quotes.Paper{
		Assembled: 7, LeftOff: []string{"R1, R2", "C2", "TP1"}, Supplied: []string{"J1"}, Replaced: []string{"U1, U2: B in place of A"}, Stackup: "top, bottom", Separate: "V-cut", Notes: "mind the edge", Without: []string{"Tax"}, Team: "by Friday",
	}
	if d := cmp.Diff(want, q.Paper()); d != "" {
		t.Errorf("an assembly of 7 boards (-want +got)\n%s", d)
	}
	q.Assembly = nil
	if got := q.Paper().Assembled; got != 10 {
		t.Errorf("an assembly that nobody has counted is of %d boards, want the 10 that were asked for", got)
	}
	q.Request.Assembly = false
	want.Assembled, want.LeftOff, want.Supplied, want.Replaced = 0, nil, nil, nil
	if d := cmp.Diff(want, q.Paper()); d != "" {
		t.Errorf("a bare board (-want +got)\n%s", d)
	}
}

// TestApplyEstimate: a price for another delivery takes the place of the quote's own, and what
// was found in the files stays.
func TestApplyEstimate(t *testing.T) {
	t.Parallel()
	own := quotes.Reply{
		RequestID: pointer("own"), TotalCents: pointer(int64(100)), Quantity: 5, BoardDetailsFrom: map[string]string{"layers": "request"}, BoardImageURL: pointer("image"), BoardFindings: []contract.Finding{{What: "thin"}},
		Parts: []assemblies.Part{{Fitting: assemblies.Fitted}}, UnlistedRefs: []string{"TP1"}, UnpricedParts: []assemblies.Part{{Side: "top"}}, PickedParts: []assemblies.Part{{Side: "bottom"}}, SavedDetails: pointer(true),
	}
	q := quotes.Quote{Ref: "q", Reply: own, Assumed: "DE", Request: quotes.Request{Quantity: 5}, Delivery: &shipments.Delivery{ShippingID: "post"}, Charge: &prices.Charge{Cents: 100}}
	if d := cmp.Diff(q, q.ApplyEstimate()); d != "" {
		t.Errorf("without an estimate (-before +after)\n%s", d)
	}
	q.Estimate = &quotes.Estimate{Quantity: 50, Delivery: shipments.Delivery{ShippingID: "air"}, Reply: quotes.Reply{RequestID: pointer("other"), TotalCents: pointer(int64(900)), Quantity: 50, UnlistedRefs: []string{"wrong"}}, Charge: &prices.Charge{Cents: 900}}
	want := q
	want.Reply = own
	want.Reply.TotalCents, want.Reply.Quantity = pointer(int64(900)), 50
	want.Delivery, want.Assumed, want.Request.Quantity = &shipments.Delivery{ShippingID: "air"}, "", 50
	want.Charge = &prices.Charge{Cents: 900}
	if d := cmp.Diff(want, q.ApplyEstimate()); d != "" {
		t.Errorf("with one for 50 boards by air (-want +got)\n%s", d)
	}
}

// TestRedact: of an erased quote no word of a person stays, and it ends at once unless it has
// ended before.
func TestRedact(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	to := shipments.ShipTo{Name: "Ann Example", Email: "ann@example.com", Phone: "123", Line1: "Road 1", City: "Town", PostalCode: "10115", Country: "DE"}
	for rule, tt := range map[string]struct{ expires, want time.Time }{
		"a quote that holds":     {now.Add(time.Hour), now},
		"a quote that has ended": {now.Add(-time.Hour), now.Add(-time.Hour)},
	} {
		q := quotes.Quote{
			ExpiresAt: tt.expires, TeamNote: "for Ann Example", Team: &quotes.TeamPrice{}, Terms: &quotes.Terms{}, Pricing: nil, Estimate: &quotes.Estimate{Delivery: shipments.Delivery{ShipTo: to}},
			Request:  quotes.Request{Quantity: 5, ShipTo: &to, SpecialNotes: pointer("call Ann Example"), ProjectName: pointer("Ann Example's"), BoardContext: pointer("Ann Example's rocket")},
			Delivery: &shipments.Delivery{ShipTo: to, ShippingID: "post", BuildHours: 48},
			Reply:    quotes.Reply{Notes: []string{"two layers", "for Ann Example"}},
			Review:   &quotes.Review{Questions: []quotes.ReviewQuestion{{ID: "1", Operator: "pia", Text: "Ann Example?", Answer: "yes, Ann Example", AskedAt: now}}, Refused: &quotes.ReviewRefusal{Operator: "pia", Why: "Ann Example knows", At: now}},
		}
		got := q.Redact(now)
		text, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"Ann Example", "ann@example.com", "Road 1", "123\""} {
			if strings.Contains(string(text), word) {
				t.Errorf("%s, redacted, still says %q: %s", rule, word, text)
			}
		}
		if !got.ExpiresAt.Equal(tt.want) || got.Request.Quantity != 5 || got.Delivery.ShippingID != "post" || got.Delivery.BuildHours != 48 || len(got.Reply.Notes) != 1 || len(got.Review.Questions) != 1 || !got.Review.Refused.At.Equal(now) {
			t.Errorf("%s, redacted: %s; want that it ends at %s, and what bookkeeping needs", rule, text, tt.want)
		}
		if q.Request.ShipTo.Name != "Ann Example" || q.Review.Questions[0].Text == "" || len(q.Reply.Notes) != 2 {
			t.Errorf("%s: redacting changed the quote itself: %+v", rule, q)
		}
	}
}

// TestQuestions: the question that is open is the one without an answer, while the team has the
// quote.
func TestQuestions(t *testing.T) {
	t.Parallel()
	answered, open := quotes.ReviewQuestion{ID: "1", AnsweredAt: &time.Time{}}, quotes.ReviewQuestion{ID: "2"}
	for rule, tt := range map[string]struct {
		status quotes.Status
		review *quotes.Review
		want   string
	}{
		"no conversation":    {quotes.SourcingRequested, nil, ""},
		"no question":        {quotes.SourcingRequested, &quotes.Review{}, ""},
		"all are answered":   {quotes.SourcingRequested, &quotes.Review{Questions: []quotes.ReviewQuestion{answered}}, ""},
		"one is open":        {quotes.SourcingRequested, &quotes.Review{Questions: []quotes.ReviewQuestion{answered, open}}, "2"},
		"the team priced it": {quotes.SourcingQuoted, &quotes.Review{Questions: []quotes.ReviewQuestion{open}}, ""},
		"it has expired":     {quotes.Expired, &quotes.Review{Questions: []quotes.ReviewQuestion{open}}, ""},
	} {
		got := ""
		if q := (quotes.Quote{Status: tt.status, Review: tt.review}).OpenQuestion(); q != nil {
			got = q.ID
		}
		if got != tt.want {
			t.Errorf("%s: the open question is %q, want %q", rule, got, tt.want)
		}
	}
	refused := &quotes.ReviewRefusal{Why: "too large"}
	if got := (quotes.Quote{Review: &quotes.Review{Refused: refused}}).TeamRefusal(); got != refused {
		t.Errorf("the team's refusal is %+v, want %+v", got, refused)
	}
	if got := (quotes.Quote{}).TeamRefusal(); got != nil {
		t.Errorf("a quote without a conversation is refused: %+v", got)
	}
}

// TestTestScenarios: a project name asks for an answer with test keys alone, as it is written.
func TestTestScenarios(t *testing.T) {
	t.Parallel()
	test := contract.TestOwner("acc")
	for _, tt := range []struct {
		owner string
		name  *string
		want  quotes.TestScenario
	}{
		{test, pointer("test_review"), quotes.TestReview}, {test, pointer("test_held"), quotes.TestHeld}, {test, pointer("Test_Review"), ""}, {test, pointer("test_review "), ""}, {test, pointer(""), ""}, {test, nil, ""}, {"acc", pointer("test_review"), ""},
	} {
		if got := quotes.TestScenarioOf(tt.owner, quotes.Request{ProjectName: tt.name}); got != tt.want {
			t.Errorf("the owner %q with the name %v asks for %q, want %q", tt.owner, tt.name, got, tt.want)
		}
	}
}

// TestBoardDetails: what is not known of a board is null, and no zero that could be believed.
func TestBoardDetails(t *testing.T) {
	t.Parallel()
	for want, details := range map[string]quotes.BoardDetails{
		`{"layers":null,"width_mm":null,"height_mm":null,"thickness_mm":null,"copper_oz":null,"inner_copper_oz":null,"surface_finish":null,"solder_mask":null,"material":null}`: {},
		`{"layers":2,"width_mm":10.5,"height_mm":20,"thickness_mm":1.6,"copper_oz":1,"inner_copper_oz":0.5,"surface_finish":"enig","solder_mask":"Green","material":"FR-4","via_process":"tented"}`: {
			Layers: 2, WidthMM: 10.5, HeightMM: 20, ThicknessMM: 1.6, CopperOz: 1, InnerCopperOz: pointer(0.5), SurfaceFinish: "enig", SolderMask: "Green", Material: "FR-4", ViaProcess: "tented"},
	} {
		got, err := json.Marshal(details)
		if string(got) != want || err != nil {
			t.Errorf("%+v is %s, %v; want %s", details, got, err, want)
		}
	}
}

// TestWordsOfAQuote: what people call a quote, its shipping and what was asked for.
func TestWordsOfAQuote(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ got, want string }{
		{quotes.Request{Quantity: 1}.Describe(), "1 bare board was asked for."},
		{quotes.Request{Quantity: 20}.Describe(), "20 bare boards were asked for."},
		{quotes.Request{Quantity: 2, Assembly: true}.Describe(), "2 assembled boards were asked for."},
		{quotes.ShippingOption{Carrier: "DHL", Service: "DHL Express"}.Name(), "DHL Express"},
		{quotes.ShippingOption{Carrier: "DHL", Service: "Express"}.Name(), "DHL Express"},
		{quotes.BareRequest("req_1"), "req_1.bare"},
	} {
		if tt.got != tt.want {
			t.Errorf("it is called %q, want %q", tt.got, tt.want)
		}
	}
	ref := quotes.CustomerRef("q1")
	if ref != quotes.CustomerRef("q1") || ref == quotes.CustomerRef("q2") || len(ref) != 11 || !strings.HasPrefix(ref, "BO-") || strings.ContainsAny(ref[3:], "01ILO") {
		t.Errorf("customers read q1 as %q and q2 as %q, want BO- and eight characters of their own that are taken for no others", ref, quotes.CustomerRef("q2"))
	}
	now := time.Unix(1_800_000_000, 0)
	for after, want := range map[time.Duration]bool{-1: false, 0: true, 1: true} {
		if got := (quotes.Quote{ExpiresAt: now}).IsExpired(now.Add(after)); got != want {
			t.Errorf("%s after its end a quote has expired %t, want %t", after, got, want)
		}
	}
}

// TestPriceOfTheTeam: what its lines, the parts that were found and the tax add up to.
func TestPriceOfTheTeam(t *testing.T) {
	t.Parallel()
	d := quotes.PriceReviewData{
		Lines: []prices.PricedLine{priceLine(prices.Boards, 2000), priceLine(prices.Boards, 500), priceLine(prices.Components, 300), priceLine(prices.Tax, 10)}, TaxCents: 90,
		Parts: []quotes.PartDecision{{Fitting: assemblies.Fitted, Cents: 700}, {Fitting: assemblies.LeftOff, Cents: 9999}, {Fitting: assemblies.Fitted, Cents: 50}},
	}
	for part, want := range map[prices.Part]int64{prices.Boards: 2500, prices.Components: 1050, prices.Tax: 100, prices.Duty: 0} {
		if got := d.Cents(part); got != want {
			t.Errorf("the team asks %d cents for %s, want %d", got, part, want)
		}
	}
	want := []prices.Line{
		{Label: "boards", Cents: 2000, Kind: prices.Boards}, {Label: "boards", Cents: 500, Kind: prices.Boards}, {Label: "parts", Cents: 300, Kind: prices.Components},
		{Label: "tax", Cents: 10, Kind: prices.Tax}, {Label: "Parts found by our team", Cents: 750, Kind: prices.Components}, {Label: "Tax", Cents: 90, Kind: prices.Tax},
	}
	for i := range want {
		want[i].Basis, want[i].Source = "the price that our team made", "our team"
	}
	if diff := cmp.Diff(want, d.CustomerLines()); diff != "" {
		t.Errorf("the customer reads (-want +got)\n%s", diff)
	}
	if got := (*quotes.KnownPrice)(nil).CentsOf(prices.Boards); got != 0 {
		t.Errorf("where nothing is known boards cost %d, want 0", got)
	}
}
