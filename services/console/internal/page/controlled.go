package page

import (
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/formal"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/states"

	"github.com/tidwall/gjson"
)

// What is export-controlled is there for US persons only. For others it does not
// exist, wherever they look: an answer about it is that of something unknown.

// MayOpen reports whether the operator may see a formal order at all.
func (c *Call) MayOpen(o *formal.Order) bool {
	return !o.ITAR || c.Can(operator.SeeControlled)
}

// Hides reports whether what has such labels is not shown.
func (c *Call) Hides(m contract.Labels) bool {
	return m.IsControlled() && !c.Can(operator.SeeControlled)
}

// HidesFormal reports whether a key is that of a formal order that is not shown.
// Cases of formal orders have the same key.
func (c *Call) HidesFormal(key string) (bool, error) {
	if c.Can(operator.SeeControlled) || !contract.ValidToken(key) {
		return false, nil
	}
	if hidden, known := c.hidden[key]; known {
		return hidden, nil
	}
	o, err := states.Get[formal.Order](c.R.Context(), c.site.Docs, contract.FormalAggregate, key)
	if err != nil {
		return true, err
	}
	if c.hidden == nil {
		c.hidden = map[string]bool{}
	}
	c.hidden[key] = o != nil && o.ITAR
	return c.hidden[key], nil
}

// HidesAny reports whether one of the members of an object names a formal order
// that is not shown.
func (c *Call) HidesAny(body []byte, members ...string) (bool, error) {
	for _, member := range members {
		if hidden, err := c.HidesFormal(gjson.GetBytes(body, member).Str); hidden || err != nil {
			return true, err
		}
	}
	return false, nil
}

// HidesEntry reports whether an entry of the audit trail is about something that
// is not shown.
func (c *Call) HidesEntry(r audits.Record) (bool, error) {
	if r.Controlled {
		return !c.Can(operator.SeeControlled), nil
	}
	return c.HidesFormal(r.ID)
}
