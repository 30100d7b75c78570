package shop

import (
	"html/template"
	"net/http"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"
	"boardorder/services/edge/internal/checkout"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"

	"go.uber.org/zap"
)

// startPage takes the files of a board.
type startPage struct {
	checkout.Frame
	Action    string // where the form is sent to
	Challenge string // where the script gets a challenge of its own
	Trap      string // the name of a field that people do not see
	Files, FileMB, MB, SlowS,
	WorkBits int
	Developers template.HTML
}

// trap is a field that only robots fill in.
const trap = "website"

// judge refuses a form in which it was filled in.
func judge(name, value string) error {
	if name == trap && value != "" {
		return problem.New(contract.Forbidden, "The form had a field filled in that people do not see. Please leave it empty, choose your files again and send them.")
	}
	return nil
}

// start answers GET /: where files are dropped.
func (s *Shop) start(c *web.Call) error {
	return s.reply(c, http.StatusOK, "start", s.startView())
}

func (s *Shop) startView() startPage {
	return startPage{
		Frame:  s.frame("Order circuit boards"),
		Action: s.base + "/order?challenge=" + s.challenges.issue(), Challenge: s.base + "/order-challenge", Trap: trap,
		Files: uploads.MaxFiles, FileMB: uploads.MaxFileBytes >> 20, MB: uploads.MaxBytes >> 20, SlowS: int(slowWait / time.Second), WorkBits: workBits,
		Developers: s.Developers,
	}
}

// challenge answers GET /order-challenge: a fresh challenge for a page that was open for long.
func (s *Shop) challenge(c *web.Call) error {
	return c.JSON(http.StatusOK, map[string]any{"challenge": s.challenges.issue(), "bits": workBits})
}

// receive answers POST /order: the files arrived. A script gets the address of the board's
// page, a browser is led there.
func (s *Shop) receive(c *web.Call) error {
	a, err := s.accept(c)
	if err != nil {
		return s.refuse(c, problem.Find(err))
	}
	at := s.self(a)
	if wantsJSON(c) {
		return c.JSON(http.StatusCreated, map[string]string{"location": at})
	}
	c.Fiber.Status(http.StatusSeeOther)
	c.Set("Location", at)
	return nil
}

// accept makes an upload of the form, and gives its id.
func (s *Shop) accept(c *web.Call) (id string, err error) {
	if err := s.admitUpload(c); err != nil {
		return "", err
	}
	c.Keep()
	a, err := s.Uploads.Accept(c, true)
	if err != nil && problem.Find(err).Status >= http.StatusInternalServerError {
		c.Refund() // it is ours
	}
	return a.ID, err
}

// refuse shows the form once more, with what is wrong and what to do.
func (s *Shop) refuse(c *web.Call, failure *problem.Problem) error {
	if failure.Status >= http.StatusInternalServerError {
		c.Log().Warn("files were not taken", zap.Int("status", failure.Status), zap.String("code", string(failure.Refusal.Code)), zap.Error(failure.Cause))
	}
	for name, value := range failure.Headers() {
		c.Set(name, value)
	}
	words := uploadWords(failure)
	if wantsJSON(c) {
		return c.JSON(failure.Status, map[string]string{"message": words})
	}
	v := s.startView()
	v.Title = "Error: " + v.Title
	v.Notices = []checkout.Notice{{Kind: "bad", Text: words, Focus: true}}
	return s.reply(c, failure.Status, "start", v)
}

func wantsJSON(c *web.Call) bool { return strings.HasPrefix(c.Header("Accept"), "application/json") }
