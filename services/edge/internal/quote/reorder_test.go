package quote

import (
	"encoding/json"
	"testing"

	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/services/edge/internal/customer"
	"boardorder/services/edge/internal/jsonbody"

	"github.com/google/go-cmp/cmp"
)

// TestReorderChangesWhatIsSentAlone: each field of a reorder takes the place of what the
// earlier order had, whole, and every other choice is carried forward. An empty list clears.
func TestReorderChangesWhatIsSentAlone(t *testing.T) {
	t.Parallel()
	rules := rulesOf(t)
	const was = `{"upload_id":"","quantity":10,"ship_to":{"name":"Ada","line1":"1 Main St","country":"US"},"assembly":true,"layers":4,"thickness_mm":1.2,"copper_oz":1,"inner_copper_oz":1,
		"surface_finish":"enig","solder_mask":"Blue","material":"FR-4 / TG155","via_process":"plugged","fab_options":{"electrical_test":"sample"},"special_requirements":true,
		"special_notes":"mind the gap","standard_for_unstated":true,"board":"first","project_name":"Lamp","customer_supplied_refs":["U1"],"do_not_fit_refs":["R1"],
		"substitutions":[{"reference":"R2","original_mpn":"a","replacement_mpn":"b"}],"staff_picks_parts":true}`
	var e customer.Earlier
	if err := json.Unmarshal([]byte(was), &e.Quote.Request); err != nil {
		t.Fatal(err)
	}
	e.ShipTo = *e.Quote.Request.ShipTo
	for field, tt := range map[string]struct{ sent, want string }{ // want: null where the property is left out
		"quantity": {`20`, ``}, "ship_to": {`{"country":"DE"}`, ``}, "assembly": {`false`, `null`}, "layers": {`2`, ``}, "thickness_mm": {`0.8`, ``}, "copper_oz": {`2`, ``},
		"inner_copper_oz": {`0.5`, ``}, "surface_finish": {`"hasl"`, ``}, "solder_mask": {`"Red"`, ``}, "material": {`"FR-4"`, ``}, "via_process": {`"tented"`, ``},
		"fab_options": {`{"gold_fingers":"plain"}`, ``}, "special_requirements": {`false`, `null`}, "special_notes": {`"none"`, ``}, "board": {`"second"`, ``},
		"project_name": {`"Clock"`, ``}, "customer_supplied_refs": {`["J1"]`, ``}, "do_not_fit_refs": {`[]`, `null`}, "substitutions": {`[]`, `null`},
		"staff_picks_parts": {`false`, `null`}, "skip_board_checks": {`true`, ``}, "": {``, ``},
	} {
		member := ""
		if field != "" {
			member = `,"` + field + `":` + tt.sent
		}
		m, err := jsonbody.Parse([]byte(`{"history_token":"t","order_id":"o"` + member + `}`))
		if err != nil {
			t.Fatal(err)
		}
		f := jsonbody.NewFields(m)
		ch := readChanges(&Quotes{Rules: rules}, f)
		if p := f.Problems(); len(p) > 0 {
			t.Errorf("a reorder with %s: refused %+v, want it taken", field, p)
		}
		body, err := json.Marshal(ch.applyTo(e))
		var got, want map[string]any
		if err != nil || json.Unmarshal(body, &got) != nil || json.Unmarshal([]byte(was), &want) != nil {
			t.Fatalf("a reorder with %s makes the request %s, %v; want JSON, as %s is", field, body, err, was)
		}
		if tt.want == "" {
			tt.want = tt.sent
		}
		var value any
		if field != "" {
			if err := json.Unmarshal([]byte(tt.want), &value); err != nil {
				t.Fatalf("the value wanted of %s is %s: %v", field, tt.want, err)
			}
			if want[field] = value; value == nil {
				delete(want, field)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", field, diff)
		}
	}
}

// Every choice is carried forward, and only what is sent changes.
func TestReorderCarriesChoices(t *testing.T) {
	t.Parallel()
	rules := rulesOf(t)
	details := quotes.BoardDetails{
		Layers: 2, ThicknessMM: 1.6, CopperOz: 1, SurfaceFinish: "hasl_lead_free", SolderMask: "Green", Material: "FR-4",
		FabOptions: map[string]any{"gold_fingers": true, "panel_by": "customer"},
	}
	blue := "Blue"
	e := customer.Earlier{
		ShipTo: shipments.ShipTo{Name: "Ada", Country: "US"},
		Quote: quotes.Quote{
			Request: quotes.Request{Quantity: 10, StandardForUnstated: true, SolderMask: &blue},
			Reply: quotes.Reply{BoardDetails: &details, BoardDetailsFrom: map[string]string{
				"thickness_mm": "file", "copper_oz": "standard", "surface_finish": "standard", "solder_mask": "request", "material": "standard",
				"fab_options.gold_fingers": "standard", "fab_options.panel_by": "file",
			}},
		},
	}
	const was = `"quantity":10,"ship_to":{"name":"Ada","country":"US"},"solder_mask":"Blue","standard_for_unstated":true`
	for name, tt := range map[string]struct{ sent, want string }{
		"nothing":           {``, was},
		"null":              {`,"ship_to":null,"standard_for_unstated":null`, was},
		"a delivery":        {`,"ship_to":{"country":"DE"}`, `"quantity":10,"ship_to":{"country":"DE"},"solder_mask":"Blue","standard_for_unstated":true`},
		"an empty delivery": {`,"ship_to":{}`, `"quantity":10,"solder_mask":"Blue","standard_for_unstated":true`},
		"the standard no longer": {
			`,"standard_for_unstated":false`,
			`"quantity":10,"ship_to":{"name":"Ada","country":"US"},"copper_oz":1,"surface_finish":"hasl_lead_free","solder_mask":"Blue","material":"FR-4","fab_options":{"gold_fingers":true}`,
		},
		"nor other options": {
			`,"standard_for_unstated":false,"copper_oz":2,"fab_options":{}`,
			`"quantity":10,"ship_to":{"name":"Ada","country":"US"},"copper_oz":2,"surface_finish":"hasl_lead_free","solder_mask":"Blue","material":"FR-4"`,
		},
	} {
		m, err := jsonbody.Parse([]byte(`{"history_token":"t","order_id":"o"` + tt.sent + `}`))
		if err != nil {
			t.Fatal(err)
		}
		f := jsonbody.NewFields(m)
		ch := readChanges(&Quotes{Rules: rules}, f)
		if p := f.Problems(); len(p) > 0 {
			t.Errorf("%s: refused %+v, want it taken", name, p)
		}
		var got, want map[string]any
		body, err := json.Marshal(ch.applyTo(e))
		if err != nil {
			t.Fatal(err)
		}
		if json.Unmarshal(body, &got) != nil || json.Unmarshal([]byte("{"+tt.want+"}"), &want) != nil {
			t.Fatalf("%s makes the request %s; want JSON, as {%s} is", name, body, tt.want)
		}
		delete(got, "upload_id")
		shorten(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

// shorten leaves out what a delivery does not say.
func shorten(request map[string]any) {
	to, _ := request["ship_to"].(map[string]any)
	for key, v := range to {
		if v == "" {
			delete(to, key)
		}
	}
}

// TestReordersRefuseAllFieldsAtOnce: also what only the tables know, and nothing that the
// earlier order may allow.
func TestReordersRefuseAllFieldsAtOnce(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		sent string
		want map[string]string
	}{
		"state and options": {
			`"quantity":0,"special_requirements":false,"fab_options":{"sparkle":1},"ship_to":{"country":"CA","state":"ZZ"}`,
			map[string]string{"quantity": "out_of_range", "fab_options.sparkle": "unknown_field", "ship_to.state": "unknown"},
		},
		"options that the earlier order may allow": {
			`"quantity":0,"fab_options":{"sparkle":1},"ship_to":{"country":"CA","state":"ON"}`, map[string]string{"quantity": "out_of_range"},
		},
		"a property that it does not take": {
			`"colour":1,"ship_to":{"country":"CA","postal_code":"X"}`, map[string]string{"colour": "unknown_field", "ship_to.postal_code": "malformed"},
		},
		"a good form": {`"ship_to":{"country":"CA","state":"ZZ"}`, map[string]string{}},
	} {
		m, err := jsonbody.Parse([]byte(`{"history_token":"t","order_id":"o",` + tt.sent + `}`))
		if err != nil {
			t.Fatal(err)
		}
		f := jsonbody.NewFields(m)
		readChanges(&Quotes{Rules: rulesOf(t)}, f)
		got := map[string]string{}
		for _, p := range f.Problems() {
			got[p.Field] = p.Problem
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: {%s}: problems (-want +got)\n%s", name, tt.sent, diff)
		}
	}
}
