package web

import (
	"net/http"
	"strconv"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/services/console/internal/operator"
)

type deadView struct {
	page
	Letters []bus.DeadLetter // oldest first
	Next    uint64
}

// deadLetters lists the commands that could not be handled, oldest first.
func (s *Server) deadLetters(c *call) error {
	from, _ := strconv.ParseUint(c.r.URL.Query().Get("from"), 10, 64)
	letters, err := s.Bus.DeadLetters(c.r.Context(), max(from, 1), perPage+1)
	if err != nil {
		return err
	}
	v := deadView{page: c.page("dead", "Dead letters"), Letters: letters}
	if len(letters) > perPage {
		v.Letters, v.Next = letters[:perPage], letters[perPage].Seq
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
	if len(letters) == 0 || letters[0].Seq != seq {
		return letterView{}, problem{http.StatusNotFound, "This dead letter is gone: it was sent again or discarded."}
	}
	l := letters[0]
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
		err := c.saw(contract.AuditRecord{Action: "read a dead letter", Kind: "letter", ID: v.Subject, Account: v.Command.Account})
		if err != nil {
			return err
		}
	}
	return c.show("deadletter", v)
}

// confirmed makes sure that the operator meant it.
func (s *Server) confirmed(c *call) (letterView, bool, error) {
	v, err := s.letter(c)
	if err != nil || c.r.PostFormValue("sure") == "yes" {
		return v, true, err
	}
	v.Unsure = "Nothing was done: please tick the box to confirm."
	return v, false, c.render(http.StatusUnprocessableEntity, "deadletter", v)
}

func (s *Server) replay(c *call) error {
	v, sure, err := s.confirmed(c)
	if err != nil || !sure {
		return err
	}
	err = c.did(v.recorded("replayed a dead letter"), func() error { return s.Bus.Replay(c.r.Context(), v.Seq) })
	return c.done(err, "/dead-letters", "replayed")
}

func (s *Server) discard(c *call) error {
	v, sure, err := s.confirmed(c)
	if err != nil || !sure {
		return err
	}
	err = c.did(v.recorded("discarded a dead letter"), func() error { return s.Bus.Discard(c.r.Context(), v.Seq) })
	return c.done(err, "/dead-letters", "discarded")
}

// recorded is what the trail says of something that is done to a dead letter.
func (v letterView) recorded(action string) contract.AuditRecord {
	return contract.AuditRecord{Action: action, Kind: "command", ID: v.Command.ID, Account: v.Command.Account,
		Before: map[string]string{"letter": strconv.FormatUint(v.Seq, 10), "subject": v.Subject}}
}
