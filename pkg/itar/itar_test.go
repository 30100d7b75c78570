package itar_test

import (
	"encoding/json"
	"strings"
	"testing"

	"boardorder/pkg/itar"
)

func decode(t *testing.T, text string) (v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestIn(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		`{}`: false, `{"itar":false}`: false, `{"itar":null}`: false, `{"itar":"no"}`: false, `{"itar":0}`: false, `{"itar":""}`: false,
		`{"ITAR":"False"}`: false, `{"itarian":true}`: false, `{"notes":"itar"}`: false, `{"guitar":true}`: false, `{"itar":[]}`: false,
		`{"itar":true}`: true, `{"ITAR":true}`: true, `{"Itar":"true"}`: true, `{"itar":1}`: true, `{"itar":"yes"}`: true, `{"itar ":true}`: true,
		`{"\u0069tar":true}`: true, `{"ＩＴＡＲ":true}`: true, `{"it\u200bar":true}`: true, `{"is_itar":true}`: true, `{"itar-controlled":"Y"}`: true,
		`{"itar":" TRUE "}`: true, `{"itar":"T"}`: true, `{"itar":"1"}`: true, `{"itar":1.0}`: true, `{"itar":"ｙｅｓ"}`: true,
		`{"fab_options":{"ITAR":true}}`: true, `{"a":[{"b":{"itar":"on"}}]}`: true, `{"ship_to":{"itar":true}}`: true,
	} {
		v := decode(t, body)
		if got := itar.DeclaresIn(v); got != want {
			t.Errorf("DeclaresIn(%s) = %v, want %v", body, got, want)
		}
	}
}

// TestUnclear: what is neither yes nor no declares nothing, and is found.
func TestUnclear(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"itar":"nope"}`: "itar", `{"itar":"ja"}`: "itar", `{"ITAR":2}`: "ITAR", `{"itar":-0.5}`: "itar", `{"itar":"USML XI(c)"}`: "itar",
		`{"itar":{"controlled":true}}`: "itar", `{"itar":["true"]}`: "itar", `{"fab_options":{"is_itar":"perhaps"}}`: "fab_options.is_itar",
		`{"a":[{},{"itar":"?"}]}`: "a.1.itar",

		`{"itar":true}`: "", `{"itar":"yes"}`: "", `{"itar":1}`: "", `{"itar":"no"}`: "", `{"itar":"False"}`: "", `{"itar":0}`: "", `{"itar":null}`: "",
		`{"itar":""}`: "", `{"itar":[]}`: "", `{"itar":{}}`: "", `{"guitar":"perhaps"}`: "", `{}`: "",
	} {
		v := decode(t, body)
		if path, found := itar.Unclear(v); path != want || found != (want != "") {
			t.Errorf("Unclear(%s) = %q, %v, want %q", body, path, found, want)
		}
		if want != "" && itar.DeclaresIn(v) {
			t.Errorf("DeclaresIn(%s) = true, want false", body)
		}
	}
}
