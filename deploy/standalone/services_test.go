package standalone

import "testing"

// TestUnconfinedIsForDevelopment: the simulator's customers are none; with a live
// key of the card processor nobody says so but the operator.
func TestUnconfinedIsForDevelopment(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		given map[string]string
		want  string
	}{
		"the simulator": {nil, "true"},
		"a test key":    {map[string]string{"STRIPE_API_KEY": "sk_test_1"}, "true"},
		"a live key":    {map[string]string{"STRIPE_API_KEY": "sk_live_1"}, ""},
		"said":          {map[string]string{"STRIPE_API_KEY": "sk_live_1", unconfined: "true"}, "true"},
		"denied":        {map[string]string{unconfined: "false"}, "false"},
	} {
		vars := map[string]string{"STRIPE_API_KEY": "sk_test_standalone", unconfined: "true"}
		if got := override(vars, tt.given)[unconfined]; got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
