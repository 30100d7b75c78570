package release

import (
	"slices"
	"testing"
)

// Settings reach a program of either version, whichever named them; what is there under
// both names stays.
func TestSettingsAreNamedForBoth(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ env, want []string }{
		"of the last release": {[]string{"X=1", "FABRICATOR_URL=u"}, []string{"FABRICATOR_0_URL=u", "FABRICATOR_URL=u", "X=1"}},
		"of this one":         {[]string{"FABRICATOR_0_URL=u"}, []string{"FABRICATOR_0_URL=u", "FABRICATOR_URL=u"}},
		"of both":             {[]string{"FABRICATOR_0_URL=u", "FABRICATOR_URL=v"}, []string{"FABRICATOR_0_URL=u", "FABRICATOR_URL=v"}},
		"new with one before": {[]string{"FABRICATOR=f"}, []string{"FABRICATOR=f", "FABRICATOR_0_INTERFACE=f", "FABRICATOR_0_NAME=board_maker"}},
	} {
		got := NameForBoth(c.env)
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("%s: NameForBoth(%q) = %q, want %q", name, c.env, got, c.want)
		}
	}
}
