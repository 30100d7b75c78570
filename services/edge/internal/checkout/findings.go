package checkout

import (
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/edge/internal/picture"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// acknowledgementView is what was found in the design, which the customer confirms to have
// seen before paying.
type acknowledgementView struct {
	Findings []findingView
	Notes    []string // of what needs no confirmation
	Replaced []string // parts that take the place of others
	Doubtful []string // parts that are sold and need a look
	Hash     string   // what a tick stands for
	Ticked   bool
	Error    string
}

// findingView is one finding for people.
type findingView struct {
	Serious bool // the board may not work
	What    string
	Where   string // file or layer: foreign words
	Picture string // address, or ""
	Folded  bool   // shown when it is asked for: there may be many
}

// shownFindings have their pictures on the page at once; those after them when they
// are unfolded, so that the page stays small.
const shownFindings = 2

func (p *Pages) findingsView(s record, e entry) acknowledgementView {
	v := acknowledgementView{Hash: s.quote.AcknowledgementHash()}
	v.Ticked = v.Hash != "" && e.seen == v.Hash
	for i, f := range s.quote.Reply.BoardFindings {
		if f.Level == "note" {
			v.Notes = append(v.Notes, f.Sentence())
			continue
		}
		one := findingView{Serious: f.Level == "must_fix", What: contract.Sentence(f.What), Where: placeOf(f)}
		if f.Image != "" {
			one.Picture = p.self(s.id, "") + "/findings/" + strconv.Itoa(i) + ".png"
			one.Folded = len(v.Findings) >= shownFindings
		}
		v.Findings = append(v.Findings, one)
	}
	for _, f := range s.quote.FindingsToAcknowledge() {
		switch f.Check {
		case quotes.CheckSubstitution:
			v.Replaced = append(v.Replaced, contract.Sentence(f.What))
		case quotes.CheckPart:
			v.Doubtful = append(v.Doubtful, contract.Sentence(f.What))
		}
	}
	return v
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
	s, err := p.read(c.Context(), c.Param("quote_id"))
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
