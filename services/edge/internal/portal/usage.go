package portal

import (
	"net/http"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/problem"
)

type usageView struct {
	frame
	Days []dayUse
	Keys []keyUse
}

// dayUse is what an account took of a quota of a day, in each mode.
type dayUse struct{ Live, Test use }

// keyUse is what a key took of its own quotas.
type keyUse struct {
	accounts.APIKey
	Of []use
}

// use is how much of a quota was taken within its window.
type use struct {
	limit.Policy
	Taken int
}

// maxUsedKeys bounds of how many keys it is looked up, the newest.
const maxUsedKeys = 20

// usage answers GET /portal/usage: what the limits have counted.
func (p *Portal) usage(c *call) error {
	v := usageView{frame: p.frame("Usage", c)}
	test := contract.TestOwner(c.account.ID)
	for _, policy := range limit.Daily() {
		live, err := p.use(c, p.Quota(c.account, policy), limit.OwnerName(c.account.ID))
		if err != nil {
			return err
		}
		tests, err := p.use(c, p.Quota(c.account, policy).OwnerPolicy(test), limit.OwnerName(test))
		if err != nil {
			return err
		}
		v.Days = append(v.Days, dayUse{live, tests})
	}
	for i := len(c.account.Keys) - 1; i >= 0 && len(v.Keys) < maxUsedKeys; i-- {
		key := c.account.Keys[i]
		if !key.Usable(p.Now()) {
			continue
		}
		row := keyUse{APIKey: key}
		for _, policy := range limit.KeyPolicies() {
			one, err := p.use(c, p.Quota(c.account, policy), key.ID)
			if err != nil {
				return err
			}
			row.Of = append(row.Of, one)
		}
		v.Keys = append(v.Keys, row)
	}
	return p.show(c.Call, http.StatusOK, "usage", v)
}

func (p *Portal) use(c *call, policy limit.Policy, caller string) (use, error) {
	state, err := p.Limiter.Look(c.Context(), policy, caller)
	if err != nil {
		return use{}, problem.Unavailable(err)
	}
	return use{policy, policy.Quota - state.Remaining}, nil
}
