package digikey

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"

	"github.com/google/go-cmp/cmp"
)

// An api plays the distributor without a network: it gives tokens, notes what is asked for, and
// answers by answer.
type api struct {
	calls  []string
	answer func(call string) (status int, body string)
}

func (a *api) RoundTrip(r *http.Request) (*http.Response, error) {
	body := []byte(nil)
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	status, text := http.StatusOK, `{"access_token":"t","expires_in":600}`
	if r.URL.Path != "/v1/oauth2/token" {
		call := r.Method + " " + r.URL.EscapedPath()
		var search struct{ Offset int }
		if json.Unmarshal(body, &search) == nil {
			call = fmt.Sprintf("%s from %d", call, search.Offset)
		}
		a.calls = append(a.calls, call)
		status, text = a.answer(call)
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(text)), Request: r}, nil
}

// page is an answer to a search: how many there are, and the numbers of one page.
func page(all int, numbers ...string) string {
	var products []string
	for _, n := range numbers {
		products = append(products, productOf(n, 5, "Active"))
	}
	return fmt.Sprintf(`{"ProductsCount": %d, "SearchLocaleUsed": {"Currency": "USD"}, "Products": [%s]}`, all, strings.Join(products, ","))
}

func productOf(number string, stock int, status string) string {
	return fmt.Sprintf(`{"ManufacturerProductNumber": %q, "Manufacturer": {"Name": "Quixotic"}, "ProductStatus": {"Status": %q}, "ProductVariations": [{"DigiKeyProductNumber": %q, "QuantityAvailableforPackageType": %d}]}`,
		number, status, number+"-ND", stock)
}

const search = "POST /products/v4/search/keyword from "

// TestLookup: which calls one part costs, and what its answer holds.
func TestLookup(t *testing.T) {
	t.Parallel()
	const substitutes = `{"ProductSubstitutes": [{"SubstituteType": "Direct", "ManufacturerProductNumber": "QX900", "Manufacturer": {"Name": "Quixotic"}}, {"SubstituteType": "Similar", "ManufacturerProductNumber": "-"}]}`
	direct := []part.Similar{{MPN: "QX900", Manufacturer: "Quixotic", Relation: "Direct"}}
	for rule, tt := range map[string]struct {
		query   part.Query
		answers map[string]string // none: not found
		calls   []string
		offers  []string
		similar []part.Similar
		kind    outside.Kind
	}{
		"the part among others": {
			part.Query{Scheme: part.MPN, Number: "qx-358"}, map[string]string{search + "0": page(2, "QX358", "QX358B")},
			[]string{search + "0"}, []string{"QX358-ND"}, nil, "",
		},
		"one part that is listed twice": {
			part.Query{Scheme: part.MPN, Number: "QX358"}, map[string]string{search + "0": page(2, "QX358", "QX358")},
			[]string{search + "0"}, []string{"QX358-ND"}, nil, "",
		},
		"fifty parts are one page": {
			part.Query{Scheme: part.MPN, Number: "QX358"}, map[string]string{search + "0": page(50, "QX1")},
			[]string{search + "0"}, nil, nil, "",
		},
		"fifty-one are two": {
			part.Query{Scheme: part.MPN, Number: "QX358"}, map[string]string{search + "0": page(51, "QX1"), search + "50": page(51, "QX358")},
			[]string{search + "0", search + "50"}, []string{"QX358-ND"}, nil, "",
		},
		"no third page is looked at": {
			part.Query{Scheme: part.MPN, Number: "QX358"}, map[string]string{search + "0": page(500, "QX1"), search + "50": page(500, "QX2")},
			[]string{search + "0", search + "50"}, nil, nil, "",
		},
		"nearly the number, where the part is not sold": {
			part.Query{Scheme: part.MPN, Number: "QX358"}, map[string]string{search + "0": page(2, "QX358DR", "QX999")},
			[]string{search + "0"}, nil, []part.Similar{{MPN: "QX358DR", Manufacturer: "Quixotic", Relation: part.Near}}, "",
		},
		"nothing at all": {
			part.Query{Scheme: part.MPN, Number: "QX358"}, map[string]string{search + "0": page(0)}, []string{search + "0"}, nil, nil, "",
		},
		"a number longer than a search takes": {part.Query{Scheme: part.MPN, Number: strings.Repeat("Q", 251)}, nil, nil, nil, nil, ""},
		"as long as it takes":                 {part.Query{Scheme: part.MPN, Number: strings.Repeat("Q", 250)}, nil, []string{search + "0"}, nil, nil, ""},
		"out of stock, with what could stand in": {
			part.Query{Scheme: part.DigiKey, Number: "QX/358-ND"},
			map[string]string{
				"GET /products/v4/search/QX%2F358-ND/productdetails": `{"SearchLocaleUsed": {"Currency": "USD"}, "Product": ` + productOf("QX/358", 0, "Active") + `}`,
				"GET /products/v4/search/QX%2F358/substitutions":     substitutes,
			},
			[]string{"GET /products/v4/search/QX%2F358-ND/productdetails", "GET /products/v4/search/QX%2F358/substitutions"}, []string{"QX/358-ND"}, direct, "",
		},
		"in stock and no longer made": {
			part.Query{Scheme: part.DigiKey, Number: "QX358-ND"},
			map[string]string{
				"GET /products/v4/search/QX358-ND/productdetails": `{"SearchLocaleUsed": {"Currency": "USD"}, "Product": ` + productOf("QX358", 9, "Obsolete") + `}`,
				"GET /products/v4/search/QX358/substitutions":     substitutes,
			},
			[]string{"GET /products/v4/search/QX358-ND/productdetails", "GET /products/v4/search/QX358/substitutions"}, []string{"QX358-ND"}, direct, "",
		},
		"out of stock, and what could stand in is not told": {
			part.Query{Scheme: part.DigiKey, Number: "QX358-ND"},
			map[string]string{
				"GET /products/v4/search/QX358-ND/productdetails": `{"SearchLocaleUsed": {"Currency": "USD"}, "Product": ` + productOf("QX358", 0, "Active") + `}`,
				"GET /products/v4/search/QX358/substitutions":     "a page",
			},
			[]string{"GET /products/v4/search/QX358-ND/productdetails", "GET /products/v4/search/QX358/substitutions"}, []string{"QX358-ND"}, nil, "",
		},
		"by the public name of the distributor": {
			part.Query{Scheme: "distributor_a", Number: "QX358-ND"},
			map[string]string{"GET /products/v4/search/QX358-ND/productdetails": `{"SearchLocaleUsed": {"Currency": "USD"}, "Product": ` + productOf("QX358", 9, "Active") + `}`},
			[]string{"GET /products/v4/search/QX358-ND/productdetails"}, []string{"QX358-ND"}, nil, "",
		},
		"a number of its own that is none": {part.Query{Scheme: part.DigiKey, Number: "NONE-ND"}, nil, []string{"GET /products/v4/search/NONE-ND/productdetails"}, nil, nil, ""},
		"a search in another currency": {
			part.Query{Scheme: part.MPN, Number: "QX358"}, map[string]string{search + "0": strings.Replace(page(1, "QX358"), "USD", "EUR", 1)},
			[]string{search + "0"}, nil, nil, outside.InvalidAnswer,
		},
		"nothing in another currency": {
			part.Query{Scheme: part.MPN, Number: "QX358"}, map[string]string{search + "0": strings.Replace(page(0), "USD", "EUR", 1)}, []string{search + "0"}, nil, nil, "",
		},
		"details in another currency": {
			part.Query{Scheme: part.DigiKey, Number: "Q-ND"}, map[string]string{"GET /products/v4/search/Q-ND/productdetails": `{"SearchLocaleUsed": {"Currency": "CAD"}, "Product": ` + productOf("Q", 9, "Active") + `}`},
			[]string{"GET /products/v4/search/Q-ND/productdetails"}, nil, nil, outside.InvalidAnswer,
		},
		"an answer of another form": {
			part.Query{Scheme: part.MPN, Number: "QX358"}, map[string]string{search + "0": `[1, 2]`}, []string{search + "0"}, nil, nil, outside.InvalidAnswer,
		},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			a := &api{answer: func(call string) (int, string) {
				if text, ok := tt.answers[call]; ok {
					return http.StatusOK, text
				}
				return http.StatusNotFound, "{}"
			}}
			c, err := New(Config{URL: "https://distributor.example/", ClientID: "a", ClientSecret: "b", Name: "distributor_a", Transport: a})
			if err != nil {
				t.Fatal(err)
			}
			answers, err := c.Lookup(t.Context(), []part.Query{tt.query})
			kind := outside.Kind("")
			if err != nil {
				kind, answers = outside.KindOf(err), []part.Answer{{}}
			}
			var offers []string
			for _, o := range answers[0].Offers {
				offers = append(offers, o.SKU)
			}
			if d := cmp.Diff(tt.calls, a.calls); d != "" {
				t.Errorf("looking %+v up: calls (-want +got)\n%s", tt.query, d)
			}
			if d := cmp.Diff(tt.offers, offers) + cmp.Diff(tt.similar, answers[0].Similar); d != "" || kind != tt.kind {
				t.Errorf("looking %+v up: error %v, want of kind %q; offers and similar (-want +got)\n%s", tt.query, err, tt.kind, d)
			}
		})
	}
}

// TestTakes: the source knows makers' numbers and its own, by either of its names.
func TestTakes(t *testing.T) {
	t.Parallel()
	c := client(t)
	for scheme, want := range map[part.Scheme]bool{part.MPN: true, part.DigiKey: true, "distributor_a": true, part.Mouser: false, "distributor_b": false, part.FabCode: false, "": false} {
		if got := c.Takes(scheme); got != want {
			t.Errorf("Takes(%q) = %t, want %t", scheme, got, want)
		}
	}
	if c.Name() != "distributor_a" || c.Batch() != 1 {
		t.Errorf("the source is %q and takes %d parts a call, want distributor_a and 1", c.Name(), c.Batch())
	}
}
