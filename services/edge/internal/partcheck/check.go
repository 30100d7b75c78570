// Package partcheck is the edge's part in checks of parts: it checks the form of
// a request, passes it on, waits for the check as long as the client does, and
// answers with what was found by then. Who sells what is found out elsewhere.
package partcheck

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/itar"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/dispatch"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
	"boardorder/services/edge/internal/web"

	"go.uber.org/zap"
)

// Checks answers what is asked about parts.
type Checks struct {
	*dispatch.Client
	// Distributors are the public names of those whose numbers lines may give.
	Distributors []string
}

// atOnce is how long the fabricator's answer is waited for, also by a client
// that does not wait.
const atOnce = 2 * time.Second

// Create answers POST /v1/part-checks.
func (k *Checks) Create(c *web.Call) error {
	r, err := k.read(c)
	if err != nil {
		return err
	}
	check, err := k.find(c, r)
	if err != nil {
		return err
	}
	return k.answer(c, r, check)
}

// read checks the form of a request.
func (k *Checks) read(c *web.Call) (request, error) {
	body, err := c.Object()
	if err != nil {
		return request{}, err
	}
	if itar.DeclaresIn(body) {
		return request{}, design.Designs{Client: k.Client}.RefuseITAR(c)
	}
	fields := jsonbody.NewFields(body)
	r := validate(fields, k.Distributors)
	r.notes = append(r.notes, jsonbody.KeyNote(c.Header("Idempotency-Key"))...)
	if p := fields.Problems(); len(p) > 0 {
		return request{}, problem.Fields(p)
	}
	r.data.Asked = true
	r.data.Check, err = partchecks.ID(c.Caller.Account, r.data)
	return r, err
}

// find gives the check of a list as far as it is when the client waits no
// longer; nil when there is none by then.
func (k *Checks) find(c *web.Call, r request) (*partchecks.PartCheck, error) {
	id, until := r.data.Check, time.Now().Add(max(r.timeout, atOnce))
	c.About = append(c.About, zap.String("check", id))
	w := k.Waiters.Join(wait.Subject{Of: contract.PartCheckAggregate, ID: id})
	defer w.Leave()
	since := k.Now()
	known, found, err := outcome.Read[partchecks.PartCheck](c.Context(), k.Docs, string(contract.PartCheckAggregate), id)
	switch {
	case err != nil:
		return nil, err
	case found && known.Usable(since):
		return &known, nil
	}
	if err := k.begin(c, r); err != nil {
		return nil, err
	}
	var check *partchecks.PartCheck
	_, _ = w.AwaitNext(c.Context(), time.Until(until), func(ctx context.Context) (bool, error) {
		now, found, err := outcome.Read[partchecks.PartCheck](ctx, k.Docs, string(contract.PartCheckAggregate), id)
		if err != nil || !found || hasEnded(&now) && now.EndedAt.Before(since) && !now.Usable(k.Now()) {
			return false, nil // a store that fails may be back before the timeout ends
		}
		check = &now
		return hasEnded(&now) || r.timeout == 0 && now.Report != nil, nil
	})
	return check, nil
}

func hasEnded(check *partchecks.PartCheck) bool { return check.Status != partchecks.Running }

func (k *Checks) begin(c *web.Call, r request) error {
	cmd, err := contract.NewRootCommand(partchecks.Check, k.NewRequest(), c.Caller.Account, k.Now(), r.data)
	if err != nil {
		return err
	}
	if err := k.Send.Send(c.Context(), cmd); err != nil {
		return problem.Unavailable(err)
	}
	return nil
}

// answer replies with the report as far as there is one.
func (k *Checks) answer(c *web.Call, r request, check *partchecks.PartCheck) error {
	if check != nil && check.Refusal != nil {
		return problem.NewFromRefusal(check.Refusal)
	}
	reply := replyOf(r, check)
	if reply.RetryAfterS > 0 {
		c.Set("Retry-After", strconv.Itoa(reply.RetryAfterS))
	}
	return c.JSONSetApart(http.StatusOK, reply)
}
