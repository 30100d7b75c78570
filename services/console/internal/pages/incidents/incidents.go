package incidents

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/language"
	"boardorder/pkg/status"
	"boardorder/services/console/internal/page"
)

type view struct {
	page.Frame
	Rows      []status.Incident
	Kinds     []choice
	Stages    []status.Stage
	Languages []*language.Printer
	Form      form
	Problems  map[string]string // by field of the form, or by the id of an incident
}

type choice struct {
	Kind    status.Kind
	Name    string
	Checked bool
}

type form struct{ Title, Text, Language string }

// kindNames are what the kinds are called here.
var kindNames = map[status.Kind]string{
	status.Service: "the service", status.Fabricator: "fabricators", status.Supplier: "suppliers of parts",
	status.CardPayments: "card payments", status.Email: "e-mails", status.ExchangeRates: "exchange rates",
}

// Subjects names what an incident is about.
func (view) Subjects(kinds []status.Kind) string {
	var names []string
	for _, k := range kinds {
		names = append(names, kindNames[k])
	}
	return strings.Join(names, ", ")
}

// List shows what customers read now, and the form for more.
func (s *Section) List(c *page.Call) error {
	v, err := s.view(c)
	if err != nil {
		return err
	}
	return c.Show(templates, "incidents", v)
}

func (s *Section) view(c *page.Call) (view, error) {
	v := view{Frame: c.Frame("incidents", "Status page"), Stages: status.Stages(), Languages: language.List(), Form: form{Language: language.English}, Problems: map[string]string{}}
	chosen := c.R.PostForm["kind"]
	for _, k := range status.Kinds() {
		v.Kinds = append(v.Kinds, choice{k, kindNames[k], slices.Contains(chosen, string(k))})
	}
	var err error
	v.Rows, err = s.Incidents.List(c.R.Context(), s.Now())
	return v, err
}

// Open writes an incident down; customers read it within seconds.
func (s *Section) Open(c *page.Call) error {
	v, err := s.view(c)
	if err != nil {
		return err
	}
	post := c.R.PostFormValue
	v.Form = form{untrusted.CleanLine(post("title")), untrusted.Clean(post("text")), post("language")}
	incident := status.Incident{Title: v.Form.Title, Language: v.Form.Language}
	for _, k := range v.Kinds {
		if k.Checked {
			incident.Kinds = append(incident.Kinds, k.Kind)
		}
	}
	switch n := utf8.RuneCountInString(v.Form.Title); {
	case n == 0:
		v.Problems["title"] = "Say in a line what happened."
	case n > status.MaxTitle:
		v.Problems["title"] = "This is too long for a line."
	}
	if language.Find(v.Form.Language).Code != v.Form.Language {
		v.Problems["language"] = "Choose the language that you write in."
	}
	if len(incident.Kinds) == 0 {
		v.Problems["kind"] = "Say what it is about."
	}
	update, problem := s.read(c)
	if problem != "" {
		v.Problems["text"] = problem
	}
	if len(v.Problems) > 0 {
		return c.Render(http.StatusUnprocessableEntity, templates, "incidents", v)
	}
	err = c.Act(audits.Record{Action: "wrote about an incident", Kind: "incident", ID: update.Request, Request: update.Request, After: map[string]string{"title": incident.Title, "stage": string(update.Stage)}}, func() error {
		_, err := s.Incidents.Open(c.R.Context(), incident, update)
		return err
	})
	return c.Finish(err, "/incidents", "said")
}

// read reads what a form says of an incident.
func (s *Section) read(c *page.Call) (u status.Update, problem string) {
	u = status.Update{
		At: s.Now().UTC(), Stage: status.Stage(c.R.PostFormValue("stage")), Text: untrusted.Clean(c.R.PostFormValue("text")),
		Operator: c.Session.Operator.Name, Request: c.R.PostFormValue("request"),
	}
	switch n := utf8.RuneCountInString(u.Text); {
	case n == 0:
		return u, "Say what customers should know."
	case n > status.MaxText:
		return u, "This is longer than 1,000 characters."
	case !slices.Contains(status.Stages(), u.Stage):
		return u, "Say how far it is."
	case u.Request == "":
		return u, "Load the page again, and send the form from there."
	}
	return u, ""
}

func (s *Section) load(c *page.Call, id string) (status.Incident, error) {
	i, err := s.Incidents.Read(c.R.Context(), id)
	if errors.Is(err, status.ErrNoIncident) {
		err = page.Missing("incident")
	}
	return i, err
}

// Say adds to an incident, or ends it.
func (s *Section) Say(c *page.Call) error {
	id := c.R.PathValue("id")
	before, err := s.load(c, id)
	if err != nil {
		return err
	}
	update, problem := s.read(c)
	if problem != "" {
		v, err := s.view(c)
		if err != nil {
			return err
		}
		v.Problems[id] = problem
		return c.Render(http.StatusUnprocessableEntity, templates, "incidents", v)
	}
	err = c.Act(audits.Record{
		Action: "wrote about an incident", Kind: "incident", ID: id, Request: update.Request,
		Before: map[string]string{"stage": string(before.Stage())}, After: map[string]string{"stage": string(update.Stage)},
	}, func() error { return s.Incidents.Say(c.R.Context(), id, update) })
	if errors.Is(err, status.ErrFull) {
		return page.Problem{Status: http.StatusConflict, Message: "This incident has as many updates as it may have. End it, and write a new one."}
	}
	return c.Finish(err, "/incidents", "said")
}

// TakeBack removes an incident that was none, or says what it must not.
func (s *Section) TakeBack(c *page.Call) error {
	id := c.R.PathValue("id")
	before, err := s.load(c, id)
	if err != nil {
		return err
	}
	err = c.Act(audits.Record{Action: "took an incident back", Kind: "incident", ID: id, Before: map[string]string{"stage": string(before.Stage())}}, func() error {
		return s.Incidents.TakeBack(c.R.Context(), id)
	})
	return c.Finish(err, "/incidents", "taken-back")
}
