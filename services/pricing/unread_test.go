package pricing

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/contract"
)

// TestUnreadNotes: a quote names what nobody read or understood, and nothing else.
func TestUnreadNotes(t *testing.T) {
	t.Parallel()
	var many []contract.Finding
	for i := range 9 {
		many = append(many, contract.Finding{Level: "note", Check: "note_unread", What: fmt.Sprintf("line %d was not understood", i)})
	}
	for name, c := range map[string]struct {
		found []contract.Finding
		want  string
	}{
		"nothing": {[]contract.Finding{{Check: "layer_twice", What: "x"}}, ""},
		"both": {[]contract.Finding{{Check: "files_unread", What: "nothing was taken from a.pdf"}, {Check: "note_unread", What: "line 3 was not understood"}},
			"Nothing was taken from a.pdf.|Line 3 was not understood."},
		"many": {many, "Line 0 was not understood.|Line 1 was not understood.|Line 2 was not understood.|Line 3 was not understood.|Line 4 was not understood.|Line 5 was not understood.|3 more lines of the files were not understood either; the design check lists them."},
	} {
		if got := strings.Join(unreadNotes(c.found), "|"); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
