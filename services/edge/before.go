package edge

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/door"
	"boardorder/pkg/failedrequests"
	"boardorder/services/edge/internal/auth"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/upload"
	"boardorder/services/edge/internal/web"

	"go.uber.org/zap"
)

// admit runs before each route: it finds out who calls, then counts the call.
// Of the body nothing has been read by then; afterwards it is looked whether a
// design is declared ITAR-controlled, which counts whatever else is wrong.
func (e *Edge) admit(c *web.Call) error {
	if name, key, found := auth.KeyInQuery(string(c.Fiber.Request().URI().QueryString())); found && (key != "" || !c.Route.Page) {
		e.flag(c, key)
		return keyInQuery(c, name)
	}
	if c.Route.Access == web.ByKey {
		if err := e.identify(c); err != nil {
			return err
		}
		if !c.Caller.May(c.Route.Scope) {
			return e.refuseUnlessDeclared(c, problem.New(contract.Forbidden, "This API key lacks the scope %q.", c.Route.Scope))
		}
	}
	if err := e.enter(c); err != nil {
		return e.refuseUnlessDeclared(c, err)
	}
	if err := e.count(c); err != nil {
		return e.refuseUnlessDeclared(c, err)
	}
	return e.checkDeclaration(c)
}

// enter bounds how many requests of a caller run at once: whoever
// waits holds one.
func (e *Edge) enter(c *web.Call) error {
	if c.Route.Carries {
		return nil
	}
	who, most := c.Caller.Key.ID, limit.InHand.ApplyLimits(c.Caller.Limits)
	if c.Route.Access != web.ByKey {
		who, most = e.network(c), limit.NetworkInHand
	}
	leave, ok := e.places.Enter(who, most.Max)
	if !ok {
		return upload.Busy("%d requests of yours are being answered at once, which is as many as may be.", most.Max)
	}
	c.Defer(leave)
	return nil
}

// network names where a call comes from, for limits and counts.
func (e *Edge) network(c *web.Call) string {
	return contract.DeriveID("network", e.place(c))
}

// place names where a call comes from, for people: an address, or the network that one of IPv6 is in.
func (e *Edge) place(c *web.Call) string { return door.NetworkName(e.server.Address(c)) }

func (e *Edge) callerNetwork(c *web.Call) (string, error) { return e.network(c), nil }

// checkDeclaration refuses a design that is declared ITAR-controlled beside the body,
// or in one that cannot be read. Of the body only what names uploads is looked at.
func (e *Edge) checkDeclaration(c *web.Call) error {
	if c.Route.Page {
		return nil
	}
	if c.Route.Declares {
		return design.Unclear(c)
	}
	text := c.Route.Access == web.ByKey && design.HasText(c)
	switch {
	case design.DeclaresBeside(c), text && design.DeclaresInText(c):
		return e.refuseDeclared(c)
	case text && design.DeclaresInBody(c):
		return nil // for who handles the call
	}
	if err := design.Unclear(c); err != nil {
		return err
	}
	return c.RefuseRepeated() // a declaration counts whatever else is wrong
}

// refuseUnlessDeclared is the refusal of a call that comes too often, or with a key
// that may not make it, unless it declares. Only so many of one key are looked at so at once.
func (e *Edge) refuseUnlessDeclared(c *web.Call, refused error) error {
	if c.Route.Page || c.Route.Access != web.ByKey {
		return refused
	}
	leave, ok := e.places.Enter("declaring-"+c.Caller.Key.ID, limit.Declaring.Max)
	if !ok {
		return refused
	}
	defer leave()
	if design.DeclaresBeside(c) || design.HasText(c) && design.DeclaresInBody(c) {
		return e.refuseDeclared(c)
	}
	return refused
}

// refuseDeclared refuses a declaration, and has the uploads marked that the call is about.
func (e *Edge) refuseDeclared(c *web.Call) error {
	var more []string
	if c.Route.About != nil {
		var err error
		if more, err = c.Route.About(c); err != nil {
			return err
		}
	}
	return e.designs().RefuseITAR(c, more...)
}

func (e *Edge) designs() design.Designs {
	return design.Designs{Client: e.client}
}

// recheckKey gives what says, while a call goes on, whether its key is still good.
func (e *Edge) recheckKey(c *web.Call) func(context.Context) error {
	from := e.server.Address(c)
	text, err := auth.KeyIn(c.Header("X-API-Key"), c.Header("Authorization"))
	return func(ctx context.Context) error {
		if err != nil {
			return err
		}
		_, err := e.keys.Check(ctx, text, from)
		return err
	}
}

func (e *Edge) identify(c *web.Call) error {
	from := e.server.Address(c)
	text, err := auth.KeyIn(c.Header("X-API-Key"), c.Header("Authorization"))
	switch {
	case errors.Is(err, auth.ErrTwoKeys):
		return twoKeys(c)
	case err != nil:
		err = e.keys.Fail(from)
	default:
		c.Caller, err = e.keys.Check(c.Context(), text, from)
	}
	if elsewhere, ok := errors.AsType[*auth.ElsewhereError](err); ok {
		e.noteElsewhere(c, from, elsewhere)
	}
	if errors.Is(err, auth.ErrUnauthorized) {
		err = e.suspect(c)
	}
	switch {
	case errors.Is(err, auth.ErrUnauthorized):
		p := problem.New(contract.Unauthorized, "A valid API key is needed, in the header X-API-Key or as Authorization: Bearer.")
		return p.SetHeader("WWW-Authenticate", c.Route.Challenge)
	case errors.Is(err, auth.ErrGuessing):
		p := problem.New(contract.RateLimited, "Too many requests without a valid API key came from this address.")
		p.Refusal.RetryAfterS = 60
		return p
	case err != nil:
		return problem.Unavailable(err)
	}
	c.Keep()
	e.touch.Use(c.Caller.Key.ID)
	return nil
}

// suspect counts a request without a usable key for its network, together with
// all replicas. While they cannot be reached each edge counts by itself.
func (e *Edge) suspect(c *web.Call) error {
	state, err := e.limiter.Take(c.Context(), limit.BadKeys, e.network(c))
	if err == nil && !state.Allowed {
		return auth.ErrGuessing
	}
	return auth.ErrUnauthorized
}

// flag notes a good key that was sent in an address: it must be replaced.
func (e *Edge) flag(c *web.Call, text string) {
	if text == "" {
		return
	}
	caller, err := e.keys.Check(c.Context(), text, e.server.Address(c))
	account, key := caller.Account, caller.Key.ID
	if elsewhere, ok := errors.AsType[*auth.ElsewhereError](err); ok {
		account, key, err = elsewhere.Account, elsewhere.Key, nil
	}
	if err != nil {
		return
	}
	first, err := e.flags.Raise(c.Context(), key)
	if first || err != nil {
		c.Log().Warn("key sent in an address", zap.String("account", account), zap.String("key", key), zap.Error(err))
	}
}

// keyInQuery refuses a key in the address: it ends up in logs and histories.
func keyInQuery(c *web.Call, name string) error {
	const message = "An API key never belongs in the address. Send it in the header X-API-Key, and replace the key that was sent."
	if c.Route.Detail {
		return &problem.Problem{Status: http.StatusBadRequest, Detail: []problem.Detail{{Loc: []any{"query", name}, Msg: message, Type: "extra_forbidden"}}}
	}
	p := problem.New(contract.InvalidRequest, message).Answering(http.StatusBadRequest)
	p.Refusal.Fields = []contract.FieldProblem{{Field: name, Problem: "not_allowed", Message: message}}
	return p
}

func twoKeys(c *web.Call) error {
	const message = "X-API-Key and Authorization carry different keys. Send one."
	if c.Route.Detail {
		return &problem.Problem{Status: http.StatusUnprocessableEntity, Detail: []problem.Detail{{Loc: []any{"header", "Authorization"}, Msg: message, Type: "value_error"}}}
	}
	return problem.Fields([]contract.FieldProblem{{Field: "Authorization", Problem: "conflict", Message: message}})
}

// count takes a token of the route's quota. When what is left of an hour or a day
// cannot be found out, the request is refused.
func (e *Edge) count(c *web.Call) error {
	policy, who := c.Route.Limit, c.Caller.Key.ID
	switch {
	case policy == nil && c.Route.Access != web.ByKey:
		return nil
	case policy == nil:
		policy = &limit.Requests
	}
	if c.Route.LimitBy != nil {
		var err error
		if who, err = c.Route.LimitBy(c); err != nil {
			return err
		}
	}
	state, err := e.limiter.Take(c.Context(), e.quotaOf(c, *policy), who)
	if err != nil {
		return problem.Unavailable(err)
	}
	c.DeferGiveBack(state.Policy.Window, func() { e.limiter.GiveBack(state, who) })
	showLimits(c, state)
	if state.Allowed {
		return e.countDay(c, state)
	}
	return e.refuseByQuota(state, "The quota %q of %d in %s is used up; there is more from %s on.", state.Policy.Name, state.Policy.Quota, state.Policy.Span())
}

// refuseByQuota refuses a request by a quota that is used up; the last of what it says is when
// there is more.
func (e *Edge) refuseByQuota(state limit.State, format string, args ...any) error {
	again, to, shape := e.deps.Now().Add(state.Retry).UTC(), time.Second, "15:04:05 UTC"
	if state.Policy.Window > time.Hour {
		to, shape = time.Minute, "2006-01-02 15:04 UTC"
	}
	p := problem.New(contract.RateLimited, format, append(args, again.Truncate(to).Add(to).Format(shape))...)
	p.Refusal.RetryAfterS = state.RetryAfter()
	return p
}

// countDay takes a token of what the caller's account may have in a day.
func (e *Edge) countDay(c *web.Call, first limit.State) error {
	if c.Route.Daily == nil {
		return nil
	}
	state, err := e.limiter.Take(c.Context(), e.quotaOf(c, *c.Route.Daily), limit.OwnerName(c.Caller.Account))
	if err != nil {
		return problem.Unavailable(err)
	}
	c.DeferGiveBack(state.Policy.Window, func() { e.limiter.GiveBack(state, limit.OwnerName(c.Caller.Account)) })
	showLimits(c, first, state)
	return e.checkQuota(state)
}

// refund gives back what a call took that was refused, where its route says so. What became of one
// that failed on our side is not known, so that one counts.
func (e *Edge) refund(c *web.Call, failure *problem.Problem) {
	e.noteFailure(c, failure)
	if failure == nil {
		e.refundRepetition(c)
		return
	}
	if c.Route.Refund == nil || !c.HasTokens() || failure.Status >= http.StatusInternalServerError || failure.Status == http.StatusTooManyRequests {
		return
	}
	state, err := e.limiter.Take(c.Context(), e.quotaOf(c, *c.Route.Refund), limit.OwnerName(c.Caller.Account))
	if err == nil && state.Allowed {
		c.Refund()
	}
}

// refundRepetition gives back what a call took of quotas of a day that was answered with what came of
// an earlier one: a request that its client names counts once. How often it comes in a minute or an
// hour counts all the same, and where its own quota is one of a day, as requests do.
func (e *Edge) refundRepetition(c *web.Call) {
	if own := c.Route.Limit; own != nil && own.Window >= limit.Day {
		if state, err := e.limiter.Take(c.Context(), e.quotaOf(c, limit.Requests), c.Caller.Key.ID); err != nil || !state.Allowed {
			return
		}
	}
	c.RefundFrom(limit.Day)
}

// countAssembled takes a token for a quote of an assembled board.
func (e *Edge) countAssembled(c *web.Call) error {
	return e.countOwner(c, limit.AssembliesDay)
}

// countTable takes as many tokens as the quotes that a price table stands for.
func (e *Edge) countTable(c *web.Call, n int, assembled bool) error {
	if err := e.countMany(c, limit.QuotesDay, n); err != nil || !assembled {
		return err
	}
	return e.countMany(c, limit.AssembliesDay, n)
}

// countOwner takes a token of a policy that counts for all of the caller's account.
func (e *Edge) countOwner(c *web.Call, policy limit.Policy) error { return e.countMany(c, policy, 1) }

func (e *Edge) countMany(c *web.Call, policy limit.Policy, n int) error {
	who := limit.OwnerName(c.Caller.Account)
	state, err := e.limiter.TakeMany(c.Context(), e.quotaOf(c, policy), who, n)
	if err != nil {
		return problem.Unavailable(err)
	}
	c.DeferGiveBack(policy.Window, func() {
		for range n {
			e.limiter.GiveBack(state, who)
		}
	})
	return e.checkQuota(state)
}

// checkQuota refuses where the quota of a day is used up, and says until when.
func (e *Edge) checkQuota(state limit.State) error {
	if state.Allowed {
		return nil
	}
	return e.refuseByQuota(state, "The account's quota %q of %d in 24 hours is used up; there is more from %s on.", state.Policy.Name, state.Policy.Quota)
}

// quotaOf is a policy for a caller: as the account has it, or as the edge is configured.
func (e *Edge) quotaOf(c *web.Call, p limit.Policy) limit.Policy {
	return p.ApplyLimits(e.cfg.DailyQuotas).ApplyLimits(c.Caller.Limits).OwnerPolicy(c.Caller.Account)
}

func showLimits(c *web.Call, states ...limit.State) {
	var policies, left []string
	for _, s := range states {
		policies, left = append(policies, s.Policy.Header()), append(left, s.Header())
	}
	c.Set("RateLimit-Policy", strings.Join(policies, ", "))
	c.Set("RateLimit", strings.Join(left, ", "))
}

// noteFailure has a call that failed stand in its account's list. Of one that is about export-controlled
// designs, or may be, nothing does.
func (e *Edge) noteFailure(c *web.Call, failure *problem.Problem) {
	if failure == nil || c.Caller.Account == "" || c.Route.Declares {
		return
	}
	e.failed.Note(c.Caller.Account, failedrequests.Entry{
		At: e.deps.Now().UTC().Truncate(time.Millisecond), Request: c.ID, Key: c.Caller.Key.ID, Millis: c.Took().Milliseconds(),
		Kind: failedrequests.Kind{Method: c.Route.Method, Route: c.Route.Path, Status: failure.Status, Code: failure.Refusal.Code},
	})
}
