package quotes

import (
	casescontract "boardorder/pkg/contract/cases"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/cases"
	"boardorder/services/console/internal/page"
)

// Take makes the operator the one who has a case, or leaves it to the others.
func Take(c *page.Call, docs projection.Store, of cases.Subject, leave bool, request string) error {
	data := casescontract.TakeData{Case: of.Ref, Person: of.Person, ITAR: of.ITAR, Operator: c.Session.Operator.Name, Leave: leave}
	now, err := cases.Load(c.R.Context(), docs, of.Ref)
	if err != nil {
		return err
	}
	after := data.Operator
	if data.Leave {
		after = ""
	}
	r := of.AuditRecord("took a case")
	r.Before, r.After = map[string]string{"assignee": now.Assignee()}, map[string]string{"assignee": after}
	return c.Command(r, casescontract.Take, request, of.Account, data)
}
