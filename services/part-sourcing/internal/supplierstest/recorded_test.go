package supplierstest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/digikey"
	"boardorder/services/part-sourcing/internal/mouser"
	"boardorder/services/part-sourcing/internal/nexar"
	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"
)

// serveFile stands in for a supplier that gives tokens and answers with a file of
// testdata; choose names it by the request's path and body.
func serveFile(t *testing.T, choose func(path, body string) string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/token") {
			_, _ = io.WriteString(w, `{"access_token":"t","expires_in":600}`)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("read the body of a lookup: %v", err)
		}
		data, err := os.ReadFile(filepath.Join("testdata", choose(r.URL.Path, string(body))))
		if err != nil {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = w.Write(data)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func constantFile(file string) func(string, string) string {
	return func(string, string) string { return file }
}

func distributorA(t *testing.T, choose func(path, body string) string) *digikey.Client {
	t.Helper()
	c, err := digikey.New(digikey.Config{URL: serveFile(t, choose), ClientID: "a", ClientSecret: "b", Name: "distributor_a"})
	fail(t, err)
	return c
}

func fail(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// offersOf looks numbers up and gives the offers of each by the seller's number.
func offersOf(t *testing.T, s source, scheme part.Scheme, numbers ...string) []map[string]part.Offer {
	t.Helper()
	var queries []part.Query
	for _, n := range numbers {
		queries = append(queries, part.Query{Scheme: scheme, Number: n})
	}
	answers, err := s.Lookup(t.Context(), queries)
	fail(t, err)
	out := make([]map[string]part.Offer, len(answers))
	for i, a := range answers {
		out[i] = map[string]part.Offer{}
		for _, o := range a.Offers {
			out[i][o.SKU] = o
		}
	}
	return out
}

// TestRecordedShapes: answers in the shapes that the real suppliers give, with the
// oddities that they have, become offers whose figures are right; testdata/README.md
// says where each shape is from.
func TestRecordedShapes(t *testing.T) {
	t.Parallel()
	t.Run("details with nulls and a market place", func(t *testing.T) {
		t.Parallel()
		got := offersOf(t, distributorA(t, constantFile("digikey/details.json")), part.DigiKey, "QX7305B4CT-ND")[0]
		o := got["QX7305B4CT-ND"]
		want := passive.Spec{Kind: passive.Capacitor, Value: 4_700_000_000, Size: "0805", Voltage: 25_000, Dielectric: "X5R", Hottest: 85}
		if len(got) != 2 || o.Stock != 9000 || o.Fee != 0 || len(o.Breaks) != 2 || o.LeadDays != 98 || o.Data != want || o.Datasheet != "https://media.example/sheets/QX7305B4.pdf" || o.Description == "" || o.Package != "0805 (2012 Metric)" {
			t.Errorf("%d offers, %+v; want 2, 9000 in stock without a fee, 2 prices, 98 days, 0805, %+v", len(got), o, want)
		}
		if bare := got["QX7305B4-ND"]; bare.Stock != 0 || bare.Minimum != 1 || bare.Breaks != nil {
			t.Errorf("the bare offer is %+v, want no stock, one at least and no prices", bare)
		}
	})
	t.Run("counts as text, and most that may be bought", func(t *testing.T) {
		t.Parallel()
		got := offersOf(t, distributorA(t, constantFile("digikey/counts.json")), part.DigiKey, "QZ-88/3TR-ND")[0]
		reel, cut := got["QZ-88/3TR-ND"], got["QZ-88/3DKR-ND"]
		if reel.Stock != 7500 || reel.Minimum != 2500 || reel.Multiple != 2500 || reel.Breaks[0].Quantity != 2500 || reel.LeadDays != 63 || reel.Lifecycle != part.Unstated || reel.Datasheet != "" {
			t.Errorf("the reel is %+v, want 7500 in stock by the 2500, in 63 days, and no word of its life", reel)
		}
		if cut.Stock != 400 || cut.Multiple != 1 || cut.Fee != 700 {
			t.Errorf("the cut tape is %+v, want 400 in stock by the piece, with a fee of 700 cents", cut)
		}
	})
	t.Run("the part on the second page", func(t *testing.T) {
		t.Parallel()
		c := distributorA(t, func(_, body string) string {
			if strings.Contains(body, `"Offset":50`) {
				return "digikey/keyword-2.json"
			}
			return "digikey/keyword-1.json"
		})
		got := offersOf(t, c, part.MPN, "QK1001", strings.Repeat("Q", 300))
		if o := got[0]["QK1001-ND"]; o.Stock != 31 || o.Lifecycle != part.NRND || len(got[0]) != 1 || len(got[1]) != 0 {
			t.Errorf("offers %+v, want one of QK1001 with 31 in stock, not for new designs, and none of the long number", got)
		}
	})
	t.Run("stock in words, obsolete parts, prices above a thousand", func(t *testing.T) {
		t.Parallel()
		c, err := mouser.New(mouser.Config{URL: serveFile(t, constantFile("mouser/parts.json")), APIKey: "k", Name: "distributor_b"})
		fail(t, err)
		got := offersOf(t, c, part.MPN, "QX7305B4", "QM358", "QF7", "QF8")
		if o := got[0]["900-QX7305B4"]; len(got[0]) != 1 || o.Stock != 76_689 || o.Minimum != 10 || o.Multiple != 5 || len(o.Breaks) != 2 || o.Datasheet != "https://sheets.example/QX7305B4.pdf" || o.Lifecycle != part.Active {
			t.Errorf("offers of QX7305B4 are %+v, want one that is active: 76689 in stock, 10 at least, by the 5, two prices, a data sheet", got[0])
		}
		if o := got[1]["900-QM358"]; o.Stock != 0 || o.Lifecycle != part.Obsolete || o.LeadDays != 42 || o.Breaks != nil || o.Minimum != 1 || o.Multiple != 1 || o.Datasheet != "" {
			t.Errorf("the offer of QM358 is %+v, want an obsolete part without stock and prices, in 42 days", o)
		}
		if o := got[2]["900-QF7"]; o.Stock != 12 || o.Lifecycle != part.Active || len(o.Breaks) != 2 || o.Breaks[0].Price.String() != "1234.56" || o.Breaks[1].Price.String() != "1199.00" || o.Breaks[1].Quantity != 10 {
			t.Errorf("the offer of QF7 is %+v, want an active part with 12 in stock, at 1234.56 and from 10 on at 1199.00", o)
		}
		if o := got[3]["N/A"]; o.Stock != 0 || o.Minimum != 1 || o.Lifecycle != part.Unstated || o.Breaks != nil {
			t.Errorf("the offer of QF8 is %+v, want one without stock, prices and a word of its life", o)
		}
		answers, err := c.Lookup(t.Context(), []part.Query{query("QM358")})
		if err != nil || len(answers[0].Similar) != 1 || answers[0].Similar[0].MPN != "QM358B" {
			t.Errorf("answers about QM358: %+v, %v; want QM358B as the one that is similar", answers, err)
		}
	})
	t.Run("sellers without figures", func(t *testing.T) {
		t.Parallel()
		base := serveFile(t, constantFile("nexar/match.json"))
		c, err := nexar.New(nexar.Config{URL: base, IdentityURL: base, ClientID: "a", ClientSecret: "b", Name: "aggregator", Lifecycle: true})
		fail(t, err)
		got := offersOf(t, c, part.MPN, "QX7305B4", "QNONE")
		one, two, three := got[0]["S1"], got[0]["S2"], got[0]["S3"]
		if one.Stock != 0 || one.Minimum != 1 || one.Multiple != 1 || one.LeadDays != -1 || one.At.IsZero() || one.Datasheet == "" || one.Lifecycle != part.Active || one.Data.Value != 4_700_000_000 {
			t.Errorf("the first seller offers %+v, want an active part of value 4700000000 without stock, one at least, of an unknown lead time", one)
		}
		if two.Minimum != 100 || two.Multiple != 50 || two.LeadDays != 70 || two.Breaks != nil || three.Minimum != 1 || three.Breaks != nil || three.At.IsZero() || len(got[0]) != 3 || len(got[1]) != 0 {
			t.Errorf("the others offer %+v and %+v among %d and %d; want 100 at least by the 50 in 70 days, one at least without a date, neither with prices, among 3 and 0", two, three, len(got[0]), len(got[1]))
		}
	})
}

// TestErrorsWithStatus200: a refusal that comes as an ordinary answer is one.
func TestErrorsWithStatus200(t *testing.T) {
	t.Parallel()
	b, err := mouser.New(mouser.Config{URL: serveFile(t, constantFile("mouser/refused.json")), APIKey: "k", Name: "distributor_b"})
	fail(t, err)
	base := serveFile(t, constantFile("nexar/errors.json"))
	n, err := nexar.New(nexar.Config{URL: base, IdentityURL: base, ClientID: "a", ClientSecret: "b", Name: "aggregator"})
	fail(t, err)
	for _, s := range []source{b, n} {
		if _, err := s.Lookup(t.Context(), []part.Query{query("QX7305B4")}); outside.KindOf(err) != outside.Unavailable {
			t.Errorf("%s: %v, want an error that says that it does not answer now", s.Name(), err)
		}
	}
}

// TestFixturesAreJSON: a file that is no JSON would be an answer of another kind.
func TestFixturesAreJSON(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*/*.json")
	if err != nil || len(files) < 8 {
		t.Fatalf("recorded answers %q, %v; want some", files, err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil || !json.Valid(bytes.TrimSpace(data)) {
			t.Errorf("%s: %v, want a file of JSON", f, err)
		}
	}
}
