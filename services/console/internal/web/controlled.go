package web

import (
	"encoding/json"
	"fmt"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/registry"
	"boardorder/services/console/internal/operator"

	"github.com/tidwall/gjson"
)

// What is export-controlled is there for US persons only. For others it does not
// exist, wherever they look: an answer about it is that of something unknown.

// mayOpen reports whether the operator may see a formal order at all.
func (c *call) mayOpen(o *formal.Order) bool {
	return !o.ITAR || c.can(operator.SeeControlled)
}

// hides reports whether what has such marks is not shown.
func (c *call) hides(m contract.Marks) bool {
	return m.IsControlled() && !c.can(operator.SeeControlled)
}

// hidesFormal reports whether a key is that of a formal order that is not shown.
// Cases of formal orders have the same key.
func (c *call) hidesFormal(key string) (bool, error) {
	if c.can(operator.SeeControlled) || !contract.ValidToken(key) {
		return false, nil
	}
	if hidden, known := c.hidden[key]; known {
		return hidden, nil
	}
	o, err := get[formal.Order](c.r.Context(), c.s.Docs, contract.CentralAggregate, key)
	if err != nil {
		return true, err
	}
	if c.hidden == nil {
		c.hidden = map[string]bool{}
	}
	c.hidden[key] = o != nil && o.ITAR
	return c.hidden[key], nil
}

// hidesLetter reports whether a dead letter is about something that is not shown:
// its marks say so, or the formal order that it names was declared afterwards.
func (c *call) hidesLetter(l bus.DeadLetter) (bool, error) {
	if c.hides(l.Marks) || c.hides(registry.MarksOf(l.Command)) {
		return true, nil
	}
	return c.hidesAny(l.Data, "order", "about", "case", "state.key")
}

// hidesAny reports whether one of the members of an object names a formal order
// that is not shown.
func (c *call) hidesAny(body []byte, members ...string) (bool, error) {
	for _, member := range members {
		if hidden, err := c.hidesFormal(gjson.GetBytes(body, member).Str); hidden || err != nil {
			return true, err
		}
	}
	return false, nil
}

// hidesEvent reports whether an event with its body is not shown.
func (c *call) hidesEvent(e contract.Event) (bool, error) {
	if c.hides(e.Marks) {
		return true, nil
	}
	if e.Aggregate == contract.AuditAggregate {
		var r audits.Record
		if err := json.Unmarshal([]byte(gjson.GetBytes(e.Data, "state.record").Raw), &r); err != nil {
			return true, fmt.Errorf("decode audit event %s: %w", e.ID, err)
		}
		return c.hidesEntry(r)
	}
	if hidden, err := c.hidesFormal(e.AggregateID); hidden || err != nil {
		return true, err
	}
	return c.hidesAny(e.Data, "state.id", "state.ref", "state.order")
}

// hidesEntry reports whether an entry of the audit trail is about something that
// is not shown.
func (c *call) hidesEntry(r audits.Record) (bool, error) {
	if r.Controlled {
		return !c.can(operator.SeeControlled), nil
	}
	return c.hidesFormal(r.ID)
}
