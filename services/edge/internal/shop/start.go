package shop

import (
	"html/template"
	"net/http"
	"strings"
	"time"

	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/language"
	"boardorder/services/edge/internal/checkout"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/upload"
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
	Words      string // of the script
	Detail     string // of a refusal, in English
}

// trap is a field that only robots fill in.
const trap = "website"

// judge refuses a form in which it was filled in.
func judge(name, value string) error {
	if name == trap && value != "" {
		return forbid(language.Key("The form had a field filled in that people do not see. Please leave it empty, choose your files again and send them."))
	}
	return nil
}

// start answers GET /: where files are dropped.
func (s *Shop) start(c *web.Call) error {
	return s.reply(c, http.StatusOK, "start", s.startView(c))
}

func (s *Shop) startView(c *web.Call) startPage {
	p := s.voice(c)
	return startPage{
		Frame:  s.frame(c, p.Text("Order circuit boards")),
		Action: s.base + "/order?challenge=" + s.challenges.issue(), Challenge: s.base + "/order-challenge", Trap: trap,
		Files: uploads.MaxFiles, FileMB: uploads.MaxFileBytes >> 20, MB: uploads.MaxBytes >> 20, SlowS: int(slowWait / time.Second), WorkBits: workBits,
		Developers: s.Developers, Words: p.scriptWords(),
	}
}

// challenge answers GET /order-challenge: a fresh challenge for a page that was open for long.
func (s *Shop) challenge(c *web.Call) error {
	return c.JSON(http.StatusOK, map[string]any{"challenge": s.challenges.issue(), "bits": workBits})
}

// receive answers POST /order: the files arrived. A script gets the address of the board's
// page, a browser is led there.
func (s *Shop) receive(c *web.Call) error {
	id, err := s.accept(c, func() (upload.Accepted, error) { return s.Uploads.Accept(c, true) })
	if err != nil {
		return s.refuse(c, problem.Find(err))
	}
	return lead(c, s.self(id))
}

// lead leads on to a page: a script gets its address, a browser is sent there.
func lead(c *web.Call, at string) error {
	if wantsJSON(c) {
		return c.JSON(http.StatusCreated, map[string]string{"location": at})
	}
	c.Fiber.Status(http.StatusSeeOther)
	c.Set("Location", at)
	return nil
}

// accept has an upload made of the form, and gives its id.
func (s *Shop) accept(c *web.Call, take func() (upload.Accepted, error)) (id string, err error) {
	giveBack, err := s.admitUpload(c)
	if err != nil {
		return "", err
	}
	c.Keep()
	a, err := take()
	if err != nil {
		giveBack()
	}
	if err != nil && problem.Find(err).Status >= http.StatusInternalServerError {
		c.Refund() // it is ours
	}
	return a.ID, err
}

// refuse shows the form once more, with what is wrong and what to do.
func (s *Shop) refuse(c *web.Call, failure *problem.Problem) error {
	p := s.voice(c)
	words, detail := s.explainUpload(c, failure)
	if wantsJSON(c) {
		return c.JSON(failure.Status, map[string]string{"message": words, "detail": detail})
	}
	v := s.startView(c)
	v.Title = p.Text("Error: %s", v.Title)
	v.Notices, v.Detail = []checkout.Notice{{Kind: "bad", Text: words, Focus: true}}, detail
	return s.reply(c, failure.Status, "start", v)
}

// explainUpload says why files were not taken, in the reply's headers and in words.
func (s *Shop) explainUpload(c *web.Call, failure *problem.Problem) (words, detail string) {
	if failure.Status >= http.StatusInternalServerError {
		c.Log().Warn("files were not taken", zap.Int("status", failure.Status), zap.String("code", string(failure.Refusal.Code)), zap.Error(failure.Cause))
	}
	for name, value := range failure.Headers() {
		c.Set(name, value)
	}
	return s.voice(c).uploadWords(failure, s.Now())
}

func wantsJSON(c *web.Call) bool { return strings.HasPrefix(c.Header("Accept"), "application/json") }
