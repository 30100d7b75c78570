// Package check is the edge's part in design checks: it checks the form of a
// request, passes it on, waits for the check as long as the client does, and
// answers with what was found by then. What is measured is decided elsewhere.
package check

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/uploads"
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

// Checks answers what is asked about design checks.
type Checks struct {
	*dispatch.Client
	Blobs    blob.Store
	Arrivals design.Arrivals
	Links    *design.Links
}

// atOnce is how long the service has to find out whether it knows the answer,
// also for a client that does not wait.
const atOnce = 2 * time.Second

// Create answers POST /v1/design-checks.
func (k *Checks) Create(c *web.Call) error {
	in, body, err := k.read(c)
	if err != nil {
		return err
	}
	until := time.Now().Add(max(in.timeout, atOnce))
	up, err := k.designs().Usable(c.Context(), c.Caller.Account, in.data.Upload, max(in.timeout, atOnce))
	if err != nil {
		return err
	}
	if in, err = k.complete(c, in, body, up.OrderFile); err != nil {
		return err
	}
	id, err := k.begin(c, c.Caller.Account, in.data, until)
	if err != nil {
		return err
	}
	assembly := ""
	if in.boards > 0 {
		if assembly, err = k.beginParts(c, in, up); err != nil {
			return err
		}
	}
	var check *designchecks.DesignCheck
	if id != "" {
		check = k.await(c.Context(), id, time.Until(until), in.timeout)
	}
	var parts *assemblies.Assembly
	if assembly == "" && in.boards > 0 { // the files may have been read meanwhile
		if assembly, err = k.beginParts(c, in, up); err != nil {
			return err
		}
	}
	if assembly != "" {
		parts = k.awaitParts(c.Context(), assembly, time.Until(until), in.timeout)
	}
	return k.answer(c, in, up, check, parts)
}

func (k *Checks) designs() design.Designs {
	return design.Designs{Client: k.Client, Arrivals: k.Arrivals}
}

// read checks the form of a request, and gives its body too.
func (k *Checks) read(c *web.Call) (input, map[string]any, error) {
	body, err := c.Object()
	if err != nil {
		return input{}, nil, err
	}
	if itar.DeclaresIn(body) {
		return input{}, nil, k.designs().RefuseITAR(c)
	}
	fields := jsonbody.NewFields(body)
	in := validate(fields)
	in.notes = append(in.notes, jsonbody.KeyNote(c.Header("Idempotency-Key"))...)
	if p := fields.Problems(); len(p) > 0 {
		return input{}, nil, problem.Fields(p)
	}
	return in, body, nil
}

// begin passes a request on and gives the id of the check that it belongs to;
// "" when that is not known in time.
func (k *Checks) begin(c *web.Call, account string, data contract.CheckDesignData, until time.Time) (id string, err error) {
	request := k.NewRequest()
	c.About = append(c.About, zap.String("request", request))
	waiter := k.Waiters.Join(wait.Request(request))
	defer waiter.Leave()
	cmd, err := contract.NewCommand(designchecks.Check, request, account, k.Now(), data)
	if err != nil {
		return "", err
	}
	if err := k.Send.Send(c.Context(), cmd); err != nil {
		return "", problem.Unavailable(err)
	}
	var op contract.Operation
	found, _ := waiter.AwaitNext(c.Context(), time.Until(until), func(ctx context.Context) (known bool, err error) {
		op, known, err = outcome.Read[contract.Operation](ctx, k.Docs, string(contract.OperationAggregate), request)
		return known && err == nil, nil // a store that fails may be back before the timeout ends
	})
	switch {
	case !found:
		return "", nil
	case op.Refusal != nil:
		p := problem.NewFromRefusal(op.Refusal)
		p.Refusal.ReportURL = k.RefusalURL(c.Context(), request, op.Refusal)
		return "", p
	case op.Aggregate != contract.DesignCheckAggregate:
		return "", fmt.Errorf("design check ended with %s", op.Aggregate)
	}
	c.About = append(c.About, zap.String("check", op.ID))
	return op.ID, nil
}

// running reports whether there is more to come. One whose files went is begun
// anew by who asks again.
func running(check *designchecks.DesignCheck) bool {
	return check.Status == designchecks.Running || check.Status == designchecks.Gone
}

// await waits until there is a check to show, and then for its end as long as
// the client does; nil when there is none in time.
func (k *Checks) await(ctx context.Context, id string, most, timeout time.Duration) (check *designchecks.DesignCheck) {
	w := k.Waiters.Join(wait.Subject{Of: contract.DesignCheckAggregate, ID: id})
	defer w.Leave()
	_, _ = w.Await(ctx, most, func(ctx context.Context) (bool, error) {
		now, found, err := outcome.Read[designchecks.DesignCheck](ctx, k.Docs, string(contract.DesignCheckAggregate), id)
		if err != nil || !found {
			return false, nil
		}
		check = &now
		return !running(check) || timeout == 0, nil
	})
	return check
}

// answer replies with the report as far as there is one.
func (k *Checks) answer(c *web.Call, in input, up uploads.Brief, check *designchecks.DesignCheck, parts *assemblies.Assembly) error {
	if check == nil {
		check = &designchecks.DesignCheck{Status: designchecks.Running, StartedAt: k.Now()}
	}
	base, err := k.address(c.Context(), check.ID, up.Ref, up.ExpiresAt)
	if err != nil {
		return err
	}
	if check.Refusal != nil {
		p := problem.NewFromRefusal(check.Refusal)
		p.Refusal.ReportURL = reportOf(*check, base).ReportURL
		return p
	}
	r := k.report(in, base, check)
	if in.boards > 0 {
		r.parts(parts)
	}
	if r.RetryAfterS > 0 {
		c.Set("Retry-After", strconv.Itoa(r.RetryAfterS))
	}
	return c.JSONSetApart(http.StatusOK, r)
}
