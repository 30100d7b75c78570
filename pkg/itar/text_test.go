package itar_test

import (
	"strings"
	"testing"

	"boardorder/pkg/itar"
)

func TestInText(t *testing.T) {
	t.Parallel()
	utf16 := func(s string) string { return "\xff\xfe" + strings.Join(strings.Split(s, ""), "\x00") + "\x00" }
	for body, want := range map[string]bool{
		`{"itar": true, "upload_id": "up_1"`: true, `{"ITAR":tru`: true, `{"itar":true,}`: true,
		`{'itar': True}`: true, `{itar: true}`: true, `{"a":1, itar : 1}`: true, "itar: yes\nupload_id: up_1": true, `itar=true&upload_id=up_1`: true,
		`upload_id=up_1&%69tar=on`: true, `{"\u0069tar":true`: true, `{"it` + "\u200b" + `ar":true`: true, `{"is_itar_controlled" : "Yes"`: true,
		`{"itar":true,"itar":false}`: true, `{"itar":false,"itar":true}`: true, `[{"itar":true}]`: true,
		`{"itar":true} {`: true, "\xff{\"itar\":true": true, utf16(`{"itar":true}`): true, `{"x":{"y":[{"itar" : 1.0}`: true,
		"--b\r\nContent-Disposition: form-data; name=\"itar\"\r\n\r\ntrue\r\n": true, "--b\r\nContent-Disposition: form-data; name=ITAR\r\nContent-Type: text/plain\r\n\r\n1": true,

		// What cannot be read as yes deletes nothing.
		`{"upload_id":"up_1","itar":`: false, `{"is_itar_controlled" : "perhaps"`: false, `{"itar":{"a":1}`: false, `{"itar":["USML"]`: false,
		`{"x":{"y":[{"itar" : -1}`: false, `itar=nope&upload_id=up_1`: false, `{"itar":"ja"`: false,

		`{"itar": false, "upload_id": "up_1"`: false, `{"itar":null,`: false, `{"itar":"no"`: false, `{"itar":0.0,`: false, `{"itar":"",`: false, `{"itar":[] `: false,
		`{'itar': False}`: false, `itar=0&x=1`: false, `{itar: false}`: false, `{"special_notes":"size 10, ITAR: not controlled"`: false,
		`{"special_notes":"ITAR: not controlled"`: false, `{"special_notes":"no ITAR, really"`: false, `{"guitar":true`: false, `{"quantity":1`: false, ``: false,
		"--b\r\nContent-Disposition: form-data; name=\"itar\"\r\n\r\nfalse\r\n": false,
	} {
		if got := itar.DeclaresInText([]byte(body)); got != want {
			t.Errorf("DeclaresInText(%q) = %v, want %v", body, got, want)
		}
	}
}

// A body of the greatest size is looked through once, whatever it holds: again from each
// of its bytes would not end before the tests' time is over.
func TestInTextEnds(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{`"`, `"a`, `{"a":`, "name=\"\n", "a=", "\x00", `\u`, "\n\n", `'a' :   `} {
		itar.DeclaresInText([]byte(strings.Repeat(piece, (1<<20)/len(piece))))
	}
}

func FuzzInText(f *testing.F) {
	f.Add([]byte(`{"a":1`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if !itar.DeclaresInText(append([]byte(`{"itar":true,"a":`), body...)) {
			t.Errorf("DeclaresInText passes over what stands before %q", body)
		}
	})
}
