package jsonbody_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/problem"
)

// TestFieldRules: what each kind of field takes, at its bounds and beyond them. "" is a field
// that is taken, whatever it gives.
func TestFieldRules(t *testing.T) {
	t.Parallel()
	show := func(v any) string {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	number := func(f *jsonbody.Fields) string { return show(f.Number("x", 0.1, 10)) }
	whole := func(f *jsonbody.Fields) string { return show(f.Int("x", 1, 100_000)) }
	text := func(f *jsonbody.Fields) string { return show(f.Text("x", 5, false)) }
	lines := func(f *jsonbody.Fields) string { return show(f.Text("x", 5, true)) }
	yes := func(f *jsonbody.Fields) string { return show(f.Bool("x")) }
	list := func(f *jsonbody.Fields) string { return show(f.Texts("x", 2, 3)) }
	free := func(f *jsonbody.Fields) string { return show(f.Free("x", 20, 2)) }
	named := func(s string) (string, bool) { return "enig", s == "gold" }
	choice := func(f *jsonbody.Fields) string { return show(f.Choice("x", []string{"enig", "hasl"}, named, false)) }
	open := func(f *jsonbody.Fields) string { return show(f.Choice("x", []string{"enig"}, named, true)) }
	for _, tt := range []struct {
		rule, value string
		take        func(*jsonbody.Fields) string
		want        string
		problem     string
	}{
		{"null is none", `null`, number, "null", ""},
		{"the least", `0.1`, number, "0.1", ""},
		{"the most", `10`, number, "10", ""},
		{"below the least", `0.09`, number, "null", jsonbody.OutOfRange},
		{"above the most", `10.01`, number, "null", jsonbody.OutOfRange},
		{"a number in quotes", `"1"`, number, "null", jsonbody.WrongType},
		{"a number beyond all", `1e999`, number, "null", jsonbody.WrongType},
		{"a yes for a number", `true`, number, "null", jsonbody.WrongType},
		{"a whole number", `5`, whole, "5", ""},
		{"a whole number with a point", `5.0`, whole, "5", ""},
		{"a whole number with an exponent", `1e5`, whole, "100000", ""},
		{"a broken number", `5.5`, whole, "null", jsonbody.WrongType},
		{"one more than the most", `100001`, whole, "null", jsonbody.OutOfRange},
		{"none", `0`, whole, "null", jsonbody.OutOfRange},
		{"a number that no integer holds", `1e30`, whole, "null", jsonbody.OutOfRange},
		{"a text", `"abc"`, text, `"abc"`, ""},
		{"a text of five", `"äöüßé"`, text, `"äöüßé"`, ""},
		{"a text of six", `"abcdef"`, text, "null", jsonbody.TooLong},
		{"an empty text is none", `""`, text, "null", ""},
		{"a text of blanks is none", `"  "`, text, "null", ""},
		{"lines become one", `"a\nb"`, text, `"a b"`, ""},
		{"lines that are kept", `"a\nb"`, lines, `"a\nb"`, ""},
		{"what nobody sees goes", `"a\u0000b\u202e"`, text, `"ab"`, ""},
		{"a list for a text", `["a"]`, text, "null", jsonbody.WrongType},
		{"true", `true`, yes, "true", ""},
		{"false", `false`, yes, "false", ""},
		{"a one for a yes", `1`, yes, "null", jsonbody.WrongType},
		{"a word for a yes", `"true"`, yes, "null", jsonbody.WrongType},
		{"two texts", `["a", "b"]`, list, `["a","b"]`, ""},
		{"empty texts are left out", `["a", ""]`, list, `["a"]`, ""},
		{"three texts", `["a", "b", "c"]`, list, "null", jsonbody.TooLong},
		{"a long text in a list", `["abcd"]`, list, "[]", jsonbody.TooLong},
		{"a number in a list", `["a", 1]`, list, `["a"]`, jsonbody.WrongType},
		{"a text for a list", `"a"`, list, "null", jsonbody.WrongType},
		{"any shape, its names sorted", `{"b": 1.0, "a": [2e0]}`, free, `{"a":[2],"b":1}`, ""},
		{"20 bytes", `"` + strings.Repeat("x", 18) + `"`, free, `"` + strings.Repeat("x", 18) + `"`, ""},
		{"21 bytes", `"` + strings.Repeat("x", 19) + `"`, free, "null", jsonbody.TooLong},
		{"three levels", `[[[1]]]`, free, "null", jsonbody.TooLong},
		{"a name of a store's operator", `{"$where": 1}`, free, "null", jsonbody.Malformed},
		{"one deep within", `[{"$a": 1}]`, free, "null", jsonbody.Malformed},
		{"an empty name", `{"": 1}`, free, "null", jsonbody.Malformed},
		{"a name with a zero", `{"a\u0000": 1}`, free, "null", jsonbody.Malformed},
		{"a value of the list", `"hasl"`, choice, `"hasl"`, ""},
		{"words that name one", `"gold"`, choice, `"enig"`, ""},
		{"words that name none", `"silver"`, choice, "null", jsonbody.Unsupported},
		{"words that name none, where others may be", `"silver"`, open, `"silver"`, ""},
	} {
		f := fields(t, `{"x": `+tt.value+`}`)
		got := tt.take(f)
		problems := ""
		if p := f.Problems(); len(p) > 0 {
			problems = p[0].Problem
		}
		if got != tt.want || problems != tt.problem || len(f.Problems()) > 1 {
			t.Errorf("%s: %s is taken as %s, refused for %q; want %s, %q", tt.rule, tt.value, got, problems, tt.want, tt.problem)
		}
	}
}

// TestFieldNames: what is refused within objects and lists is named by the way there, and what
// nobody asked for is known.
func TestFieldNames(t *testing.T) {
	t.Parallel()
	f := fields(t, `{"ship_to": {"country": 1, "planet": "x"}, "parts": [{"quantity": 0}, "x"], "more": 1, "line\nbreak": 1}`)
	to := f.Object("ship_to")
	to.Text("country", 2, false)
	parts := f.Objects("parts", 5)
	for _, p := range parts {
		p.Int("quantity", 1, 10)
	}
	f.Add(contract.FieldProblem{Field: "other", Problem: jsonbody.Conflict})
	var got []string
	for _, p := range f.Problems() {
		got = append(got, p.Field+" "+p.Problem)
	}
	if want := []string{"ship_to.country wrong_type", "parts.1 wrong_type", "parts.0.quantity out_of_range", "other conflict"}; !slices.Equal(got, want) {
		t.Errorf("refused %q, want %q", got, want)
	}
	if got, want := slices.Concat(to.Unknown(), f.Unknown()), []string{"ship_to.planet", "line break", "more"}; !slices.Equal(got, want) {
		t.Errorf("nobody asked for %q, want %q", got, want)
	}
	if got, want := f.Names(), []string{"line\nbreak", "more"}; !slices.Equal(got, want) {
		t.Errorf("names as they are written: %q, want %q", got, want)
	}
	if o := f.Object("none"); o != nil {
		t.Errorf("an object that is left out: %+v, want nil", o)
	}
}

// TestUnknownNotes: plain names stand in our sentence, others only count.
func TestUnknownNotes(t *testing.T) {
	t.Parallel()
	var many []string
	for range 30 {
		many = append(many, "more")
	}
	for want, names := range map[string][]string{
		"":                          nil,
		"aside: colour, ship_to.x.": {"colour", "ship_to.x"},
		"aside.":                    {"ignore all of this", "<b>"},
		"aside: colour.":            {"ignore all of this", "colour"},
		"aside: " + strings.TrimSuffix(strings.Repeat("more, ", 20), ", ") + ".": many,
	} {
		got := strings.Join(jsonbody.UnknownNotes(names), "|")
		if !strings.HasSuffix(got, want) || (got == "") != (want == "") {
			t.Errorf("note about %q: %q, want it to end with %q", names, got, want)
		}
	}
	if got := jsonbody.KeyNote("k"); len(got) != 1 || jsonbody.KeyNote("") != nil {
		t.Errorf("note about an Idempotency-Key: %q, about none: %q; want one and none", got, jsonbody.KeyNote(""))
	}
}

// TestBytes: a body of a megabyte is taken whole, one byte more is refused by what it
// announces as by what comes.
func TestBytes(t *testing.T) {
	t.Parallel()
	full := bytes.Repeat([]byte("x"), jsonbody.MaxBytes)
	for name, tt := range map[string]struct {
		body   io.Reader
		length int64
		code   contract.Code
		came   int
	}{
		"whole":                 {bytes.NewReader(full), int64(len(full)), "", len(full)},
		"of unknown length":     {bytes.NewReader(full), -1, "", len(full)},
		"a byte more":           {bytes.NewReader(append(full, 'x')), -1, contract.BodyTooLarge, len(full) + 1},
		"announced as too long": {strings.NewReader("x"), jsonbody.MaxBytes + 1, contract.BodyTooLarge, 1},
		"cut off":               {io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(errors.New("gone"))), 10, contract.InvalidJSON, 3},
	} {
		got, err := jsonbody.Bytes(tt.body, tt.length)
		code := contract.Code("")
		if err != nil {
			code = problem.Find(err).Refusal.Code
		}
		if code != tt.code || len(got) != tt.came {
			t.Errorf("%s: %d bytes, %v; want %d, %q", name, len(got), err, tt.came, tt.code)
		}
	}
}

// TestCanonicalNumbers: one number has one spelling, and what no float holds exactly is not made an integer.
func TestCanonicalNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"1": "1", "1.0": "1", "1e0": "1", "-0": "0", "1.50": "1.5", "1e14": "100000000000000", "1e15": "1e+15", "1e400": "1e400"} {
		got, err := json.Marshal(jsonbody.Canonical(json.Number(text)))
		if err != nil || string(got) != want {
			t.Errorf("Canonical(%s) = %s (%v), want %s", text, got, err, want)
		}
	}
	for value, want := range map[string]int{`1`: 0, `[]`: 1, `{"a": []}`: 2, `[[], {"a": [1]}]`: 3} {
		var v any
		if err := json.Unmarshal([]byte(value), &v); err != nil {
			t.Fatal(err)
		}
		if got := jsonbody.Depth(v); got != want {
			t.Errorf("Depth(%s) = %d, want %d", value, got, want)
		}
	}
}
