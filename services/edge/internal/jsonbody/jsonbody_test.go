package jsonbody_test

import (
	"encoding/json"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/problem"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{
		`{}`: true, ` {"a":[1,{"b":null}]} `: true, "{\"a\":\"\\ud83d\\ude00\"}": true,
		``: false, `[]`: false, `1`: false, `{"a":1,"a":2}`: false, `{"a":{"b":1,"b":2}}`: false, `{"a":1}x`: false, `{"a":1}{}`: false,
		`{'a':1}`: false, `{"a":1,}`: false, `{"a":NaN}`: false, "{\"a\":\"\xff\"}": false, `{"a":`: false,
		strings.Repeat(`{"a":`, 20) + `1` + strings.Repeat(`}`, 20): true,
		strings.Repeat(`{"a":`, 21) + `1` + strings.Repeat(`}`, 21): false,
		`{"a":` + strings.Repeat(`[`, 100_000):                      false,
	} {
		_, err := jsonbody.Parse([]byte(text))
		if (err == nil) != ok {
			t.Errorf("Parse(%.60q) = %v", text, err)
		}
		if err != nil && problem.Find(err).Refusal.Code != contract.InvalidJSON {
			t.Errorf("Parse(%.60q): code %s", text, problem.Find(err).Refusal.Code)
		}
	}
}

// TestByteOrderMark: the message names what stands there, not byte 0.
func TestByteOrderMark(t *testing.T) {
	t.Parallel()
	_, err := jsonbody.Parse([]byte("\ufeff{}"))
	if p := problem.Find(err); p.Refusal.Code != contract.InvalidJSON || !strings.Contains(p.Refusal.Message, "byte-order mark") {
		t.Errorf("Parse = %v", err)
	}
	if _, err := jsonbody.Parse([]byte(`{"a":"\ufeff"}`)); err != nil {
		t.Errorf("one within a text: %v", err)
	}
}

func fields(t *testing.T, text string) *jsonbody.Fields {
	t.Helper()
	m, err := jsonbody.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return jsonbody.NewFields(m)
}

func TestFieldsTakeWhatTheyShould(t *testing.T) {
	t.Parallel()
	f := fields(t, `{"i":5.0,"n":1.6,"b":true,"s":" x\ny ","l":["a",""," b "],"o":{"z":1},"null":null,"free":{"b":[1.0,2e0],"a":"\u202ex"}}`)
	if n := f.Int("i", 1, 5); n == nil || *n != 5 {
		t.Errorf("Int = %v, want 5", n)
	}
	if n := f.Number("n", 0.1, 10); n == nil || *n != 1.6 {
		t.Errorf("Number = %v, want 1.6", n)
	}
	if !f.Flag("b") || f.Bool("null") != nil || f.Text("none", 1, false) != nil {
		t.Error("Bool or Text")
	}
	if s := f.Text("s", 10, true); *s != "x\ny" {
		t.Errorf("Text = %q, want %q", *s, "x\ny")
	}
	if diff := cmp.Diff([]string{"a", "b"}, f.Texts("l", 3, 5)); diff != "" {
		t.Errorf("Texts (-want +got):\n%s", diff)
	}
	if got, want := string(f.Free("free", 100, 2)), `{"a":"x","b":[1,2]}`; got != want {
		t.Errorf("Free = %s, want %s", got, want)
	}
	if o := f.Object("o"); !cmp.Equal(o.Unknown(), []string{"o.z"}) {
		t.Errorf("Unknown of the object = %v, want o.z", o.Unknown())
	}
	if len(f.Problems()) != 0 || len(f.Unknown()) != 0 {
		t.Errorf("problems %v, unknown %v; want none", f.Problems(), f.Unknown())
	}
}

func TestFieldsRefuse(t *testing.T) {
	t.Parallel()
	f := fields(t, `{"a":1e999,"b":"1","c":0,"d":[1],"e":{},"f":"xxx","g":[[[[1]]]],"h":"`+strings.Repeat("y", 50)+`","i":[1,2,3],"j":{"k":{}}}`)
	f.Number("a", 0, 1)
	f.Int("b", 0, 1)
	f.Int("c", 1, 2)
	f.Text("d", 5, false)
	f.Bool("e")
	f.Choice("f", []string{"x"}, func(string) (string, bool) { return "", false }, false)
	f.Free("g", 100, 3)
	f.Free("h", 20, 3)
	f.Texts("i", 2, 5)
	f.Objects("j", 2)
	got := map[string]string{}
	for _, p := range f.Problems() {
		got[p.Field] = p.Problem
	}
	want := map[string]string{
		"a": "wrong_type", "b": "wrong_type", "c": "out_of_range", "d": "wrong_type", "e": "wrong_type", "f": "unsupported",
		"g": "too_long", "h": "too_long", "i": "too_long", "j": "wrong_type",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// Whatever is accepted has one canonical form, which is accepted again.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":[1.0,{"b":"c\u202e"}],"d":null}`, `{"a":1,"a":2}`, `{"x":1e400}`, "{\"\xff\":1}", `[`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := jsonbody.Parse(data)
		if err != nil {
			return
		}
		once, err := json.Marshal(jsonbody.Canonical(m))
		if err != nil {
			t.Fatalf("Canonical(%q) cannot be written: %v", data, err)
		}
		again, err := jsonbody.Parse(once)
		if err != nil {
			t.Fatalf("Parse(%q), from %q: %v", once, data, err)
		}
		if twice, _ := json.Marshal(jsonbody.Canonical(again)); string(twice) != string(once) {
			t.Errorf("canonical form of %q changes: %s, then %s", data, once, twice)
		}
	})
}
