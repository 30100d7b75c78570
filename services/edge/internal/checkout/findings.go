package checkout

import (
	"cmp"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/language"
	"boardorder/services/edge/internal/picture"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// acknowledgementView is what was found in the design, which the customer confirms to have
// seen before paying.
type acknowledgementView struct {
	Findings []findingView // the gravest first
	Report   string        // address that leads to the report of the design
	Notes    []string      // of what needs no confirmation
	Replaced []string      // parts that take the place of others
	Doubtful []string      // parts that are sold and need a look
	Hash     string        // what a tick stands for
	Consent  template.HTML // beside the tick
	Ticked   bool
	Error    template.HTML
}

// findingView is one finding for people.
type findingView struct {
	Serious bool   // the board may not work
	Topic   string // what was checked, for readers of another language than What's; or ""
	What    string
	Where   string // file or layer: foreign words
	Picture string // address, or ""
	Folded  bool   // shown when it is asked for: there may be many
}

// Findings have their pictures on the page at once; those after the first few when they
// are unfolded, so that the page stays small.
const (
	shownFindings = 0
	shownFaults   = 2 // of what must be fixed
)

func (p *Pages) findingsView(s record, e entry) acknowledgementView {
	v := acknowledgementView{Hash: s.quote.AcknowledgementHash()}
	if s.quote.Upload != "" {
		v.Report = p.self(s.id, "") + "/report"
	}
	v.Ticked = v.Hash != "" && e.seen == v.Hash
	for i, f := range s.quote.Reply.BoardFindings {
		if f.Level == "note" {
			v.Notes = append(v.Notes, explainToBuyer(f.Sentence()))
			continue
		}
		one := findingView{Serious: f.Level == "must_fix", What: contract.Sentence(explainToBuyer(f.What)), Where: placeOf(f)}
		one.Topic = topic(s.lang, f)
		if f.Image != "" {
			one.Picture = p.self(s.id, "") + "/findings/" + strconv.Itoa(i) + ".png"
		}
		v.Findings = append(v.Findings, one)
	}
	slices.SortStableFunc(v.Findings, func(a, b findingView) int { return cmp.Compare(rank(a), rank(b)) })
	for i := range v.Findings {
		f := &v.Findings[i]
		f.Folded = f.Picture != "" && i >= shownFindings && (!f.Serious || i >= shownFaults)
	}
	for _, f := range s.quote.FindingsToAcknowledge() {
		switch f.Check {
		case quotes.CheckSubstitution:
			v.Replaced = append(v.Replaced, contract.Sentence(f.What))
		case quotes.CheckPart:
			v.Doubtful = append(v.Doubtful, contract.Sentence(f.What))
		}
	}
	v.Consent = consent(s.lang, v)
	return v
}

// consent is what a tick says.
func consent(l *language.Printer, v acknowledgementView) template.HTML {
	var out template.HTML
	add := func(words template.HTML) {
		if out != "" {
			words = l.HTML("%s, and %s", out, words)
		}
		out = words
	}
	if len(v.Findings) > 0 {
		add(l.HTML(`I have seen <a href="#found">what was found in my design</a> and want the boards built as they are`))
	}
	if len(v.Doubtful) > 0 {
		add(l.HTML(`I have checked <a href="#doubtful">the parts to check</a> and want these`))
	}
	if len(v.Replaced) > 0 {
		add(l.HTML(`I approve <a href="#replaced">the replaced parts</a>`))
	}
	return out
}

// topic is what a check looks at, where the page is not in the language of its findings.
func topic(l *language.Printer, f contract.Finding) string {
	if l.Code == language.English {
		return ""
	}
	words, _ := l.Lookup(dfm.Name(f.Check).Words())
	return words
}

// rank is 0 for what must be fixed.
func rank(f findingView) int {
	if f.Serious {
		return 0
	}
	return 1
}

// report answers GET /checkout/{quote_id}/report: it leads to the page with every finding.
// earlier names another quote, whose copper the page is to be compared with.
func (p *Pages) report(c *web.Call) error {
	s, err := p.read(c)
	if err != nil {
		return err
	}
	at, err := p.Report(c, s.quote)
	if err != nil {
		return err
	}
	if id, given := c.Query("earlier"); given {
		earlier, err := p.readQuote(c, id)
		if err != nil {
			return err
		}
		before, err := p.Report(c, earlier.quote)
		if err != nil {
			return err
		}
		at += "#" + url.Values{"earlier": {before}}.Encode() // which no server is sent
	}
	c.Fiber.Status(http.StatusSeeOther)
	c.Set("Location", at)
	return nil
}

// placeOf is the file or the layer that a finding is about, unless it says so itself.
func placeOf(f contract.Finding) string {
	at := f.File
	if at == "" {
		at = f.Layer
	}
	if strings.Contains(f.What, at) {
		return ""
	}
	return untrusted.Shorten(at, 80)
}

// findingPicture answers GET /checkout/{quote_id}/findings/{n}.png; small=1 is the
// size that the page shows.
func (p *Pages) findingPicture(c *web.Call) error {
	s, err := p.read(c)
	if err != nil {
		return err
	}
	text, isPNG := strings.CutSuffix(c.Param("n"), ".png")
	n, err := strconv.Atoi(text)
	if err != nil || !isPNG || n < 0 || n >= len(s.quote.Reply.BoardFindings) {
		return problem.New(contract.NotFound, "There is no such picture.")
	}
	key := s.quote.Reply.BoardFindings[n].Image
	if _, small := c.Query("small"); small {
		return p.pictures.Send(c, picture.View{Key: key, Small: true})
	}
	return p.pictures.Stream(c, key, false)
}

// acknowledgedView is what the customer of an order confirmed to have seen.
type acknowledgedView struct {
	What []string
	At   time.Time
}

func acknowledgementOf(o orders.Order) *acknowledgedView {
	if o.Acknowledged == nil {
		return nil
	}
	v := &acknowledgedView{At: o.Acknowledged.At}
	for _, f := range o.Acknowledged.Findings {
		v.What = append(v.What, contract.Sentence(f.What))
	}
	return v
}
