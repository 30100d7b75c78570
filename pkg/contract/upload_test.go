package contract_test

import (
	"encoding/json"
	"testing"
	"time"

	"boardorder/pkg/contract"
)

func TestUploadBriefReadsAnUpload(t *testing.T) {
	t.Parallel()
	for name, files := range map[string][]contract.UploadFile{"none": nil, "no longer any": {}, "one": {{}}} {
		u := contract.Upload{Ref: "r", Status: contract.UploadOpen, ExpiresAt: time.Unix(1, 0).UTC(), Digest: "d", Files: files}
		data, err := json.Marshal(u)
		if err != nil {
			t.Fatal(err)
		}
		var b contract.UploadBrief
		if err := json.Unmarshal(data, &b); err != nil {
			t.Fatal(err)
		}
		if b.Ref != u.Ref || b.Status != u.Status || !b.ExpiresAt.Equal(u.ExpiresAt) || b.Digest != u.Digest || b.Empty() != (len(files) == 0) {
			t.Errorf("%s: %+v of %+v", name, b, u)
		}
	}
}
