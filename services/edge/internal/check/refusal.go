package check

import (
	"context"
	"net/http"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/phrase"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
	"boardorder/services/edge/internal/web"
)

const (
	// openWait is how long somebody who opens a report waits for a check that was not made
	// before; after that a page says that it is being made.
	openWait = 10 * time.Second

	waitPolicy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
)

var (
	waitTitle = phrase.Mark("The design check is running")
	// waitPage has its texts marked, as the report has.
	waitPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="5">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>` + waitTitle + `</title>
</head>
<body>
<h1>` + waitTitle + `</h1>
<p>` + phrase.Mark("This page shows the report as soon as it is there. A large board takes some minutes.") + `</p>
</body>
</html>
`
)

// RefusalURL is where the report of the design is that a request was refused for; "" where
// nothing was read, or it cannot be signed now: the refusal is worth more than the report.
// The check is made once somebody opens it.
func (k *Checks) RefusalURL(ctx context.Context, request string, r *contract.Refusal) string {
	if r.Report == nil {
		return ""
	}
	base, err := k.address(ctx, request, r.Report.Check.Upload, r.Report.Until)
	if err != nil {
		return ""
	}
	return base + "report.html"
}

// ReportURL has the caller's design checked as POST /v1/design-checks does with that body,
// unless it was, and gives the address of the page that shows the report as soon as there is one.
func (k *Checks) ReportURL(c *web.Call, body map[string]any) (string, error) {
	fields := jsonbody.NewFields(body)
	in := validate(fields)
	if p := fields.Problems(); len(p) > 0 {
		return "", problem.Fields(p)
	}
	up, err := k.designs().Usable(c.Context(), c.Caller.Account, in.data.Upload, openWait)
	if err != nil {
		return "", err
	}
	id, err := k.begin(c, c.Caller.Account, in.data, time.Now().Add(openWait))
	if err == nil && (id == "" || k.await(c.Context(), id, openWait, 0) == nil) {
		err = problem.New(contract.Unavailable, "The design check could not be begun yet. Please try again in a moment.")
	}
	if err != nil {
		return "", err
	}
	base, err := k.address(c.Context(), id, up.Ref, up.ExpiresAt)
	return base + "report.html", err
}

// operation reads how a request ended. Its client may know before the store does.
func (k *Checks) operation(ctx context.Context, request string) (op contract.Operation, err error) {
	w := k.Waiters.Join(wait.Request(request))
	defer w.Leave()
	_, err = w.Await(ctx, atOnce, func(ctx context.Context) (known bool, err error) {
		op, known, err = outcome.Read[contract.Operation](ctx, k.Docs, string(contract.OperationAggregate), request)
		return known, err
	})
	return op, err
}

// refusalCheck gives the check of a refused request, which is begun where there is none.
func (k *Checks) refusalCheck(c *web.Call, request string) (*designchecks.DesignCheck, error) {
	op, err := k.operation(c.Context(), request)
	if err != nil {
		return nil, err
	}
	if op.Refusal == nil || op.Refusal.Report == nil {
		return nil, expiryError()
	}
	subject := op.Refusal.Report
	check, found, err := outcome.Read[designchecks.DesignCheck](c.Context(), k.Docs, string(contract.DesignCheckAggregate), subject.ID)
	if err != nil {
		return nil, err
	}
	if found && check.Status != designchecks.Gone && !running(&check) {
		return &check, nil
	}
	until := time.Now().Add(openWait)
	id, err := k.begin(c, op.Account, subject.Check, until)
	switch {
	case err != nil && problem.Find(err).Status < http.StatusInternalServerError: // the files have gone
		return nil, expiryError()
	case err != nil:
		return nil, err
	case id == "":
		return &designchecks.DesignCheck{Status: designchecks.Running, StartedAt: k.Now()}, nil
	case id != subject.ID: // other files have arrived since
		return nil, expiryError()
	}
	if now := k.await(c.Context(), id, time.Until(until), openWait); now != nil {
		return now, nil
	}
	return &designchecks.DesignCheck{ID: id, Status: designchecks.Running, StartedAt: k.Now()}, nil
}
