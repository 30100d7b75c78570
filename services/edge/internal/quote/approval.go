package quote

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/itar"
	"boardorder/pkg/projection"
	"boardorder/services/edge/internal/idempotency"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// ApprovalLink is the purpose of the signed links to pages on which customers approve parts, and
// ApprovalPath is where these are. The subject is [ApprovalSubject].
const (
	ApprovalLink = "part-approval"
	ApprovalPath = "/part-approvals/"
)

// ApprovalSubject names an approval of a quote in a link.
func ApprovalSubject(ref, approval string) string { return ref + "-" + approval }

// Approval is an approval of alternative parts as clients see it.
type Approval struct {
	ID          string                `json:"approval_id"`
	Status      quotes.ApprovalStatus `json:"status"`
	ApprovalURL string                `json:"approval_url,omitempty"` // while it is open
	Lines       []ApprovalLine        `json:"lines"`
	AskedAt     time.Time             `json:"asked_at"`
	ExpiresAt   time.Time             `json:"expires_at"`
	AnsweredAt  *time.Time            `json:"answered_at,omitempty"`
	AnsweredBy  string                `json:"answered_by,omitempty"` // as typed
	Position    string                `json:"answered_by_position,omitempty"`
	Shown       string                `json:"shown_sha256,omitempty"` // of what the page showed
}

// ApprovalLine is a line of an approval.
type ApprovalLine struct {
	Reference    string   `json:"reference"`
	Part         string   `json:"part"`
	Alternatives []string `json:"alternatives"` // part numbers, the best first
	Approved     *string  `json:"approved"`     // the one that takes the part's place; null: none
}

// approvalReply is the reply of the calls about one approval.
type approvalReply struct {
	OK      bool   `json:"ok"`
	QuoteID string `json:"quote_id"`
	Approval
	Next string `json:"next"`
}

var approvalNext = map[quotes.ApprovalStatus]string{
	quotes.ApprovalOpen:     "Give approval_url to the customer, who decides there. No call of the API approves a part, and neither may whoever integrates it.",
	quotes.ApprovalApproved: "Ask for the price with the approved parts: POST to the approval's /quote.",
	quotes.ApprovalPartly:   "Ask for the price with the approved parts: POST to the approval's /quote. Of the other lines the quote stays as it is.",
	quotes.ApprovalDeclined: "The customer wants none of these parts: the quote stays as it is.",
	quotes.ApprovalExpired:  "Nobody answered in time. Refresh the quote and ask again.",
	quotes.ApprovalVoid:     "What was shown to the customer is not so any more. Ask again.",
}

// ApprovalStatus is how an approval of a quote stands now. It is void where files have come to the
// upload since; those that were deleted were as the quote has them.
func ApprovalStatus(ctx context.Context, docs projection.Store, q quotes.Quote, a quotes.PartApproval, now time.Time) (quotes.ApprovalStatus, error) {
	status := q.ApprovalStatusOf(a, now)
	doc, found, err := outcome.Document(ctx, docs, string(contract.UploadAggregate), q.Upload)
	if err != nil || !found {
		return status, err
	}
	up, err := uploads.ReadBrief(doc.Body)
	if err != nil {
		return status, fmt.Errorf("decode upload: %w", err)
	}
	if up.Status == uploads.Open && up.Digest != boards.FilesDigest(q.Digest) {
		return quotes.ApprovalVoid, nil
	}
	return status, nil
}

// approvals are those of a quote, oldest first.
func (q *Quotes) approvals(ctx context.Context, quote quotes.Quote) ([]Approval, error) {
	var out []Approval
	for _, a := range quote.Approvals {
		one, err := q.approval(ctx, quote, a)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

func (q *Quotes) approval(ctx context.Context, quote quotes.Quote, a quotes.PartApproval) (Approval, error) {
	status, err := ApprovalStatus(ctx, q.Docs, quote, a, q.Now())
	if err != nil {
		return Approval{}, err
	}
	out := Approval{ID: a.ID, Status: status, AskedAt: millis(a.AskedAt), ExpiresAt: millis(a.ExpiresAt), Lines: []ApprovalLine{}}
	if status == quotes.ApprovalOpen {
		out.ApprovalURL = q.PublicURL + ApprovalPath + q.Secrets.Link(ApprovalLink, ApprovalSubject(quote.Ref, a.ID), a.ExpiresAt)
	}
	for i, l := range a.Lines {
		line := ApprovalLine{Reference: l.Reference, Part: l.Part, Alternatives: l.Numbers()}
		if a.Answer != nil && a.Answer.Chosen[i] != "" {
			line.Approved = &a.Answer.Chosen[i]
		}
		out.Lines = append(out.Lines, line)
	}
	if answer := a.Answer; answer != nil {
		at := millis(answer.At)
		out.AnsweredAt, out.AnsweredBy, out.Position, out.Shown = &at, answer.Name, answer.Position, answer.Shown
	}
	return out, nil
}

// AskApproval answers POST /v1/quotes/{quote_id}/part-approvals.
func (q *Quotes) AskApproval(c *web.Call) error {
	body := map[string]any{}
	var err error
	if !c.Body().Empty() {
		if body, err = c.Object(); err != nil {
			return err
		}
	}
	id, old, _, err := q.find(c, "quote_id")
	if err != nil {
		return err
	}
	if itar.DeclaresIn(body) {
		return q.designs().RefuseITAR(c, old.Upload)
	}
	f := jsonbody.NewFields(body)
	data := quotes.AskApprovalData{Quote: old.Ref, Key: c.Caller.Key.ID, Network: q.Network(c), Lines: readAskedLines(f)}
	if p := f.Problems(); len(p) > 0 {
		return problem.Fields(p)
	}
	r, err := q.Keys.Begin(c, outcome.Outcomes{Docs: q.Docs}, "POST /v1/quotes/"+id+"/part-approvals", jsonbody.Text(body))
	if err != nil {
		return err
	}
	if !r.HasEnded() {
		if err := r.Claim(c.Context()); err != nil {
			return err
		}
		if r.Outcome, err = q.ask(c, r, data); err != nil {
			return r.Explain(err)
		}
	}
	r.Mark(c)
	if r.Outcome.Refusal != nil {
		return q.refuse(c.Context(), r.ID, r.Outcome.Refusal)
	}
	quote, err := outcome.Decode[quotes.Quote](r.Outcome.Doc)
	if err != nil {
		return err
	}
	return q.answerApproval(c, http.StatusCreated, id, quote, approvalOf(r))
}

// approvalOf names the approval that a request asks for.
func approvalOf(r *idempotency.Request) string {
	return contract.IDFrom(quotes.ApprovalPrefix, r.At, r.ID)
}

func (q *Quotes) ask(c *web.Call, r *idempotency.Request, data quotes.AskApprovalData) (*outcome.Outcome, error) {
	data.Approval = approvalOf(r)
	cmd, err := contract.NewCommand(quotes.AskApproval, r.ID, c.Caller.Account, q.Now(), data)
	if err != nil {
		return nil, err
	}
	return q.Do(c.Context(), cmd, linkTimeout)
}

func readAskedLines(f *jsonbody.Fields) (lines []quotes.AskedLine) {
	for _, l := range f.Objects("lines", quotes.MaxApprovalLines) {
		lines = append(lines, quotes.AskedLine{Reference: need(l, "reference", maxReferences), MPNs: l.Texts("alternatives", maxAlternatives, maxPartNumber)})
	}
	return lines
}

const (
	maxAlternatives = 5
	maxReferences   = 2000 // a line has all designators of its part
)

// ShowApproval answers GET /v1/quotes/{quote_id}/part-approvals/{approval_id}.
func (q *Quotes) ShowApproval(c *web.Call) error {
	id, quote, _, err := q.find(c, "quote_id")
	if err != nil {
		return err
	}
	approval, err := c.PathID("approval_id", maxRequestID)
	if err != nil {
		return err
	}
	return q.answerApproval(c, http.StatusOK, id, quote, approval)
}

func (q *Quotes) answerApproval(c *web.Call, status int, id string, quote quotes.Quote, approval string) error {
	a := quote.Approval(approval)
	if a == nil {
		return unknownApproval()
	}
	out, err := q.approval(c.Context(), quote, *a)
	if err != nil {
		return err
	}
	return c.JSON(status, approvalReply{OK: true, QuoteID: id, Approval: out, Next: approvalNext[out.Status]})
}

func unknownApproval() error {
	return problem.New(contract.NotFound, "The quote has no approval with this approval_id.")
}

// PriceApproved answers POST /v1/quotes/{quote_id}/part-approvals/{approval_id}/quote: the quote as it
// is priced today, with the parts that its customer approved.
func (q *Quotes) PriceApproved(c *web.Call) error {
	approval, err := c.PathID("approval_id", maxRequestID)
	if err != nil {
		return err
	}
	return q.priceAgain(c, "/part-approvals/"+approval+"/quote", func(old quotes.Quote, o *order) error {
		a := old.Approval(approval)
		if a == nil {
			return unknownApproval()
		}
		status, err := ApprovalStatus(c.Context(), q.Docs, old, *a, q.Now())
		if err != nil {
			return err
		}
		if refused := quotes.RefuseUnapproved(status); refused != nil { // before it is known as a request that was refused
			return problem.NewFromRefusal(refused)
		}
		o.approval = approval
		return nil
	})
}
