package edge

import (
	"net/http"
	"time"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/web"
)

// checked is the reply of GET /auth/check.
type checked struct {
	OK      bool                    `json:"ok"`
	Account checkedAccount          `json:"account"`
	Key     checkedKey              `json:"key"`
	Limits  map[string]checkedLimit `json:"limits"`
}

type checkedAccount struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type checkedKey struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	Prefix    string     `json:"prefix"`
	Scopes    []string   `json:"scopes"`
	ExpiresAt *time.Time `json:"expires_at"`
	Livemode  bool       `json:"livemode"`
}

type checkedLimit struct {
	Quota   int `json:"quota"`
	WindowS int `json:"window_s"`
}

// check answers GET /auth/check: whom the key belongs to.
func (e *Edge) check(c *web.Call) error {
	k := c.Caller.Key
	reply := checked{
		OK: true, Account: checkedAccount{contract.AccountOf(c.Caller.Account), c.Caller.Name},
		Key:    checkedKey{k.ID, k.Name, k.Prefix, k.Scopes, k.ExpiresAt, k.Live},
		Limits: map[string]checkedLimit{},
	}
	if reply.Key.Scopes == nil {
		reply.Key.Scopes = []string{}
	}
	for _, p := range limit.Policies() {
		p = e.quotaOf(c, p)
		reply.Limits[p.Name] = checkedLimit{p.Quota, int(p.Window / time.Second)}
	}
	return c.JSON(http.StatusOK, reply)
}
