package formal

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/projection"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

const (
	listUsual = 20
	maxList   = 100
)

// List answers GET /v1/orders: the account's orders, newest first.
func (k *Orders) List(c *web.Call) error {
	limit, cursor, err := page(c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Context(), readTimeout)
	defer cancel()
	docs, next, err := k.Docs.List(ctx, kind, "account", c.Caller.Account, projection.Page{Limit: limit, Cursor: cursor})
	switch {
	case errors.Is(err, projection.ErrCursor):
		return refuse(problem.Detail{Loc: []any{"query", "cursor"}, Type: "value_error", Msg: "Value error, this is no cursor that a list gave", Input: echo(cursor)})
	case err != nil:
		return problem.Unavailable(err)
	}
	reply := struct {
		OK         bool     `json:"ok"`
		Orders     []Record `json:"orders"`
		HasMore    bool     `json:"has_more"`
		NextCursor *string  `json:"next_cursor"`
	}{OK: true, Orders: make([]Record, len(docs)), HasMore: next != "", NextCursor: nilIfEmpty(next)}
	for i, d := range docs {
		o, err := outcome.Decode[formal.Order](d)
		if err != nil {
			return err
		}
		reply.Orders[i] = k.recordOf(o)
	}
	return c.JSON(http.StatusOK, reply)
}

// page reads which part of the list is wanted.
func page(c *web.Call) (limit int, cursor string, err error) {
	limit = listUsual
	if text, given := c.Query("limit"); given {
		n, wrong := integer([]any{"query", "limit"}, text, 1, maxList)
		if wrong != nil {
			return 0, "", refuse(*wrong)
		}
		limit = n
	}
	cursor, _ = c.Query("cursor")
	return limit, cursor, nil
}

// readTimeout bounds one look into the store.
const readTimeout = 5 * time.Second

// Show answers GET /v1/orders/{identifier}.
func (k *Orders) Show(c *web.Call) error {
	o, err := k.callersOrder(c)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, k.recordOf(o))
}

// callersOrder gives the order that a call names by order_id or order_ref, if it is the
// caller's.
func (k *Orders) callersOrder(c *web.Call) (formal.Order, error) {
	id, err := identifier(c)
	if err != nil {
		return formal.Order{}, err
	}
	key := "order_ref"
	if strings.HasPrefix(id, contract.OrderPrefix) {
		key = "order_id"
	}
	ctx, cancel := context.WithTimeout(c.Context(), readTimeout)
	defer cancel()
	docs, _, err := k.Docs.List(ctx, kind, key, id, projection.Page{Limit: 10})
	if err != nil {
		return formal.Order{}, problem.Unavailable(err)
	}
	for _, d := range docs {
		o, err := outcome.Decode[formal.Order](d)
		if err != nil || o.Account == c.Caller.Account {
			return o, err
		}
	}
	return formal.Order{}, orderNotFound()
}

func orderNotFound() error {
	return problem.New(contract.OrderNotFound, "There is no such order on this account.")
}

// review is the reply of a design review.
type review struct {
	OK          bool        `json:"ok"`
	OrderID     string      `json:"order_id"`
	OrderRef    string      `json:"order_ref"`
	Review      teamReview  `json:"review"`
	DesignCheck designCheck `json:"design_check"`
}

type teamReview struct {
	Status     string           `json:"status"` // pending, done
	Findings   []formal.Finding `json:"findings"`
	Note       *string          `json:"note"`
	ReviewedAt *string          `json:"reviewed_at"`
}

type designCheck struct {
	Status       designchecks.Status `json:"status"`
	Why          *string             `json:"why"`
	Board        *string             `json:"board"`
	Findings     []formal.Finding    `json:"findings"`
	MoreFindings int                 `json:"more_findings"`
	Assumed      []string            `json:"assumed"`
	CheckedAt    *string             `json:"checked_at"`
	RetryAfterS  int                 `json:"retry_after_s,omitempty"`
}

// Review answers GET /v1/orders/{identifier}/design-review.
func (k *Orders) Review(c *web.Call) error {
	o, err := k.callersOrder(c)
	if err != nil {
		return err
	}
	r := review{OK: true, OrderID: o.ID, OrderRef: o.Ref, Review: teamReview{Status: "pending", Findings: []formal.Finding{}}, DesignCheck: automatic(o)}
	if t := o.Review; t != nil {
		r.Review = teamReview{"done", t.Findings, nilIfEmpty(t.Note), momentOrNil(&t.At)}
	}
	if s := r.DesignCheck.RetryAfterS; s > 0 {
		c.Set("Retry-After", "10")
	}
	return c.JSONSetApart(http.StatusOK, r)
}

func automatic(o formal.Order) designCheck {
	out := designCheck{Status: formal.NotRun, Findings: []formal.Finding{}, Assumed: []string{}}
	switch d := o.Check; {
	case o.ITAR:
		out.Why = nilIfEmpty("ITAR-controlled designs are looked at by people only.")
	case !o.Has(formal.Gerbers):
		out.Why = nilIfEmpty("The order has no Gerbers.")
	case d != nil:
		out = designCheck{d.Status, nilIfEmpty(d.Why), nilIfEmpty(d.Board), d.Findings, d.MoreFindings, d.Assumed, momentOrNil(&d.At), 0}
		if out.Findings == nil {
			out.Findings = []formal.Finding{}
		}
		if out.Assumed == nil {
			out.Assumed = []string{}
		}
	case o.Status == formal.Cancelled:
		out.Why = nilIfEmpty("The order is cancelled.")
	default:
		out.Status, out.RetryAfterS = designchecks.Running, 10
	}
	return out
}
