package pricing

import (
	"fmt"

	"boardorder/pkg/contract"
)

// maxUnread bounds how many lines that nobody understood the notes repeat.
const maxUnread = 6

// unreadNotes say what the files hold about the build that nobody read or understood: an
// instant price is for a board without it.
func unreadNotes(found []contract.Finding) []string {
	var out []string
	lines := 0
	for _, f := range found {
		switch f.Check {
		case "note_unread":
			if lines++; lines <= maxUnread {
				out = append(out, f.Sentence())
			}
		case "files_unread":
			out = append(out, f.Sentence())
		}
	}
	if more := lines - maxUnread; more > 0 {
		out = append(out, fmt.Sprintf("%d more lines of the files were not understood either; the design check lists them.", more))
	}
	return out
}
