package statuspage

import (
	"time"

	"boardorder/pkg/language"
	"boardorder/pkg/status"
	"boardorder/services/edge/internal/web"
)

// pageView is what the page shows.
type pageView struct {
	Shop, Style, Heading, AsOf string
	State                      status.State
	Parts                      []partView
	Incidents                  []incidentView
	HasIncidents               bool // whether they could be read
	Days                       int
	Languages                  []web.LanguageLink
}

type partView struct {
	Name, State, Says, Since, Share string
	Class                           status.State
	Days                            []dayView // none where they cannot be read
}

type dayView struct {
	Class status.State
	Text  string
}

type incidentView struct {
	Title, Language, Stage, About, Began string
	Open                                 bool
	Updates                              []updateView
}

type updateView struct{ At, Stage, Text string }

func (p *Page) view(l *language.Printer, links []web.LanguageLink, r Reply) pageView {
	v := pageView{
		Shop: p.Shop, Style: p.style, Heading: l.Text(headings[r.Status]), AsOf: l.Moment(r.AsOf), State: r.Status,
		HasIncidents: r.Incidents != nil, Days: status.HistoryDays, Languages: links,
	}
	for _, one := range r.Parts {
		v.Parts = append(v.Parts, viewPart(l, one))
	}
	for _, one := range r.Incidents {
		v.Incidents = append(v.Incidents, viewIncident(l, one))
	}
	return v
}

func viewPart(l *language.Printer, p Part) partView {
	v := partView{Name: nameOf(l, p.Part), State: l.Text(stateNames[p.Status]), Says: l.Text(p.Says), Class: p.Status}
	if p.Since != nil && p.Status != status.Works {
		v.Since = l.Text("since %s", l.Moment(*p.Since))
	}
	works, measured := 0, 0
	for _, d := range p.Days {
		works, measured = works+d.Works, measured+d.Measured
		v.Days = append(v.Days, viewDay(l, d))
	}
	if measured >= 60 {
		// Rounded down: what is not whole is never called so.
		v.Share = l.Text("It worked %[1]s of the %[2]s hours in which it was measured.", l.Number(float64(works*1000/measured)/10)+" %", l.Number(float64(measured/60)))
	}
	return v
}

// viewDay says what was measured on a day, and of one without a measurement that there was none.
func viewDay(l *language.Printer, d Day) dayView {
	at, err := time.Parse(time.DateOnly, d.Day)
	if err != nil {
		return dayView{Class: status.NotMeasured}
	}
	day, v := l.Day(at), dayView{Class: d.Status}
	switch failed := d.Measured - d.Works; {
	case d.Measured == 0:
		v.Text = l.Text("%s: nothing was measured", day)
	case failed == 0:
		v.Text = l.Text("%[1]s: worked in all %[2]d minutes that were measured", day, d.Measured)
	default:
		v.Text = l.Text("%[1]s: did not work as it should in %[2]d of %[3]d minutes that were measured", day, failed, d.Measured)
	}
	return v
}

func viewIncident(l *language.Printer, i Incident) incidentView {
	v := incidentView{Title: i.Title, Language: i.Language, Stage: l.Text(stageNames[i.Stage]), Began: l.Moment(i.BeganAt), Open: i.EndedAt == nil}
	var about []string
	for _, k := range i.Kinds {
		about = append(about, l.Text(kindNames[k]))
	}
	v.About = l.List(about)
	for n := range i.Updates {
		u := i.Updates[len(i.Updates)-1-n] // the newest first
		v.Updates = append(v.Updates, updateView{l.Moment(u.At), l.Text(stageNames[u.Stage]), u.Text})
	}
	return v
}
