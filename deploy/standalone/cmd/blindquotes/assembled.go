package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/quotes"
)

// maxAsks is how often a customer answers before giving up.
const maxAsks = 8

// quoteAssembly uploads a folder and asks for ten boards with their parts, as a customer
// answers who has no more than the files: what has no position or names no part is left
// off, options are the usual ones, and the board is built as it is drawn.
func (s *shop) quoteAssembly(ctx context.Context, folder string) (*replies, error) {
	r := &replies{}
	start := time.Now()
	defer func() { r.Took = time.Since(start) }()
	id, err := s.upload(ctx, folder, r)
	if err != nil || id == "" {
		return r, err
	}
	body := map[string]any{"upload_id": id, "quantity": 10, "assembly": true, "standard_for_unstated": true, "ship_to": map[string]string{"country": "US", "state": "TX"}}
	for range maxAsks {
		if r.Status, r.Quote, err = s.post(ctx, quotesPath, body); err != nil {
			return r, err
		}
		var refused contract.Refusal
		if json.Unmarshal(r.Quote, &refused) != nil || !settle(body, refused) {
			break
		}
	}
	return r, nil
}

// settle puts an answer to what a reply asks into the next request; false where there is
// nothing to answer or it was answered before.
func settle(body map[string]any, r contract.Refusal) bool {
	switch r.Code {
	case contract.OffBoardParts, contract.NeedsPartNumbers:
		left, _ := body["do_not_fit_refs"].([]string)
		before := len(left)
		for _, q := range slices.Concat(r.OffBoard, r.Parts) {
			for ref := range strings.SplitSeq(q.Reference, ",") {
				if ref = strings.TrimSpace(ref); ref != "" && !slices.Contains(left, ref) {
					left = append(left, ref)
				}
			}
		}
		body["do_not_fit_refs"] = left
		return len(left) > before
	case contract.DesignFiles:
		before := body["skip_board_checks"]
		body["skip_board_checks"] = true
		return before == nil
	case contract.NeedsDetails:
		more := false
		for _, q := range r.Questions {
			if answer := usual(q); body[q.Option] == nil && answer != nil {
				body[q.Option], more = answer, true
			}
		}
		return more
	}
	return false
}

// usual is what is usually answered, or the one answer that there is; nil for none.
func usual(q contract.Question) any {
	if q.Usual == nil && len(q.Choices) == 1 {
		return q.Choices[0]
	}
	return q.Usual
}

// A count sums up what became of lists of parts.
type count struct {
	w       io.Writer
	table   *tabwriter.Writer
	total   lines
	answers map[string]int // by mode or error
	buyable map[string]int // likewise, of designs whose parts some supplier has
	details strings.Builder
}

// lines are those of a list by what became of them.
type lines struct{ all, left, ok, check, problem, swapped int }

func newCount(w io.Writer) *count {
	c := &count{w: w, table: tabwriter.NewWriter(w, 0, 0, 2, ' ', 0), answers: map[string]int{}, buyable: map[string]int{}}
	fmt.Fprintln(c.table, "design\tlines\tleft off\tok\tcheck\tproblem\tswapped\tprice\twhy not")
	return c
}

func (c *count) add(name string, r *replies) {
	var q struct {
		quotes.Reply
		Error, Message string
	}
	// What is no reply of the service's shape has no parts.
	_ = json.Unmarshal(r.Quote, &q)
	fmt.Fprintf(&c.details, "\n%s\n", name)
	n, lacking := lines{all: len(q.Parts)}, 0
	for _, p := range q.Parts {
		switch {
		case p.Fitting == assemblies.LeftOff:
			n.left++
			continue
		case p.Verdict == "ok":
			n.ok++
		case p.Verdict == "check":
			n.check++
		default:
			n.problem++
		}
		if p.MPN == "" {
			lacking++
		}
		c.detail(p, &n)
	}
	answer := q.Mode + q.Error
	c.answers[answer]++
	if len(q.Parts) > 0 && lacking == 0 {
		c.buyable[answer]++
	}
	c.total = c.total.plus(n)
	fmt.Fprintf(c.table, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\n", name, n.all, n.left, n.ok, n.check, n.problem, n.swapped, answer, reason(q.Reply, q.Message, lacking))
}

// reason is why a reply is no instant price.
func reason(q quotes.Reply, message string, lacking int) string {
	if q.Mode == quotes.ModeInstant {
		return ""
	}
	out := []string{message}
	if lacking > 0 {
		out = append(out, fmt.Sprintf("%d unknown to all", lacking))
	}
	return strings.Join(slices.DeleteFunc(append(out, q.CustomQuoteReasons...), func(s string) bool { return s == "" }), "; ")
}

// detail tells of a line what is to be judged: a part that took another's place, with
// what was compared, and a line without a price.
func (c *count) detail(p assemblies.Part, n *lines) {
	if p.Replaces != "" {
		n.swapped++
		fmt.Fprintf(&c.details, "  swapped %s: %s by %s %s\n", p.Reference, p.Replaces, p.MPN, p.Manufacturer)
		for _, x := range p.Compared {
			fmt.Fprintf(&c.details, "    %s: %s, now %s\n", x.Property, x.Named, x.Replacement)
		}
	}
	if p.Verdict != "ok" || p.Misfit {
		fmt.Fprintf(&c.details, "  %s %s: %s %s [%s] %s\n", p.Verdict, p.Reference, p.Part, p.MPN, p.Footprint, p.Why)
	}
}

func (l lines) plus(m lines) lines {
	return lines{l.all + m.all, l.left + m.left, l.ok + m.ok, l.check + m.check, l.problem + m.problem, l.swapped + m.swapped}
}

func (c *count) summary() {
	t := c.total
	fmt.Fprintf(c.table, "all\t%d\t%d\t%d\t%d\t%d\t%d\t\t\n", t.all, t.left, t.ok, t.check, t.problem, t.swapped)
	_ = c.table.Flush() // of standard output
	fmt.Fprintln(c.w, c.details.String())
	designs, buyable := 0, 0
	for answer, n := range c.answers {
		designs += n
		buyable += c.buyable[answer]
	}
	fmt.Fprintf(c.w, "%d designs: %d instant, %d review\n", designs, c.answers[quotes.ModeInstant], c.answers[quotes.ModeReview])
	fmt.Fprintf(c.w, "%d whose parts can be had: %d instant, %d review\n", buyable, c.buyable[quotes.ModeInstant], c.buyable[quotes.ModeReview])
}
