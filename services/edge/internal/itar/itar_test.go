package itar_test

import (
	"testing"

	"boardorder/services/edge/internal/itar"
	"boardorder/services/edge/internal/jsonbody"
)

func TestIn(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		`{}`: false, `{"itar":false}`: false, `{"itar":null}`: false, `{"itar":"no"}`: false, `{"itar":0}`: false, `{"itar":""}`: false,
		`{"ITAR":"False"}`: false, `{"itarian":true}`: false, `{"notes":"itar"}`: false, `{"guitar":true}`: false, `{"itar":[]}`: false,
		`{"itar":true}`: true, `{"ITAR":true}`: true, `{"Itar":"true"}`: true, `{"itar":1}`: true, `{"itar":"yes"}`: true, `{"itar ":true}`: true,
		`{"\u0069tar":true}`: true, `{"ＩＴＡＲ":true}`: true, `{"it\u200bar":true}`: true, `{"is_itar":true}`: true, `{"itar-controlled":"Y"}`: true,
		`{"itar":"perhaps"}`: true, `{"itar":{"controlled":true}}`: true, `{"itar":-0.5}`: true, `{"itar":"USML XI(c)"}`: true,
		`{"fab_options":{"ITAR":true}}`: true, `{"a":[{"b":{"itar":"on"}}]}`: true, `{"ship_to":{"itar":true}}`: true,
	} {
		v, err := jsonbody.Parse([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		if got := itar.In(v); got != want {
			t.Errorf("In(%s) = %v", body, got)
		}
	}
}
