package shop

import (
	"sync"
	"time"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// take takes a token of a policy, which the call gives back if it turns out to cost nothing.
func (s *Shop) take(c *web.Call, policy limit.Policy, who string) error {
	state, err := s.Limiter.Take(c.Context(), policy, who)
	if err != nil {
		return problem.Unavailable(err)
	}
	if policy != limit.Pages {
		c.DeferGiveBack(policy.Window, func() { s.Limiter.GiveBack(state, who) })
	}
	if state.Allowed {
		return nil
	}
	return s.refuseRate(state)
}

// refuseRate says until when nothing more is taken.
func (s *Shop) refuseRate(state limit.State) error {
	again := s.Now().Add(state.Retry).UTC().Truncate(time.Minute).Add(time.Minute)
	p := problem.New(contract.RateLimited, "That was a lot in a short time from your network. Please come back after %s.", again.Format("2 January, 15:04 UTC"))
	p.Refusal.RetryAfterS = state.RetryAfter()
	return p
}

// admitUpload refuses files before anything of them is read: from robots, from other sites,
// and beyond what the house and a network may send. giveBack is for files that turn out to be
// none: who sends without a script may send few in an hour, and mistakes are none of them.
func (s *Shop) admitUpload(c *web.Call) (giveBack func(), _ error) {
	giveBack = func() {}
	if err := c.RefuseForeign(s.origin); err != nil {
		return giveBack, err
	}
	challenge, _ := c.Query("challenge")
	answer, _ := c.Query("answer")
	id, slow, err := s.challenges.check(challenge, answer)
	if err != nil {
		return giveBack, err
	}
	if slow {
		if giveBack, err = s.takeSlow(c); err != nil {
			return giveBack, err
		}
	}
	if err := s.take(c, limit.ShopUploads, s.Network(c)); err != nil {
		return giveBack, err
	}
	if err := s.challenges.spend(c.Context(), id); err != nil {
		return giveBack, err // before what all share is counted: sent again it takes nothing of that
	}
	if slow {
		if err := s.take(c, limit.ShopSlowDay, limit.OwnerName(s.Account)); err != nil {
			return giveBack, err
		}
	}
	return giveBack, s.CountOwner(c, limit.UploadsDay)
}

// takeSlow counts what a network sends that it did not work for, and gives how to count it no
// longer.
func (s *Shop) takeSlow(c *web.Call) (giveBack func(), err error) {
	who := s.Network(c)
	state, err := s.Limiter.Take(c.Context(), limit.ShopSlowUploads, who)
	if err != nil {
		return func() {}, problem.Unavailable(err)
	}
	if !state.Allowed {
		return func() {}, s.refuseRate(state)
	}
	return sync.OnceFunc(func() { s.Limiter.GiveBack(state, who) }), nil
}
