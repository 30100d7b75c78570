package web

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract/audits"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/plain"
)

type deadView struct {
	page
	Letters []bus.DeadLetter // oldest first
	Next    uint64
}

// deadLetters lists the commands that could not be handled, oldest first.
func (s *Server) deadLetters(c *call) error {
	v := deadView{page: c.page("dead", "Dead letters")}
	v.Next, _ = strconv.ParseUint(c.r.URL.Query().Get("from"), 10, 64)
	for range reads { // a page is full also where some are not shown
		letters, err := s.Bus.DeadLetters(c.r.Context(), max(v.Next, 1), perPage+1)
		if err != nil {
			return err
		}
		v.Next = 0
		for _, l := range letters {
			if len(v.Letters) == perPage {
				v.Next = l.Seq
				break
			}
			hidden, err := c.hidesLetter(l)
			if err != nil {
				return err
			}
			if !hidden {
				v.Letters = append(v.Letters, l)
			}
		}
		if v.Next > 0 || len(letters) <= perPage {
			break
		}
		v.Next = letters[len(letters)-1].Seq + 1
	}
	return c.show("deadletters", v)
}

type letterView struct {
	page
	bus.DeadLetter
	Name     string // of the account
	Body     string // only for those who may see bodies
	Unsure   string // what is wrong with the form
	Readable bool   // it can be sent again
}

func (s *Server) letter(c *call) (letterView, error) {
	seq, err := strconv.ParseUint(c.r.PathValue("seq"), 10, 64)
	if err != nil || seq == 0 {
		return letterView{}, missing("dead letter")
	}
	letters, err := s.Bus.DeadLetters(c.r.Context(), seq, 1)
	if err != nil {
		return letterView{}, err
	}
	gone := problem{http.StatusNotFound, "This dead letter is gone: it was sent again or discarded."}
	if len(letters) == 0 || letters[0].Seq != seq {
		return letterView{}, gone
	}
	l := letters[0]
	if hidden, err := c.hidesLetter(l); hidden || err != nil {
		return letterView{}, errors.Join(err, gone)
	}
	v := letterView{page: c.page("dead", "Dead letter"), DeadLetter: l, Name: c.accountName(l.Command.Account), Readable: l.Command.ID != ""}
	if c.can(operator.SeeBodies) {
		v.Body = pretty(l.Data)
	}
	return v, nil
}

func (s *Server) deadLetter(c *call) error {
	v, err := s.letter(c)
	if err != nil {
		return err
	}
	if v.Body != "" {
		err := c.saw(audits.Record{Action: "read a dead letter", Kind: "letter", ID: v.Subject, Account: v.Command.Account, Controlled: v.Marks.IsControlled()})
		if err != nil {
			return err
		}
	}
	return c.show("deadletter", v)
}

// confirm makes sure that the operator meant it.
func (s *Server) confirm(c *call) (letterView, bool, error) {
	v, err := s.letter(c)
	if err != nil || c.r.PostFormValue("sure") == "yes" {
		return v, true, err
	}
	v.Unsure = "Nothing was done: please tick the box to confirm."
	return v, false, c.render(http.StatusUnprocessableEntity, "deadletter", v)
}

func (s *Server) replay(c *call) error {
	v, sure, err := s.confirm(c)
	if err != nil || !sure {
		return err
	}
	err = c.did(v.auditRecord("replayed a dead letter"), func() error { return s.Bus.Replay(c.r.Context(), v.Seq) })
	return c.finish(err, "/dead-letters", "replayed")
}

func (s *Server) discard(c *call) error {
	v, sure, err := s.confirm(c)
	if err != nil || !sure {
		return err
	}
	err = c.did(v.auditRecord("discarded a dead letter"), func() error { return s.Bus.Discard(c.r.Context(), v.Seq) })
	return c.finish(err, "/dead-letters", "discarded")
}

// auditRecord is what the trail says of something that is done to a dead letter.
func (v letterView) auditRecord(action string) audits.Record {
	return audits.Record{Action: action, Kind: "command", ID: v.Command.ID, Account: v.Command.Account,
		Before: map[string]string{"letter": strconv.FormatUint(v.Seq, 10), "subject": v.Subject}, Controlled: v.Marks.IsControlled()}
}

// maxReplay is how many are sent again at once.
const maxReplay = perPage

// replayMany sends the chosen ones again, one after the other, and shows what
// becomes of them. One that cannot be sent does not stop the others.
func (s *Server) replayMany(c *call) error {
	if c.r.PostFormValue("sure") != "yes" {
		return problem{http.StatusUnprocessableEntity, "Nothing was done: please tick the box to confirm."}
	}
	chosen := c.r.PostForm["letter"]
	var sent []string
	failed := 0
	for _, text := range chosen[:min(len(chosen), maxReplay)] {
		seq, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			continue
		}
		letters, err := s.Bus.DeadLetters(c.r.Context(), seq, 1)
		if err != nil {
			return err
		}
		if len(letters) == 0 || letters[0].Seq != seq || letters[0].Command.ID == "" {
			failed++
			continue
		}
		if hidden, err := c.hidesLetter(letters[0]); err != nil {
			return err
		} else if hidden {
			failed++
			continue
		}
		l := letterView{DeadLetter: letters[0]}
		if c.did(l.auditRecord("replayed a dead letter"), func() error { return s.Bus.Replay(c.r.Context(), seq) }) != nil {
			failed++
			continue
		}
		sent = append(sent, bus.ReplayID(l.Command.ID, seq))
	}
	return c.redirect("/dead-letters/replayed?failed=" + strconv.Itoa(failed) + "&commands=" + escape(strings.Join(sent, ",")))
}

type replayedView struct {
	page
	Rows   []replayedRow
	Failed int // could not be sent
}

type replayedRow struct {
	Command, Outcome, Why string
	Letter                uint64 // it is dead again
}

// showReplay shows what became of commands that were sent again.
func (s *Server) showReplay(c *call) error {
	v := replayedView{page: c.page("dead", "Sent again")}
	v.Refresh = 3
	v.Failed, _ = strconv.Atoi(c.r.URL.Query().Get("failed"))
	ids := strings.FieldsFunc(c.r.URL.Query().Get("commands"), func(r rune) bool { return r == ',' })
	dead, err := s.deadAgain(c)
	if err != nil {
		return err
	}
	for _, id := range ids[:min(len(ids), maxReplay)] {
		row := replayedRow{Command: plain.Line(id, 80), Outcome: "sent", Why: "it has not failed so far"}
		if l, again := dead[id]; again {
			row.Outcome, row.Why, row.Letter = "failed", l.Reason, l.Seq
		} else if a, err := s.Bus.Attempts(c.r.Context(), id); err != nil {
			return err
		} else if a.Failed > 0 {
			row.Outcome, row.Why = "pending", "it failed "+strconv.Itoa(a.Failed)+" times so far, and is tried again"
		}
		v.Rows = append(v.Rows, row)
	}
	return c.show("replayed", v)
}

// deadAgain finds the newest dead letters by their commands.
func (s *Server) deadAgain(c *call) (map[string]bus.DeadLetter, error) {
	found := map[string]bus.DeadLetter{}
	for from := uint64(1); ; {
		letters, err := s.Bus.DeadLetters(c.r.Context(), from, 500)
		if err != nil {
			return nil, err
		}
		for _, l := range letters {
			from = l.Seq + 1
			hidden, err := c.hidesLetter(l)
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
