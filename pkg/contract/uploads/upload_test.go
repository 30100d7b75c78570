package uploads_test

import (
	"encoding/json"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"
)

func TestUploadBriefReadsAnUpload(t *testing.T) {
	t.Parallel()
	for name, files := range map[string][]uploads.File{"none": nil, "no longer any": {}, "one": {{}}} {
		u := uploads.Upload{Ref: "r", Status: uploads.Open, ExpiresAt: time.Unix(1, 0).UTC(), Digest: "d", Files: files}
		data, err := json.Marshal(u)
		if err != nil {
			t.Fatal(err)
		}
		b, err := uploads.ReadBrief(data)
		if err != nil {
			t.Fatal(err)
		}
		if b.Ref != u.Ref || b.Status != u.Status || !b.ExpiresAt.Equal(u.ExpiresAt) || b.Digest != u.Digest || b.Empty() != (len(files) == 0) {
			t.Errorf("%s: %+v, empty %t; want what it is of, %t: %+v", name, b, b.Empty(), len(files) == 0, u)
		}
	}
}

func TestUploadBriefOfSomethingElse(t *testing.T) {
	t.Parallel()
	for _, data := range []string{``, `null`, `[]`, `{}`, `{"ref":7}`, `{"ref":"r","expires_at":"soon"}`, `{"ref":"r","expires_at":7}`} {
		if b, err := uploads.ReadBrief([]byte(data)); err == nil {
			t.Errorf("ReadBrief(%s) = %+v, want an error", data, b)
		}
	}
}

func TestStateOf(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]string{
		`{"state":{"a":[1, 2]},"applied":["x"]}`:      `{"a":[1, 2]}`,
		` { "applied" : [ ] , "state" : {"b":null} }`: `{"b":null}`,
		`{"applied":[]}`: ``, `[{"state":{}}]`: ``, ``: ``,
	} {
		if got := string(contract.StateOf([]byte(data))); got != want {
			t.Errorf("StateOf(%s) = %s, want %s", data, got, want)
		}
	}
}
