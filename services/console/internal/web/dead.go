package web

import (
	"net/http"
	"strconv"

	"boardorder/pkg/bus"
	"boardorder/services/console/internal/operator"

	"go.uber.org/zap"
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
		c.audit("read a dead letter", zap.Uint64("seq", v.Seq))
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
	err = s.Bus.Replay(c.r.Context(), v.Seq)
	c.audit("replayed a dead letter", zap.Uint64("seq", v.Seq), zap.String("command", v.Command.ID), outcome(err))
	return c.done(err, "/dead-letters", "replayed")
}

func (s *Server) discard(c *call) error {
	v, sure, err := s.confirmed(c)
	if err != nil || !sure {
		return err
	}
	err = s.Bus.Discard(c.r.Context(), v.Seq)
	c.audit("discarded a dead letter", zap.Uint64("seq", v.Seq), zap.String("command", v.Command.ID), zap.String("subject", v.Subject), outcome(err))
	return c.done(err, "/dead-letters", "discarded")
}
