package partcheck

import (
	"encoding/json"
	"testing"
	"time"

	"boardorder/services/edge/internal/jsonbody"
)

// TestDefaults: a client that does not say how long it waits does so for 20 s.
func TestDefaults(t *testing.T) {
	t.Parallel()
	f := jsonbody.NewFields(map[string]any{"boards": json.Number("5"), "bom_csv": "Designator,MPN\nU1,LM358DR\n"})
	if r := validate(f); len(f.Problems()) > 0 || r.timeout != 20*time.Second || r.data.Boards != 5 {
		t.Errorf("%+v, %v", r, f.Problems())
	}
}
