package portal

import (
	"net/http"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// page counts a call, and shows on a page of its own what a handler cannot do.
func (p *Portal) page(quota limit.Policy, handle func(*web.Call) error) func(*web.Call) error {
	return func(c *web.Call) error {
		err := p.take(c, quota)
		if err == nil {
			err = handle(c)
		}
		if err == nil {
			return nil
		}
		failure := problem.Find(err)
		if failure.Status >= http.StatusInternalServerError {
			c.LogFailure(failure)
		}
		for name, value := range failure.Headers() {
			c.Set(name, value)
		}
		return p.show(c, failure.Status, "refused", struct {
			frame
			Why string
		}{p.frame("This did not work", nil), failure.Refusal.Message})
	}
}

// take counts a call of a network, or of a browser that has signed in before: others of its
// network take nothing of what that has.
func (p *Portal) take(c *web.Call, quota limit.Policy) error {
	who, err := p.Network(c)
	if err != nil {
		return err
	}
	if device, _ := p.readDevice(c); device != "" && quota == limit.SignInCodes {
		who = "device-" + device
	}
	state, err := p.Limiter.Take(c.Context(), quota, who)
	switch {
	case err != nil:
		return problem.Unavailable(err)
	case state.Allowed:
		return nil
	}
	r := problem.New(contract.RateLimited, "That was a lot of tries in a short time. Please wait %d minutes and try again.", state.RetryAfter()/60+1)
	r.Refusal.RetryAfterS = state.RetryAfter()
	return r
}
