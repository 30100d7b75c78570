package console_test

import (
	"boardorder/pkg/bus/bustest"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestDeadLetters(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	ann := w.signInAs("ann")
	seq := w.dead()[0].Seq
	page := fmt.Sprintf("/dead-letters/%d", seq)
	ann.get(page).wants(t, http.StatusOK, "dead.payment.follow-order", "cmd_bad", instantRef, "Replay", "Discard")
	ann.fill(page, page+"/discard").wants(t, http.StatusUnprocessableEntity, "tick the box")
	ann.fill(page, page+"/replay").wants(t, http.StatusUnprocessableEntity, "tick the box")
	if emails := w.dead(); len(emails) != 1 || emails[0].Seq != seq {
		t.Fatalf("unconfirmed, but %+v, want the dead letter %d left", emails, seq)
	}
	ann.fill(page, page+"/replay", "sure", "yes").wants(t, http.StatusOK, "The command was replayed")
	w.awaitAudit("ann", "replayed a dead letter")
	bustest.WaitFor(t, "the command to fail again", func() bool { l := w.dead(); return len(l) == 1 && l[0].Seq > seq })
	ann.get(page).wants(t, http.StatusNotFound, "no longer exists")
	again := fmt.Sprint(w.dead()[0].Seq)
	form := ann.form("/dead-letters", "/dead-letters/replay")
	form.Set("letter", again)
	ann.post("/dead-letters/replay", form).wants(t, http.StatusUnprocessableEntity, "tick the box")
	form.Set("sure", "yes")
	form.Add("letter", "999")
	many := ann.post("/dead-letters/replay", form)
	many.wants(t, http.StatusOK, "1 could not be replayed")
	bustest.WaitFor(t, "the outcome", func() bool { return strings.Contains(ann.get(many.url.RequestURI()).body, "the order is odd") })
	page = fmt.Sprintf("/dead-letters/%d", w.dead()[0].Seq)
	ann.fill(page, page+"/discard", "sure", "yes").wants(t, http.StatusOK, "The dead letter is discarded", "There are no dead letters")
	w.awaitAudit("ann", "discarded a dead letter")
	if l := w.dead(); len(l) != 0 {
		t.Errorf("left: %+v, want nothing", l)
	}
}
