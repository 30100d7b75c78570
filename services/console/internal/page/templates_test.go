package page

import "testing"

func TestJoinSentences(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		all  []string
		want string
	}{
		{nil, ""}, {[]string{"It is large.", "It is odd."}, "It is large. It is odd."}, {[]string{"the board has 34 layers", " ", "is it flexible? "}, "the board has 34 layers. is it flexible?"},
	} {
		if got := joinSentences(tt.all); got != tt.want {
			t.Errorf("joinSentences(%q) = %q, want %q", tt.all, got, tt.want)
		}
	}
}
