package check

import (
	"encoding/json"
	"testing"
	"time"

	"boardorder/services/edge/internal/jsonbody"
)

// TestDefaults: what a client does not say is the standard, and it waits as long
// as any board is waited for: two and a half minutes.
func TestDefaults(t *testing.T) {
	t.Parallel()
	f := jsonbody.NewFields(map[string]any{"upload_id": "up_1"})
	in := validate(f)
	if len(f.Problems()) > 0 || in.timeout != 150*time.Second || in.data.CopperOz != 1 || in.data.ThicknessMM != 1.6 || in.boards != 0 {
		t.Errorf("a request of an upload alone: %+v, refused %v; want 150 s, 1 oz, 1.6 mm and no boards", in, f.Problems())
	}
	in = validate(jsonbody.NewFields(map[string]any{"upload_id": "up_1", "wait_s": json.Number("0")}))
	if in.timeout != 0 {
		t.Errorf("a client that does not wait waits %s", in.timeout)
	}
}
