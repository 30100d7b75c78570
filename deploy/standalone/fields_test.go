package standalone_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boardorder/pkg/bus/bustest"
)

// field is a row of one of the specification's tables of fields.
type field struct {
	name, kind string
	required   bool
	says       string // all of the row
}

// fieldsOf are the fields of a section's table; with after, of the one that
// follows a sentence that begins so.
func fieldsOf(t *testing.T, section, after string) []field {
	t.Helper()
	var out []field
	begun := after == ""
	for _, s := range readSentences(t) {
		if s.section != section {
			continue
		}
		cells := strings.Split(s.text, " | ")
		switch {
		case len(cells) < 2:
			if after != "" {
				begun = begun && len(out) == 0 || strings.HasPrefix(s.text, after)
			}
		case begun && fieldName.MatchString(cells[0]):
			out = append(out, field{cells[0], cells[1], len(cells) > 3 && cells[2] == "yes", s.text})
		}
	}
	if len(out) == 0 {
		t.Fatalf("no fields under %s %s", section, after)
	}
	return out
}

var fieldName = regexp.MustCompile(`^[a-z][a-z_]*$`)

// openDocument reads the OpenAPI document, in which a field is looked up.
type openDocument struct{ schemas map[string]any }

// shape is what a field may hold, over all of its alternatives.
type shape struct {
	types            []string
	enum             []string
	max, low, high   float64
	maxLength, known bool
}

func (d openDocument) properties(name string) (map[string]any, []any) {
	s, _ := d.schemas[name].(map[string]any)
	p, _ := s["properties"].(map[string]any)
	r, _ := s["required"].([]any)
	return p, r
}

// shapeOf follows references and alternatives.
func (d openDocument) shapeOf(v any) (out shape) {
	m, ok := v.(map[string]any)
	if !ok {
		return out
	}
	out.known = true
	if ref, ok := m["$ref"].(string); ok {
		return d.shapeOf(d.schemas[ref[strings.LastIndex(ref, "/")+1:]])
	}
	switch kind := m["type"].(type) {
	case string:
		out.types = append(out.types, kind)
	case []any:
		for _, k := range kind {
			out.types = append(out.types, fmt.Sprint(k))
		}
	}
	if value, ok := m["const"]; ok {
		out.types, out.enum = append(out.types, typeOf(value)), append(out.enum, fmt.Sprint(value))
	}
	for _, e := range append(list(m["enum"]), list(m["x-extensible-enum"])...) {
		out.types, out.enum = append(out.types, typeOf(e)), append(out.enum, fmt.Sprint(e))
	}
	out.max, out.maxLength = number(m["maxLength"])
	out.low, _ = number(m["minimum"])
	out.high, _ = number(m["maximum"])
	for _, more := range append(list(m["anyOf"]), list(m["oneOf"])...) {
		s := d.shapeOf(more)
		out.types, out.enum = append(out.types, s.types...), append(out.enum, s.enum...)
		out.max, out.low, out.high = max(out.max, s.max), max(out.low, s.low), max(out.high, s.high)
	}
	return out
}

func list(v any) []any { l, _ := v.([]any); return l }

func number(v any) (float64, bool) { n, ok := v.(float64); return n, ok }

func typeOf(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case []any:
		return "array"
	case nil:
		return "null"
	}
	return "object"
}

var (
	atMost  = regexp.MustCompile(`at most (\d+) chars`)
	bounded = regexp.MustCompile(`(?:\| |^)(\d+(?:\.\d+)?) to (\d+)`)
	quoted  = regexp.MustCompile("`([^`]+)`")
)

// wrong says in what a description differs from a field of the specification.
func (f field) wrong(s shape) (out []string) {
	if !s.known {
		return []string{"it is not described"}
	}
	kind, _, _ := strings.Cut(strings.TrimSuffix(f.kind, " or null"), " ")
	kind = strings.Trim(kind, ":,")
	if want := map[string]string{"string": "string", "integer": "integer", "number": "number", "boolean": "boolean", "object": "object", "array": "array"}[kind]; want != "" && !slices.Contains(s.types, want) {
		out = append(out, fmt.Sprintf("its types are %q", s.types))
	}
	if strings.HasPrefix(f.kind, "string: ") || f.name == "surface_finish" || f.name == "solder_mask" || f.name == "material" || f.name == "via_process" {
		values, _, _ := strings.Cut(strings.TrimPrefix(f.says, f.name+" | "), ";")
		for _, m := range quoted.FindAllStringSubmatch(values, -1) {
			if f.kind[0] == 's' && !slices.Contains(s.enum, m[1]) && !strings.Contains(m[1], "_url") && !strings.Contains(m[1], "=") {
				out = append(out, m[1]+" is none of "+strings.Join(s.enum, ", "))
			}
		}
	}
	if m := atMost.FindStringSubmatch(f.says); m != nil && kind == "string" && strconv.FormatFloat(s.max, 'f', -1, 64) != m[1] {
		out = append(out, fmt.Sprintf("it has at most %v characters", s.max))
	}
	if m := bounded.FindStringSubmatch(f.says); m != nil && (kind == "integer" || kind == "number") {
		if low, high := strconv.FormatFloat(s.low, 'f', -1, 64), strconv.FormatFloat(s.high, 'f', -1, 64); low != m[1] || high != m[2] {
			out = append(out, "it is "+low+" to "+high)
		}
	}
	return out
}

// TestFieldsAreDescribed: the OpenAPI document, which every reply of the edge's
// tests is held to and every request is checked by, has each field of the
// specification, with its type, bounds and values.
func TestFieldsAreDescribed(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	var doc struct {
		Components struct{ Schemas map[string]any }
	}
	s.get(t, "/openapi.json", &doc)
	d := openDocument{doc.Components.Schemas}
	for _, table := range []struct{ section, after, schema string }{
		{"Upload", "", "Upload"}, {"Quote reply (QuoteReply)", "", "QuoteReply"}, {"Pending quote reply (PendingQuoteReply)", "", "PendingQuoteReply"},
		{"Error reply (ErrorReply)", "", "ErrorReply"}, {"Design check report", "", "DesignCheckReport"}, {"Part check reply", "", "PartCheckReply"},
		{"Previous-orders reply", "", "PreviousOrders"}, {"Quotes", "Request fields", "QuoteRequest"}, {"Reorders and earlier orders", "No other properties", "ReorderRequest"},
		{"Checks", "**POST `/v1/design-checks`**", "DesignCheckRequest"}, {"Checks", "**POST `/v1/part-checks`**", "PartCheckRequest"},
	} {
		properties, required := d.properties(table.schema)
		for _, f := range fieldsOf(t, table.section, table.after) {
			for _, wrong := range f.wrong(d.shapeOf(properties[f.name])) {
				t.Errorf("%s.%s, which the specification describes as %+v: %s", table.schema, f.name, f, wrong)
			}
			if f.required && !slices.Contains(required, any(f.name)) {
				t.Errorf("%s.%s is not required", table.schema, f.name)
			}
		}
	}
}

// gathered is what replies held, by section and field.
type gathered map[string]map[string]any

func (g gathered) note(section string, reply map[string]any) {
	if g[section] == nil {
		g[section] = map[string]any{}
	}
	for name, v := range reply {
		if v != nil {
			g[section][name] = v
		}
	}
}

// sentElsewhere are fields that need a state of their own, and the tests in which
// they are sent.
var sentElsewhere = map[string]string{
	"checkout_url of Error reply (ErrorReply)":  "deploy/standalone.TestSavedDetailsDeclined",
	"retry_after_s of Error reply (ErrorReply)": "deploy/standalone.TestSavedDetails",
	"retry_after_s of Design check report":      "services/edge.TestDesignCheckThatTakesLonger",
	"board_check of Design check report":        "services/edge.TestDesignCheckThatTakesLonger",
	"more_findings of Design check report":      "services/design-check/internal/report.TestListIsWorstFirstAndBounded",
	"retry_after_s of Part check reply":         "services/edge.TestPartCheckThatTakesLonger",
}

// TestFieldsAreSent: each field of each reply that the specification lists is in
// an actual reply of the whole system, with its type.
func TestFieldsAreSent(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	g := gathered{}
	const quote, failed = "Quote reply (QuoteReply)", "Error reply (ErrorReply)"
	plain := s.uploadWithFiles(t, map[string]string{"bom.csv": partsList, "pos.csv": partsPlace})
	open := s.uploadWithFiles(t, map[string]string{"bom.csv": partsList + "J1,Connector,,\nR3,22k,R_0603_1608Metric,\n", "pos.csv": partsPlace + "J1,C,C,25,20,0,top\n"})
	unknown := s.uploadWithFiles(t, map[string]string{"bom.csv": partsList + "U2,,SOIC-8,no-such-part-1\n", "pos.csv": partsPlace + "U2,C,C,25,20,0,top\n"})

	g.note("Upload", s.getObject(t, "/v1/uploads/"+plain))
	ask := func(want int, section, path, body string) {
		t.Helper()
		r := s.call(t, path, body)
		if r.status != want {
			t.Errorf("%s %s: %d %s, want %d", path, body, r.status, r.text, want)
		}
		g.note(section, r.m)
	}
	bare := fmt.Sprintf(`{"upload_id":%q,"quantity":10,"standard_for_unstated":true,"ship_to":{"country":"DE"},"colour":"x"}`, plain)
	ask(http.StatusAccepted, "Pending quote reply (PendingQuoteReply)", "/v1/quotes?wait_s=0", strings.Replace(bare, "10", "11", 1))
	ask(http.StatusCreated, quote, "/v1/quotes?wait_s=60", bare)
	ask(http.StatusCreated, quote, "/v1/quotes?wait_s=60", assemblyBody(plain, `,"substitutions":[{"reference":"R1,R2","original_mpn":"10k","replacement_mpn":"RC0603FR-0722KL"}]`))
	ask(http.StatusCreated, quote, "/v1/quotes?wait_s=60", assemblyBody(open, `,"do_not_fit_refs":["R3"],"staff_picks_parts":true`))
	ask(http.StatusCreated, quote, "/v1/quotes?wait_s=60", assemblyBody(unknown, ""))
	ask(http.StatusUnprocessableEntity, failed, "/v1/quotes?wait_s=60", assemblyBody(open, ""))
	ask(http.StatusUnprocessableEntity, failed, "/v1/quotes?wait_s=60", fmt.Sprintf(`{"upload_id":%q,"quantity":10,"ship_to":{"country":"DE"}}`, plain))
	ask(http.StatusUnprocessableEntity, failed, "/v1/quotes?wait_s=60", fmt.Sprintf(`{"upload_id":%q,"quantity":0}`, plain))

	bustest.WaitFor(t, "the check with its parts", func() bool {
		r := s.call(t, "/v1/design-checks", fmt.Sprintf(`{"upload_id":%q,"boards":10,"wait_s":20}`, plain))
		g.note("Design check report", r.m)
		return r.m["retry_after_s"] == nil && r.m["part_checks"] != nil
	})
	ask(http.StatusOK, "Part check reply", "/v1/part-checks", `{"boards":10,"wait_s":20,"parts":[{"reference":"U1","quantity":1,"mpn":"LM358DR","manufacturer":"TI"}]}`)

	tests := testNames(t)
	for name, test := range sentElsewhere {
		if !tests[test] {
			t.Errorf("%s: there is no test %s", name, test)
		}
	}
	for _, section := range slices.Sorted(maps.Keys(g)) {
		for _, f := range fieldsOf(t, section, "") {
			v, sent := g[section][f.name]
			if _, elsewhere := sentElsewhere[f.name+" of "+section]; elsewhere && !sent {
				continue
			}
			if kind := typeOf(v); !sent || !strings.HasPrefix(strings.Replace(f.kind, "integer", "number", 1), kind) {
				text, _ := json.Marshal(v)
				t.Errorf("%s of %s is sent as %s (sent: %t), want a %s", f.name, section, text, sent, f.kind)
			}
		}
	}
}

// TestNamesAreDescribed: objects whose fields the specification names in a sentence
// have these fields, and they are of the type that it gives.
func TestNamesAreDescribed(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	var doc struct {
		Info       struct{ Version string }
		Paths      map[string]map[string]any
		Components struct{ Schemas map[string]any }
	}
	s.get(t, "/openapi.json", &doc)
	d := openDocument{doc.Components.Schemas}
	for _, tt := range []struct{ begins, schema, kind, names string }{
		{"All fields are strings: `name`", "ShipTo", "string", "name email phone company line1 line2 city state postal_code country tax_id"},
		{"Strings: `reference`", "Substitution", "string", "reference original_mpn replacement_mpn reason replacement_manufacturer"},
		{"lines | array", "Line", "", "label cents"},
		{"board_details | object", "BoardDetails", "", "layers width_mm height_mm thickness_mm copper_oz inner_copper_oz surface_finish solder_mask material"},
		{"faster_builds | array", "FasterBuild", "", "build_time_hours build adds delivery"},
		{"questions | array", "Question", "", "option question choices usual"},
		{"findings | array", "CheckFinding", "", "level check what"},
		{"parts | array of object | per part", "PartFields", "", "reference part quantity_per_board verdict source fab_code fab_library supplier cost_usd stock lead_time_days lifecycle why similar_part"},
		{"`{ok: boolean, buy_url", "BuyLink", "", "ok buy_url notes"},
		{"orders | array", "EarlierOrder", "", "order_id order_ref quantity assembly do_not_fit_refs customer_supplied_refs substitutions staff_picks_parts files"},
		{"Verify reply", "PaymentConfirmed", "", "ok confirm_token summary expires_in_minutes"},
		{"Pay reply", "Paid", "", "ok status message"},
		{"2 | POST `/v1/quotes/{quote_id}/saved/verify`", "CodeEntered", "string", "code"},
		{"3 | POST `/v1/quotes/{quote_id}/saved/pay`", "PayConfirmed", "string", "confirm_token"},
		{"**POST `/v1/previous-orders`**", "PreviousOrdersRequest", "string", "email code history_token"},
		{"Part line fields", "PartLine", "", "reference quantity mpn manufacturer fab_part_code value footprint distributor_a distributor_b description"},
		{"**POST `/v1/buy-links`**", "BuyLinkRequest", "", "upload_id project_name source_url assembly layers thickness_mm surface_finish solder_mask copper_oz material board skip_board_checks itar"},
		{"Multipart fields", "FormalOrderForm", "", "name qty gerbers bom cpl board_layers services production_spec board_origin target_date itar customer_po notes request_id"},
		{"Accept-quote body", "AcceptQuote", "", "customer_approved option_id quote_number issued_at total_cents"},
		{"Fields of the order record", "QuoteOption", "", "option_id quote_number issued_at total_cents"},
	} {
		if !slices.ContainsFunc(readSentences(t), func(s sentence) bool { return strings.HasPrefix(s.text, tt.begins) }) {
			t.Errorf("no sentence begins %s", tt.begins)
		}
		properties, _ := d.properties(tt.schema)
		for _, name := range strings.Fields(tt.names) {
			if found := d.shapeOf(properties[name]); !found.known || tt.kind != "" && !slices.Contains(found.types, tt.kind) {
				t.Errorf("%s.%s: described %t, of %q; want it described, of %q or of any if that is empty", tt.schema, name, found.known, found.types, tt.kind)
			}
		}
	}
	for name, most := range map[string]float64{
		"PreviousOrdersRequest.email": 254, "PreviousOrdersRequest.code": 12, "PreviousOrdersRequest.history_token": 200, "CodeEntered.code": 20,
		"PayConfirmed.confirm_token": 200, "BuyLinkRequest.upload_id": 64, "BuyLinkRequest.project_name": 200, "BuyLinkRequest.source_url": 2000,
		"ReorderRequest.order_id": 80, "ReorderRequest.history_token": 200, "ReorderRequest.project_name": 200,
	} {
		schema, field, _ := strings.Cut(name, ".")
		properties, _ := d.properties(schema)
		if got := d.shapeOf(properties[field]); got.max != most {
			t.Errorf("%s has at most %v characters, want %v", name, got.max, most)
		}
	}
	for path, usual := range map[string]float64{"post /v1/quotes": 30, "post /v1/reorders": 30, "get /v1/quote-requests/{request_id}": 0} {
		method, path, _ := strings.Cut(path, " ")
		if low, high, unsent := query(doc.Paths[path][method], "wait_s"); low != 0 || high != 150 || unsent != usual {
			t.Errorf("wait_s of %s is %v to %v, %v unless sent; want 0 to 150, %v", path, low, high, unsent, usual)
		}
	}
	if doc.Info.Version != "1.0.0" {
		t.Errorf("version %q, want 1.0.0", doc.Info.Version)
	}
}

// query is the bounds and the default of a parameter.
func query(operation any, name string) (low, high, usual float64) {
	op, _ := operation.(map[string]any)
	for _, p := range list(op["parameters"]) {
		if m, ok := p.(map[string]any); ok && m["name"] == name {
			schema, _ := m["schema"].(map[string]any)
			low, _ = number(schema["minimum"])
			high, _ = number(schema["maximum"])
			usual, _ = number(schema["default"])
		}
	}
	return low, high, usual
}

// TestBoundsAreEnforced: what the specification bounds is refused beyond, all
// fields of a request at once, by the program and not only in its description.
func TestBoundsAreEnforced(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	for _, table := range []struct{ section, after, path, valid string }{
		{"Reorders and earlier orders", "No other properties", "/v1/reorders", `{}`},
		{"Checks", "**POST `/v1/design-checks`**", "/v1/design-checks", `{}`},
		{"Checks", "**POST `/v1/part-checks`**", "/v1/part-checks", `{"parts":[{"mpn":"x"}]}`},
	} {
		for _, beyond := range []func(field) any{valueAbove, valueBelow, wrongType} {
			body := map[string]any{}
			if err := json.Unmarshal([]byte(table.valid), &body); err != nil {
				t.Fatal(err)
			}
			for _, f := range fieldsOf(t, table.section, table.after) {
				if v := beyond(f); v != nil && f.name != "itar" {
					body[f.name] = v
				}
			}
			text, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			r := s.call(t, table.path, string(text))
			for name := range body {
				if refused := fmt.Sprint(r.m["fields"]); r.status != 422 || name != "parts" && !strings.Contains(refused, "field:"+name+" ") {
					t.Errorf("%s with %s: %d %s; want 422 and %s among its fields", table.path, text, r.status, r.text, name)
					break
				}
			}
		}
	}
}

// valueAbove is a value beyond a field's bounds, or nil where it has none.
func valueAbove(f field) any {
	if m := atMost.FindStringSubmatch(f.says); m != nil {
		n, _ := strconv.Atoi(m[1])
		return strings.Repeat("x", n+1)
	}
	if m := bounded.FindStringSubmatch(f.says); m != nil {
		n, _ := strconv.Atoi(m[2])
		return n + 1
	}
	return nil
}

func valueBelow(f field) any {
	if m := bounded.FindStringSubmatch(f.says); m != nil {
		n, _ := strconv.ParseFloat(m[1], 64)
		return n - 1
	}
	return nil
}

// wrongType is a value of a type that a field never has.
func wrongType(f field) any {
	switch {
	case strings.HasPrefix(f.kind, "string"):
		return 7
	case strings.HasPrefix(f.kind, "boolean"):
		return []int{1}
	case strings.HasPrefix(f.kind, "integer"), strings.HasPrefix(f.kind, "number"):
		return "many"
	}
	return nil
}
