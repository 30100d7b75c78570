package deadletters

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/registry"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/states"
)

// hidesLetter reports whether a dead letter is about something that is not shown:
// its labels say so, or the formal order that it names was declared afterwards.
func hidesLetter(c *page.Call, l bus.DeadLetter) (bool, error) {
	if c.Hides(l.Labels) || c.Hides(registry.LabelsOf(l.Command)) {
		return true, nil
	}
	return c.HidesAny(l.Data, "order", "about", "case", "state.key")
}

type deadView struct {
	page.Frame
	Letters []bus.DeadLetter // oldest first
	Next    uint64
}

// Replayable tells whether there is one to choose: it can be read as a command.
func (v deadView) Replayable() bool {
	return slices.ContainsFunc(v.Letters, func(l bus.DeadLetter) bool { return l.Command.ID != "" })
}

// List lists the commands that could not be handled, oldest first.
func (s *Section) List(c *page.Call) error {
	v := deadView{Frame: c.Frame("dead", "Dead letters")}
	v.Next, _ = strconv.ParseUint(c.R.URL.Query().Get("from"), 10, 64)
	for range states.MaxReads { // a page is full also where some are not shown
		letters, err := s.Bus.DeadLetters(c.R.Context(), max(v.Next, 1), states.PerPage+1)
		if err != nil {
			return err
		}
		v.Next = 0
		for _, l := range letters {
			if len(v.Letters) == states.PerPage {
				v.Next = l.Seq
				break
			}
			hidden, err := hidesLetter(c, l)
			if err != nil {
				return err
			}
			if !hidden {
				v.Letters = append(v.Letters, l)
			}
		}
		if v.Next > 0 || len(letters) <= states.PerPage {
			break
		}
		v.Next = letters[len(letters)-1].Seq + 1
	}
	return c.Show(templates, "deadletters", v)
}

type letterView struct {
	page.Frame
	bus.DeadLetter
	Name     string // of the account
	Body     string // only for those who may see bodies
	Unsure   string // what is wrong with the form
	Readable bool   // it can be sent again
}

func (s *Section) letter(c *page.Call) (letterView, error) {
	seq, err := strconv.ParseUint(c.R.PathValue("seq"), 10, 64)
	if err != nil || seq == 0 {
		return letterView{}, page.Missing("dead letter")
	}
	letters, err := s.Bus.DeadLetters(c.R.Context(), seq, 1)
	if err != nil {
		return letterView{}, err
	}
	gone := page.Problem{Status: http.StatusNotFound, Message: "This dead letter no longer exists: it was replayed or discarded."}
	if len(letters) == 0 || letters[0].Seq != seq {
		return letterView{}, gone
	}
	l := letters[0]
	if hidden, err := hidesLetter(c, l); hidden || err != nil {
		return letterView{}, errors.Join(err, gone)
	}
	v := letterView{Frame: c.Frame("dead", "Dead letter"), DeadLetter: l, Name: c.AccountName(l.Command.Account), Readable: l.Command.ID != ""}
	if c.Can(operator.SeeBodies) {
		v.Body = format.Pretty(l.Data)
	}
	return v, nil
}

// Show shows one dead letter.
func (s *Section) Show(c *page.Call) error {
	v, err := s.letter(c)
	if err != nil {
		return err
	}
	if v.Body != "" {
		err := c.RecordAccess(audits.Record{Action: "read a dead letter", Kind: "letter", ID: v.Subject, Account: v.Command.Account, Controlled: v.Labels.IsControlled()})
		if err != nil {
			return err
		}
	}
	return c.Show(templates, "deadletter", v)
}

// confirm makes sure that the operator meant it.
func (s *Section) confirm(c *page.Call) (letterView, bool, error) {
	v, err := s.letter(c)
	if err != nil || c.R.PostFormValue("sure") == "yes" {
		return v, true, err
	}
	v.Unsure = "Nothing was done: please tick the box to confirm."
	return v, false, c.Render(http.StatusUnprocessableEntity, templates, "deadletter", v)
}

// Replay sends the command again.
func (s *Section) Replay(c *page.Call) error {
	v, sure, err := s.confirm(c)
	if err != nil || !sure {
		return err
	}
	err = c.Act(v.auditRecord("replayed a dead letter"), func() error { return s.Bus.Replay(c.R.Context(), v.Seq) })
	return c.Finish(err, "/dead-letters", "replayed")
}

// Discard removes a dead letter for good.
func (s *Section) Discard(c *page.Call) error {
	v, sure, err := s.confirm(c)
	if err != nil || !sure {
		return err
	}
	err = c.Act(v.auditRecord("discarded a dead letter"), func() error { return s.Bus.Discard(c.R.Context(), v.Seq) })
	return c.Finish(err, "/dead-letters", "discarded")
}

// auditRecord is what the trail says of something that is done to a dead letter.
func (v letterView) auditRecord(action string) audits.Record {
	return audits.Record{Action: action, Kind: "command", ID: v.Command.ID, Account: v.Command.Account,
		Before: map[string]string{"letter": strconv.FormatUint(v.Seq, 10), "subject": v.Subject}, Controlled: v.Labels.IsControlled()}
}

// maxReplay is how many are sent again at once.
const maxReplay = states.PerPage

// ReplayMany sends the chosen ones again, one after the other, and shows what
// becomes of them. One that cannot be sent does not stop the others.
func (s *Section) ReplayMany(c *page.Call) error {
	if c.R.PostFormValue("sure") != "yes" {
		return page.Problem{Status: http.StatusUnprocessableEntity, Message: "Nothing was done: please tick the box to confirm."}
	}
	chosen := c.R.PostForm["letter"]
	var sent []string
	failed := 0
	for _, text := range chosen[:min(len(chosen), maxReplay)] {
		seq, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			continue
		}
		letters, err := s.Bus.DeadLetters(c.R.Context(), seq, 1)
		if err != nil {
			return err
		}
		if len(letters) == 0 || letters[0].Seq != seq || letters[0].Command.ID == "" {
			failed++
			continue
		}
		if hidden, err := hidesLetter(c, letters[0]); err != nil {
			return err
		} else if hidden {
			failed++
			continue
		}
		l := letterView{DeadLetter: letters[0]}
		if c.Act(l.auditRecord("replayed a dead letter"), func() error { return s.Bus.Replay(c.R.Context(), seq) }) != nil {
			failed++
			continue
		}
		sent = append(sent, bus.ReplayID(l.Command.ID, seq))
	}
	return c.Redirect("/dead-letters/replayed?failed=" + strconv.Itoa(failed) + "&commands=" + page.Escape(strings.Join(sent, ",")))
}

type replayedView struct {
	page.Frame
	Rows   []replayedRow
	Failed int // could not be sent
}

type replayedRow struct {
	Command, Outcome, Why string
	Letter                uint64 // it is dead again
}

// ShowReplay shows what became of commands that were sent again.
func (s *Section) ShowReplay(c *page.Call) error {
	v := replayedView{Frame: c.Frame("dead", "Sent again")}
	v.Refresh = 3
	v.Failed, _ = strconv.Atoi(c.R.URL.Query().Get("failed"))
	ids := strings.FieldsFunc(c.R.URL.Query().Get("commands"), func(r rune) bool { return r == ',' })
	dead, err := s.newestDead(c)
	if err != nil {
		return err
	}
	for _, id := range ids[:min(len(ids), maxReplay)] {
		row := replayedRow{Command: untrusted.Line(id, 80), Outcome: "sent", Why: "it has not failed so far"}
		if l, again := dead[id]; again {
			row.Outcome, row.Why, row.Letter = "failed", l.Reason, l.Seq
		} else if a, err := s.Bus.Attempts(c.R.Context(), id); err != nil {
			return err
		} else if a.Failed > 0 {
			row.Outcome, row.Why = "pending", "it failed "+strconv.Itoa(a.Failed)+" times so far, and is tried again"
		}
		v.Rows = append(v.Rows, row)
	}
	return c.Show(templates, "replayed", v)
}

// newestDead finds the newest dead letters by their commands.
func (s *Section) newestDead(c *page.Call) (map[string]bus.DeadLetter, error) {
	found := map[string]bus.DeadLetter{}
	for from := uint64(1); ; {
		letters, err := s.Bus.DeadLetters(c.R.Context(), from, 500)
		if err != nil {
			return nil, err
		}
		for _, l := range letters {
			from = l.Seq + 1
			hidden, err := hidesLetter(c, l)
			if err != nil {
				return nil, err
			}
			if !hidden {
				found[l.Command.ID] = l
			}
		}
		if len(letters) < 500 {
			return found, nil
		}
	}
}
