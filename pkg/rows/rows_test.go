package rows_test

import (
	"strings"
	"testing"

	"boardorder/pkg/rows"
)

// TestCheckNames: a name that would not stand in JSON, metrics and sentences, that another row
// has or that stands for something else is refused, by the variable that gives it.
func TestCheckNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		what  string
		names []string
		want  string // in the error; "" for none
	}{
		{"nobody", nil, ""},
		{"one", []string{"far_east_2"}, ""},
		{"as long as a name may be", []string{strings.Repeat("a", 40)}, ""},
		{"no name", []string{"a", ""}, `MAKER_1_NAME is "": a name is words of small letters`},
		{"capitals", []string{"Mouser"}, `MAKER_0_NAME is "Mouser"`},
		{"a space", []string{"far east"}, `"far east"`},
		{"too long", []string{strings.Repeat("a", 41)}, "of 40 characters at most"},
		{"twice", []string{"a", "b", "a"}, `MAKER_2_NAME is "a", as MAKER_0_NAME is`},
		{"taken", []string{"a", "fab"}, `MAKER_1_NAME is "fab", which stands for something else`},
	} {
		t.Run(tt.what, func(t *testing.T) {
			t.Parallel()
			err := rows.CheckNames("MAKER", tt.names, "fab")
			if (tt.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("names %q: %v, want an error with %q", tt.names, err, tt.want)
			}
		})
	}
}
