package classify

import (
	"strconv"
	"strings"

	"boardorder/pkg/board"
	"boardorder/pkg/board/internal/pattern"
)

// olderCopy is how Allegro calls what a file held before it was written anew:
// TOP.art,1.
var olderCopy = pattern.Lazy(`^.+\.\w+(,\d{1,3})$`)

// copies leaves older copies aside beside what replaced them: each would count as
// another layer.
func (s *Set) copies() {
	by := map[string]*Result{}
	for _, r := range s.Results {
		by[r.Name] = r
	}
	for _, r := range s.Results {
		m := olderCopy().FindStringSubmatch(r.base)
		if m == nil {
			continue
		}
		if now := by[strings.TrimSuffix(r.Name, m[1])]; now != nil {
			r.CopyOf, r.Format, r.Role = now.Name, FormatCopy, board.RoleOther
			r.Side, r.Order, r.FromLayer, r.ToLayer = board.NoSide, 0, 0, 0
			r.Why = "an older copy of " + strconv.Quote(now.base)
		}
	}
}
