package partcheck

import (
	"encoding/json"
	"maps"
	"testing"
	"time"

	"boardorder/services/edge/internal/jsonbody"
)

// TestDefaults: a client that does not say how long it waits does so for 20 s.
func TestDefaults(t *testing.T) {
	t.Parallel()
	f := jsonbody.NewFields(map[string]any{"boards": json.Number("5"), "bom_csv": "Designator,MPN\nU1,LM358DR\n"})
	if r := validate(f, nil); len(f.Problems()) > 0 || r.timeout != 20*time.Second || r.data.Boards != 5 {
		t.Errorf("five boards of a list: %+v, refused %v; want 20 s and 5 boards", r, f.Problems())
	}
}

// TestDistributorsNumbers: a line may give the number of each distributor that there is, by
// its public name; other names are no fields.
func TestDistributorsNumbers(t *testing.T) {
	t.Parallel()
	two := []string{"distributor_a", "far_east"}
	for _, tt := range []struct {
		what         string
		distributors []string
		part         map[string]any
		want         map[string]string
		part0        string // what the line is called until it is known
		problem      string
		notes        int
	}{
		{"one of two", two, map[string]any{"far_east": "X-1"}, map[string]string{"far_east": "X-1"}, "X-1", "", 0},
		{"both", two, map[string]any{"far_east": "X-1", "distributor_a": "296-1-ND"}, map[string]string{"distributor_a": "296-1-ND", "far_east": "X-1"}, "296-1-ND", "", 0},
		{"an empty one", two, map[string]any{"mpn": "LM358DR", "far_east": ""}, nil, "LM358DR", "", 0},
		{"somebody whom nobody knows", two, map[string]any{"mpn": "LM358DR", "distributor_b": "595-LM358DR"}, nil, "LM358DR", "", 1},
		{"nothing that names the part", two, map[string]any{"reference": "U1"}, nil, "", "Name the part: mpn with manufacturer, fab_part_code, value with footprint, distributor_a or far_east.", 0},
		{"and no distributors", nil, map[string]any{"reference": "U1"}, nil, "", "Name the part: mpn with manufacturer, fab_part_code or value with footprint.", 0},
	} {
		t.Run(tt.what, func(t *testing.T) {
			t.Parallel()
			f := jsonbody.NewFields(map[string]any{"boards": json.Number("5"), "parts": []any{tt.part}})
			r := validate(f, tt.distributors)
			problem := ""
			if p := f.Problems(); len(p) > 0 {
				problem = p[0].Message
			}
			if len(r.data.Parts) != 1 || problem != tt.problem || len(r.notes) != tt.notes {
				t.Fatalf("%v: parts %+v, problem %q, notes %q, want problem %q and %d notes", tt.part, r.data.Parts, problem, r.notes, tt.problem, tt.notes)
			}
			if got := r.data.Parts[0].Codes; !maps.Equal(got, tt.want) {
				t.Errorf("%v: numbers %v, want %v", tt.part, got, tt.want)
			}
			if got := r.linesToCheck()[0].Part; got != tt.part0 {
				t.Errorf("%v is called %q until it is known, want %q", tt.part, got, tt.part0)
			}
		})
	}
}
