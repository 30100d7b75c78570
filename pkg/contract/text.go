package contract

import (
	"fmt"
	"unicode/utf8"

	"boardorder/pkg/board/untrusted"
)

// MaxText is how many characters the team and a customer write to each other at once.
const MaxText = 5000

// ReadText makes a text harmless that people write to each other, and refuses one that says
// nothing or too much. field is the one that is refused, what is what should have been written.
func ReadText(field, what, s string) (string, error) {
	s = untrusted.Clean(s)
	problem, message := "", ""
	switch {
	case s == "":
		problem, message = "missing", fmt.Sprintf("Please write the %s.", what)
	case utf8.RuneCountInString(s) > MaxText:
		problem, message = "too_long", fmt.Sprintf("The %s has at most %d characters; please shorten it.", what, MaxText)
	default:
		return s, nil
	}
	r := Refuse(InvalidRequest, "%s", message)
	r.Fields = []FieldProblem{{Field: field, Problem: problem, Message: message}}
	return "", r
}
