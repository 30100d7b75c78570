// Package sourcing looks the parts of a build up in two phases: the fabricator's
// own library first, which answers at once, then the distributors and the search
// engine for what is still open.
package sourcing

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/lookup"
	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/verdict"
)

// A Phase is how far a report goes.
type Phase string

// The phases.
const (
	Fab      Phase = "fab"      // the fabricator's library only
	Complete Phase = "complete" // everybody was asked
)

// A Request is a list of parts for a build.
type Request struct {
	Boards int64
	Lines  []verdict.Line
	Since  time.Time // suppliers' answers from before are too old; zero takes those that are kept
	// Sparing calls a supplier only while it can spare the calls, and looks for nothing that
	// could stand in.
	Sparing bool
}

// A Report is what was found.
type Report struct {
	Phase      Phase           `json:"phase"`
	Boards     int64           `json:"boards"`
	Parts      []verdict.Part  `json:"parts"`
	Summary    verdict.Summary `json:"summary"`
	RetryAfter int             `json:"retry_after_s,omitempty"` // while some are still being looked up
	Unreached  []string        `json:"unreached,omitempty"`     // sources that could not be reached about a line that nobody else sells, once the others have answered
}

// A Sourcer looks parts up.
type Sourcer struct {
	Engine *lookup.Engine
	// Sources in the order in which they are asked: those of a round are asked at
	// the same time, about what the rounds before left open. The first round is
	// the fabricator's library.
	Rounds [][]string
}

// perLine is how many numbers of a passive part are asked for in rounds after the
// first, and perOpen of one whose voltage is open: their calls are counted.
const (
	perLine = 2
	perOpen = 6
)

// Fab asks the fabricator's library.
func (s *Sourcer) Fab(ctx context.Context, r Request) Report {
	c := s.begin(r)
	c.round(ctx, 0)
	return c.report(Fab, s.Rounds[1:])
}

// Complete asks everybody, for as long as ctx lasts. What is not answered by then
// is said to be still checking, and goes on: asking again gives it.
func (s *Sourcer) Complete(ctx context.Context, r Request) Report {
	c := s.begin(r)
	for i := range s.Rounds {
		some, cancel := share(ctx, i+1 < len(s.Rounds))
		c.round(some, i)
		cancel()
	}
	if !r.Sparing {
		c.similar(ctx)
	}
	return c.report(Complete, nil)
}

// share gives a round that others follow half of the time that is left, so that a
// slow source does not keep others from being asked.
func share(ctx context.Context, more bool) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok || !more {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, time.Until(end)/2)
}

// A check is one request that is being looked up.
type check struct {
	sourcer *Sourcer
	request Request
	lines   []verdict.Line // of the request, with the numbers that were learnt
	facts   []verdict.Facts
	parts   []verdict.Part
}

func (s *Sourcer) begin(r Request) *check {
	c := &check{sourcer: s, request: r, lines: slices.Clone(r.Lines), facts: make([]verdict.Facts, len(r.Lines)), parts: make([]verdict.Part, len(r.Lines))}
	for i := range c.lines {
		c.facts[i] = verdict.Facts{Failed: map[string]outside.Kind{}, Unasked: map[string]outside.Kind{}, Uncompared: compares(c.lines[i].ID)}
		c.parts[i] = verdict.Judge(c.lines[i], c.facts[i])
	}
	return c
}

// open tells the lines that nobody sells yet, or of which a code is still to be
// compared with what they name.
func (c *check) open() []int {
	var out []int
	for i := range c.parts {
		p := &c.parts[i]
		settled := p.Bought > 0 && !p.Provisional || p.Contradicts || p.Aside && (len(c.facts[i].Offers) > 0 || c.lines[i].Aside == unfitted)
		if !settled && len(c.lines[i].ID.Queries) > 0 {
			out = append(out, i)
		}
	}
	return out
}

// maxNumbers is how many numbers of a line are asked for at all, and of one whose
// voltage is open, which has several of each.
const (
	maxNumbers = 8
	maxRungs   = 10
)

// fabOnly makes parts that the fabricator's library has and distributors do not.
const fabOnly = "UNI-ROYAL"

// numbers gives the numbers of a line to ask for in a round.
func (c *check) numbers(i, round int) []part.Query {
	id := c.lines[i].ID
	list := id.Queries
	switch {
	case id.OpenVoltage && round > 0:
		return list[:min(len(list), perOpen)]
	case id.OpenVoltage:
		return list[:min(len(list), maxRungs)]
	case id.Certainty == identity.Passive && round > 0:
		list = slices.DeleteFunc(slices.Clone(list), func(q part.Query) bool { return q.Manufacturer == fabOnly })
		list = list[:min(len(list), perLine)]
	case c.parts[i].Sold: // only what is to be compared
		list = slices.DeleteFunc(slices.Clone(list), func(q part.Query) bool { return q.Scheme == part.MPN })
	}
	return list[:min(len(list), maxNumbers)]
}

// round asks the sources of a round about the open lines, and then about the numbers
// that they taught.
func (c *check) round(ctx context.Context, round int) {
	requested := make([][]part.Query, len(c.lines))
	for _, i := range c.open() {
		requested[i] = c.numbers(i, round)
	}
	c.put(ctx, round, requested)
	if learnt := c.learn(round); learnt != nil {
		c.put(ctx, round, learnt)
	}
	c.sellOnce()
}

// put asks the sources of a round about some numbers of each line.
func (c *check) put(ctx context.Context, round int, of [][]part.Query) {
	var queries []part.Query
	owner := []int{}
	for i, list := range of {
		for _, q := range list {
			queries, owner = append(queries, q), append(owner, i)
		}
	}
	for _, replies := range c.ask(ctx, c.sourcer.Rounds[round], queries, lookup.Terms{Since: c.request.Since, Sparing: c.request.Sparing}) {
		c.take(replies, owner)
	}
	for i := range of {
		if len(of[i]) > 0 {
			c.facts[i].Uncompared = c.facts[i].Uncompared && !c.isCompared(i, round)
			c.parts[i] = verdict.Judge(c.lines[i], c.facts[i])
		}
	}
}

// ask asks several sources the same at the same time.
func (c *check) ask(ctx context.Context, sources []string, queries []part.Query, terms lookup.Terms) [][]lookup.Reply {
	out := make([][]lookup.Reply, len(sources))
	if len(queries) == 0 {
		return out
	}
	var wg sync.WaitGroup
	for i, s := range sources {
		wg.Go(func() {
			out[i] = c.sourcer.Engine.AskBy(ctx, s, queries, terms)
		})
	}
	wg.Wait()
	return out
}

// take files a source's replies with the lines that they belong to.
func (c *check) take(replies []lookup.Reply, owner []int) {
	for k := range replies {
		r, f := &replies[k], &c.facts[owner[k]]
		switch r.State {
		case lookup.NotTaken:
			continue
		case lookup.Pending:
			f.Pending = appendOnce(f.Pending, r.Source)
			continue
		case lookup.Failed:
			f.Failed[r.Source] = outside.KindOf(r.Err)
			if r.Query.Scheme != part.MPN {
				f.Unasked[r.Query.Number] = outside.KindOf(r.Err)
			}
			continue
		}
		f.Searched = appendOnce(f.Searched, r.Source)
		if r.Query.Scheme != part.MPN {
			f.Codes = append(f.Codes, verdict.Code{Query: r.Query, Offers: r.Answer.Offers})
		}
		f.Similar = append(f.Similar, r.Answer.Similar...)
		for _, o := range r.Answer.Offers {
			same := func(x part.Offer) bool { return x.Source == o.Source && x.Supplier == o.Supplier && x.SKU == o.SKU }
			if !slices.ContainsFunc(f.Offers, same) {
				f.Offers = append(f.Offers, o)
			}
		}
	}
}

func appendOnce(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// maxOffered is for how many lines alternatives are given: a report has to fit a message. Those that
// cannot be bought come first.
const maxOffered = 20

// similar looks for parts to offer in place of those that cannot be bought, and puts
// those in place that are no worse; and in place of those that may be hard to buy, as far as
// suppliers can spare the calls.
func (c *check) similar(ctx context.Context) {
	missing, risky := make([][]part.Query, len(c.lines)), make([][]part.Query, len(c.lines))
	var order []int
	for _, i := range c.open() {
		if p := &c.parts[i]; (p.Verdict != verdict.Checking || len(p.Unreached) > 0) && !p.Aside && p.Bought == 0 {
			missing[i] = verdict.Candidates(c.lines[i], c.facts[i])
			order = append(order, i)
		}
	}
	for i := range c.parts {
		p := &c.parts[i]
		if p.Bought > 0 && c.lines[i].ID.Certainty == identity.Exact && len(order) < maxOffered && verdict.IsRisky(verdict.Risks(c.lines[i], c.facts[i], *p)) {
			risky[i] = verdict.Candidates(c.lines[i], c.facts[i])
			order = append(order, i)
		}
	}
	found := c.find(ctx, missing, lookup.Terms{Since: c.request.Since})
	for i, offers := range found {
		c.parts[i].Similar = verdict.Replacement(c.lines[i], c.facts[i], offers)
		c.parts[i].Ask(verdict.AskWhich(c.lines[i], c.facts[i], offers))
		if p, ok := verdict.Replace(c.lines[i], c.parts[i]); ok {
			c.parts[i] = p
		}
	}
	maps.Copy(found, c.find(ctx, risky, lookup.Terms{Since: c.request.Since, Sparing: true}))
	for _, i := range order[:min(len(order), maxOffered)] {
		c.parts[i].Alternatives = verdict.Alternatives(c.lines[i], c.facts[i], c.parts[i], found[i])
	}
}

// find asks the first two rounds of sources about numbers for each line.
func (c *check) find(ctx context.Context, of [][]part.Query, terms lookup.Terms) map[int][]part.Offer {
	found := map[int][]part.Offer{}
	for round, sources := range c.sourcer.Rounds[:min(2, len(c.sourcer.Rounds))] {
		var queries []part.Query
		owner := []int{}
		for i, list := range of {
			if round > 0 {
				list = list[:min(len(list), perLine)]
			}
			for _, q := range list {
				queries, owner = append(queries, q), append(owner, i)
			}
		}
		for _, replies := range c.ask(ctx, sources, queries, terms) {
			for k := range replies {
				found[owner[k]] = append(found[owner[k]], replies[k].Answer.Offers...)
			}
		}
	}
	return found
}

// retryAfter is when asking again makes sense, and retryUnreached where a source could not
// be reached.
const (
	retryAfter     = 3 * time.Second
	retryUnreached = time.Minute
)

// report sums the check up. Lines that are open while others are yet to be asked
// are still checking.
func (c *check) report(p Phase, later [][]string) Report {
	for _, i := range c.open() {
		if len(later) > 0 {
			c.facts[i].Pending = appendOnce(c.facts[i].Pending, later[0][0])
			c.parts[i] = verdict.Judge(c.lines[i], c.facts[i])
		}
	}
	for i := range c.parts {
		c.parts[i].Risks, c.parts[i].Supply = verdict.Risks(c.lines[i], c.facts[i], c.parts[i]), verdict.SupplyOf(c.lines[i], c.facts[i], c.parts[i])
	}
	r := Report{Phase: p, Boards: c.request.Boards, Parts: c.parts, Summary: verdict.Sum(c.parts, c.request.Boards)}
	r.wait()
	return r
}

// wait says when asking again makes sense.
func (r *Report) wait() {
	open := 0
	for i := range r.Parts {
		p := &r.Parts[i]
		for _, source := range p.Unreached {
			r.Unreached = appendOnce(r.Unreached, source)
		}
		if p.Verdict == verdict.Checking && len(p.Unreached) == 0 {
			open++
		}
	}
	switch {
	case open > 0:
		r.RetryAfter, r.Unreached = int(retryAfter/time.Second), nil
	case len(r.Unreached) > 0:
		r.RetryAfter = int(retryUnreached / time.Second)
	}
}
