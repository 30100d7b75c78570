package quote

import (
	"encoding/json"
	"testing"

	"boardorder/pkg/address"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract/stackups"
	"boardorder/pkg/destination"
	"boardorder/services/edge/internal/jsonbody"

	"github.com/google/go-cmp/cmp"
)

// rulesOf are those of the built-in tables, of a fabricator that has one stackup.
func rulesOf(t testing.TB) Rules {
	t.Helper()
	c, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	places, err := destination.Load()
	if err != nil {
		t.Fatal(err)
	}
	return Rules{Catalog: c, Places: places, Stackups: func() ([]stackups.Stackup, bool) { return []stackups.Stackup{{Code: "ST04", Layers: 4}}, true }}
}

func validate(t testing.TB, text string) (request string, unknown []string, problems map[string]string) {
	t.Helper()
	m, err := jsonbody.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	f := jsonbody.NewFields(m)
	r, unknown := Validate(f, rulesOf(t))
	body, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	problems = map[string]string{}
	for _, p := range f.Problems() {
		problems[p.Field] = p.Problem
	}
	return string(body), unknown, problems
}

func TestValidate(t *testing.T) {
	t.Parallel()
	const need = `"upload_id":"up_x","quantity":5`
	tests := map[string]struct {
		body, want string
		unknown    []string
		problems   map[string]string
	}{
		"least": {`{` + need + `}`, `{` + need + `}`, nil, nil},
		"nulls and defaults are as left out": {
			`{` + need + `,"layers":null,"assembly":false,"ship_to":{},"do_not_fit_refs":[],"special_notes":"  ","fab_options":{}}`, `{` + need + `}`, nil, nil},
		"ship_to": {
			`{` + need + `,"ship_to":{"country":" us ","name":"A\nB","planet":"x"}}`,
			`{` + need + `,"ship_to":{"name":"A B","country":"US"}}`, []string{"ship_to.planet"}, nil},
		"ship_to of a Japanese keyboard": {
			`{` + need + `,"ship_to":{"country":"ＪＰ","name":"ＡＢ","line1":"２−１","postal_code":"〒１５０ー０００２","email":"taro＠example.co.jp","phone":"０３−１２３４−５６７８"}}`,
			`{` + need + `,"ship_to":{"name":"ＡＢ","email":"taro@example.co.jp","phone":"03-1234-5678","line1":"２−１","postal_code":"150-0002","country":"JP"}}`, nil, nil},
		"other choices need special requirements": {
			`{` + need + `,"solder_mask":"Matte Black"}`, `{` + need + `}`, nil, map[string]string{"solder_mask": "unsupported"}},
		"other spellings and well-known names": {
			`{` + need + `,"solder_mask":"green","surface_finish":"ENIG","material":"FR4 TG170","via_process":"Epoxy-filled, capped"}`,
			`{` + need + `,"surface_finish":"enig","solder_mask":"Green","material":"FR-4 / TG170","via_process":"epoxy_filled_capped"}`, nil, nil},
		"beyond the bounds, special or not": {
			`{` + need + `,"thickness_mm":11,"copper_oz":0.05,"special_requirements":true}`, `{` + need + `,"special_requirements":true}`, nil,
			map[string]string{"thickness_mm": "out_of_range", "copper_oz": "out_of_range"}},
		"and then pass": {
			`{` + need + `,"solder_mask":"Matte Black","special_requirements":true}`,
			`{` + need + `,"solder_mask":"Matte Black","special_requirements":true}`, nil, nil},
		"free shapes": {
			`{` + need + `,"separate_boards":true,"file_stackup":{"b":1.0,"a":[]}}`,
			`{` + need + `,"file_stackup":{"a":[],"b":1},"separate_boards":true}`, nil, nil},
		"names that a store takes for its own": {
			`{` + need + `,"file_stackup":{"a":[{"$where":"1"}]},"separate_boards":{"":1},"fab_options":{"$ne":1}}`, `{` + need + `}`, nil,
			map[string]string{"file_stackup": "malformed", "separate_boards": "malformed", "fab_options": "malformed"}},
		"unknown properties are named": {
			`{` + need + `,"zeta":1,"alpha":{"x":1}}`, `{` + need + `}`, []string{"alpha", "zeta"}, nil},
		"substitutions": {
			`{` + need + `,"substitutions":[{"reference":"R1","original_mpn":"a","replacement_mpn":"b","colour":1}]}`,
			`{` + need + `,"substitutions":[{"reference":"R1","original_mpn":"a","replacement_mpn":"b"}]}`, []string{"substitutions.0.colour"}, nil},
		"itar must be a word of yes or no": {`{` + need + `,"itar":"yes"}`, `{` + need + `}`, nil, map[string]string{"itar": "wrong_type"}},
		"nothing":                          {`{}`, `{"upload_id":"","quantity":0}`, nil, map[string]string{"upload_id": "missing", "quantity": "missing"}},
		"a good form is judged where the files are known": {
			`{` + need + `,"fab_options":{"sparkle":1},"ship_to":{"country":"DE","postal_code":"X"}}`,
			`{` + need + `,"ship_to":{"postal_code":"X","country":"DE"},"fab_options":{"sparkle":1}}`, nil, nil},
		"how nobody is reached": {
			`{` + need + `,"ship_to":{"country":"DE","phone":"x","email":"ada"}}`,
			`{` + need + `,"ship_to":{"email":"ada","phone":"x","country":"DE"}}`, nil, map[string]string{"ship_to.phone": "malformed", "ship_to.email": "malformed"}},
		"a bad form is judged at once": {
			`{` + need + `,"layers":"two","fab_options":{"sparkle":1,"panel_by":"fabricator"},"ship_to":{"country":"DE","postal_code":"X","tax_id":"XX","line1":"x"}}`,
			`{` + need + `,"ship_to":{"line1":"x","postal_code":"X","country":"DE","tax_id":"XX"},"fab_options":{"panel_by":"fabricator","sparkle":1}}`, nil,
			map[string]string{
				"layers": "wrong_type", "fab_options.sparkle": "unknown_field", "fab_options.panel_columns": "missing", "fab_options.panel_rows": "missing",
				"ship_to.postal_code": "malformed", "ship_to.tax_id": "malformed", "ship_to.line1": "malformed",
			}},
		"a bad form and a state, or a postal code, that is none": {
			`{` + need + `,"layers":0,"ship_to":{"country":"US","state":"ZZ"}}`, `{` + need + `,"ship_to":{"state":"ZZ","country":"US"}}`, nil,
			map[string]string{"layers": "out_of_range", "ship_to.state": "unknown"}},
		"a bad form and a postal code of another state": {
			`{` + need + `,"layers":0,"ship_to":{"country":"US","state":"NY","postal_code":"94105"}}`, `{` + need + `,"ship_to":{"state":"NY","postal_code":"94105","country":"US"}}`, nil,
			map[string]string{"layers": "out_of_range", "ship_to.postal_code": "contradicts_state"}},
		"a bad form and a country that is not served": {
			`{` + need + `,"layers":0,"ship_to":{"country":"CN"}}`, `{` + need + `,"ship_to":{"country":"CN"}}`, nil,
			map[string]string{"layers": "out_of_range", "ship_to.country": "not_served"}},
		"a bad form and islands outside of the tax": {
			`{` + need + `,"layers":0,"ship_to":{"country":"ES","postal_code":"35001"}}`, `{` + need + `,"ship_to":{"postal_code":"35001","country":"ES"}}`, nil,
			map[string]string{"layers": "out_of_range", "ship_to.postal_code": "not_served"}},
		"a bad form and a tax number of nowhere": {
			`{` + need + `,"layers":0,"ship_to":{"tax_id":"DE136695976"}}`, `{` + need + `,"ship_to":{"tax_id":"DE136695976"}}`, nil,
			map[string]string{"layers": "out_of_range", "ship_to.country": "missing"}},
		"a bad form and a stackup that nobody has": {
			`{` + need + `,"layers":0,"fab_stackup":"ZZZ"}`, `{` + need + `,"fab_stackup":"ZZZ"}`, nil,
			map[string]string{"layers": "out_of_range", "fab_stackup": "unsupported"}},
		"a bad form and what is right": {
			`{` + need + `,"layers":0,"fab_stackup":" st04","ship_to":{"country":"US","state":"ca","postal_code":"94105"}}`,
			`{` + need + `,"ship_to":{"state":"ca","postal_code":"94105","country":"US"},"fab_stackup":"st04"}`, nil,
			map[string]string{"layers": "out_of_range"}},
		"a country that is none hides no other field, and is refused once": {
			`{` + need + `,"ship_to":{"country":"Germany","state":"ZZ"}}`, `{` + need + `,"ship_to":{"state":"ZZ","country":"GERMANY"}}`, nil,
			map[string]string{"ship_to.country": "unsupported"}},
		"too deep options": {
			`{` + need + `,"fab_options":{"a":{"b":{"c":{"d":{}}}}}}`, `{` + need + `}`, nil, map[string]string{"fab_options": "too_long"}},
	}
	for name, tt := range tests {
		got, unknown, problems := validate(t, tt.body)
		if got != tt.want || !cmp.Equal(unknown, tt.unknown) {
			t.Errorf("%s: Validate = %s, unknown %v; want %s, %v", name, got, unknown, tt.want, tt.unknown)
		}
		if tt.problems == nil {
			tt.problems = map[string]string{}
		}
		if diff := cmp.Diff(tt.problems, problems); diff != "" {
			t.Errorf("%s: problems (-want +got):\n%s", name, diff)
		}
	}
}

func TestValidEmail(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"a@example.com": true, "a.b+c@mail.example.org": true,
		"a": false, "a@b": false, "A <a@example.com>": false, "a@example.com, b@example.com": false, "a b@example.com": false,
	} {
		if got := address.IsEmail(s); got != want {
			t.Errorf("address.IsEmail(%q) = %v, want %v", s, got, want)
		}
	}
}

// Whatever is sent, validation gives an answer, and what it accepts it accepts
// again in the form in which it is passed on.
func FuzzValidate(f *testing.F) {
	rules := rulesOf(f)
	f.Add([]byte(`{"upload_id":"up_x","quantity":5,"fab_options":{"gold_fingers":true},"ship_to":{"country":"us"},"substitutions":[{"reference":"R1"}]}`))
	f.Add([]byte(`{"upload_id":1,"quantity":"x","layers":[],"do_not_fit_refs":[null],"file_stackup":[[[[[]]]]]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := jsonbody.Parse(data)
		if err != nil {
			return
		}
		fields := jsonbody.NewFields(m)
		r, _ := Validate(fields, rules)
		if len(fields.Problems()) > 0 {
			return
		}
		once, err := json.Marshal(r)
		if err != nil {
			t.Fatalf("accepted %q cannot be passed on: %v", data, err)
		}
		if m, err = jsonbody.Parse(once); err != nil {
			t.Fatalf("%s, from %q: %v", once, data, err)
		}
		fields = jsonbody.NewFields(m)
		again, unknown := Validate(fields, rules)
		twice, _ := json.Marshal(again)
		if len(fields.Problems()) > 0 || len(unknown) > 0 || string(once) != string(twice) {
			t.Errorf("%s became %s, problems %v, unknown %v; want the same, none", once, twice, fields.Problems(), unknown)
		}
	})
}
