package pricing

import "testing"

func TestWithNote(t *testing.T) {
	t.Parallel()
	text := func(s string) *string { return &s }
	for _, tt := range []struct {
		notes *string
		more  string
		want  *string
	}{
		{nil, "", nil}, {nil, "hurry", text("hurry")}, {text(""), "hurry", text("hurry")}, {text("50 ohm"), "", text("50 ohm")},
		{text("50 ohm"), "hurry", text("50 ohm\n\nhurry")},
	} {
		got := appendNote(tt.notes, tt.more)
		if (got == nil) != (tt.want == nil) || got != nil && *got != *tt.want {
			t.Errorf("appendNote(%v, %q) = %v, want %v", tt.notes, tt.more, got, tt.want)
		}
	}
}
