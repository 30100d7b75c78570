package deadletters

import (
	"strings"
	"testing"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/session"
)

// TestReplayIsOfferedWhereThereIsSomethingToChoose: a letter that cannot be read as a
// command cannot be replayed.
func TestReplayIsOfferedWhereThereIsSomethingToChoose(t *testing.T) {
	t.Parallel()
	readable, unreadable := bus.DeadLetter{Seq: 1, Subject: "dead.a", Command: contract.Command{ID: "cmd_1"}}, bus.DeadLetter{Seq: 2, Subject: "dead.b"}
	frame := page.Frame{Session: &session.Session{Strong: true, Operator: operator.Operator{Name: "ann", Roles: []operator.Role{operator.Admin}}}}
	for name, tt := range map[string]struct {
		letters []bus.DeadLetter
		offered bool
		says    string
	}{
		"nothing":    {nil, false, "There are no dead letters."},
		"unreadable": {[]bus.DeadLetter{unreadable}, false, "none can be replayed"},
		"one of two": {[]bus.DeadLetter{unreadable, readable}, true, `name="letter" value="1"`},
	} {
		var out strings.Builder
		if err := templates["deadletters"].ExecuteTemplate(&out, "content", deadView{Frame: frame, Letters: tt.letters}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(out.String(), "Replay the selected ones"); got != tt.offered || !strings.Contains(out.String(), tt.says) {
			t.Errorf("%s: replay offered %v, want %v, and %q:\n%s", name, got, tt.offered, tt.says, out.String())
		}
	}
}
