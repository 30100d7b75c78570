package shop

import (
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
		c.DeferGiveBack(func() { s.Limiter.GiveBack(state, who) })
	}
	if state.Allowed {
		return nil
	}
	again := s.Now().Add(state.Retry).UTC().Truncate(time.Minute).Add(time.Minute)
	p := problem.New(contract.RateLimited, "That was a lot in a short time from your network. Please come back after %s.", again.Format("2 January, 15:04 UTC"))
	p.Refusal.RetryAfterS = state.RetryAfter()
	return p
}

// admitUpload refuses files before anything of them is read: from robots, from other sites,
// and beyond what the house and a network may send.
func (s *Shop) admitUpload(c *web.Call) error {
	if err := c.RefuseForeign(s.origin); err != nil {
		return err
	}
	challenge, _ := c.Query("challenge")
	answer, _ := c.Query("answer")
	id, slow, err := s.challenges.check(challenge, answer)
	if err != nil {
		return err
	}
	if err := s.countNetwork(c, slow); err != nil {
		return err
	}
	if err := s.challenges.spend(c.Context(), id); err != nil {
		return err // before what all share is counted: sent again it takes nothing of that
	}
	if slow {
		if err := s.take(c, limit.ShopSlowDay, limit.OwnerName(s.Account)); err != nil {
			return err
		}
	}
	return s.CountOwner(c, limit.UploadsDay)
}

// countNetwork counts what a network sends; slow is what it did not work for.
func (s *Shop) countNetwork(c *web.Call, slow bool) error {
	if slow {
		if err := s.take(c, limit.ShopSlowUploads, s.Network(c)); err != nil {
			return err
		}
	}
	return s.take(c, limit.ShopUploads, s.Network(c))
}
