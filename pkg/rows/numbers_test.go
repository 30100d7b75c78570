package rows_test

import (
	"strings"
	"testing"

	"boardorder/pkg/rows"
)

// TestCheckNumbers: a number that is left out would lose the rows behind it.
func TestCheckNumbers(t *testing.T) {
	t.Parallel()
	type row struct{}
	type config struct {
		Makers []row  `envPrefix:"MAKER"`
		One    row    `envPrefix:"SEARCH_"`
		Words  string `env:"WORDS"`
	}
	for _, tt := range []struct {
		what      string
		variables []string
		want      string // in the error; "" for none
	}{
		{"none", nil, ""},
		{"two rows", []string{"MAKER_0_NAME", "MAKER_1_NAME", "MAKER_1_URL"}, ""},
		{"in another order", []string{"MAKER_1_NAME", "MAKER_0_URL", "MAKER_0_NAME"}, ""},
		{"ten and one", []string{"MAKER_0_A", "MAKER_1_A", "MAKER_2_A", "MAKER_3_A", "MAKER_4_A", "MAKER_5_A", "MAKER_6_A", "MAKER_7_A", "MAKER_8_A", "MAKER_9_A", "MAKER_10_A"}, ""},
		{"with values", []string{"MAKER_0_NAME=a", "MAKER_1_NAME=b_7_c"}, ""},
		{"a gap", []string{"MAKER_0_NAME=a", "MAKER_2_NAME=c"}, "MAKER_1_NAME is missing: rows are numbered from 0 without a gap, and there is a MAKER_2"},
		{"from one on", []string{"MAKER_1_NAME"}, "MAKER_0_NAME is missing"},
		{"others' variables", []string{"MAKER_URL", "MAKER_5", "SEARCH_3_NAME", "OTHER_3_NAME", "MAKERS_3_NAME"}, ""},
	} {
		t.Run(tt.what, func(t *testing.T) {
			t.Parallel()
			err := rows.CheckNumbers[config](tt.variables)
			if (tt.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%q: %v, want an error with %q", tt.variables, err, tt.want)
			}
		})
	}
}
