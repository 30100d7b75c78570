package approvals

import (
	"net/http"
	"slices"

	"boardorder/pkg/contract"
	casescontract "boardorder/pkg/contract/cases"
	formalcontract "boardorder/pkg/contract/formal"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/cases"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/pages/formal"
	"boardorder/services/console/internal/pages/quotes"
	"boardorder/services/console/internal/states"

	"go.uber.org/zap"
)

type approvalRow struct {
	casescontract.Approval
	Ref, Account, Age string
}

type approvalsView struct {
	page.Frame
	Rows []approvalRow
	Next string
}

// List lists what waits for a second operator, newest first.
func (s *Section) List(c *page.Call) error {
	v := approvalsView{Frame: c.Frame("approvals", "Approvals")}
	found, next, err := states.List[casescontract.Case](c.R.Context(), s.Docs, contract.CaseAggregate, "waiting", casescontract.Waits,
		projection.Page{Limit: states.PerPage, Cursor: c.R.URL.Query().Get("cursor")})
	if err != nil {
		return err
	}
	v.Next = next
	for _, one := range found {
		if c.Hides(one.Labels()) {
			continue
		}
		for _, a := range one.Open() {
			v.Rows = append(v.Rows, approvalRow{a, one.Ref, c.AccountName(one.Account), format.Wait(s.Now(), a.AskedAt)})
		}
	}
	return c.Show(templates, "approvals", v)
}

// subject reads what the case in the address is of.
func (s *Section) subject(c *page.Call) (cases.Subject, error) {
	ref := c.R.PathValue("ref")
	o, err := states.Get[formalcontract.Order](c.R.Context(), s.Docs, contract.FormalAggregate, ref)
	switch {
	case err != nil:
		return cases.Subject{}, err
	case o != nil && c.MayOpen(o):
		return formal.Subject(*o), nil
	}
	q, _, order, err := quotes.Read(c.R.Context(), s.Docs, ref)
	if err != nil {
		return cases.Subject{}, err
	}
	return quotes.SubjectOf(c, q, order), nil
}

// Take makes the operator the one who has it, or leaves it to the others.
func (s *Section) Take(c *page.Call) error {
	of, err := s.subject(c)
	if err != nil {
		return err
	}
	data := casescontract.TakeData{Case: of.Ref, Person: of.Person, ITAR: of.ITAR, Operator: c.Session.Operator.Name, Leave: c.R.PostFormValue("action") == "leave"}
	now, err := cases.Load(c.R.Context(), s.Docs, of.Ref)
	if err != nil {
		return err
	}
	after := data.Operator
	if data.Leave {
		after = ""
	}
	r := of.AuditRecord("took a case")
	r.Before, r.After = map[string]string{"assignee": now.Assignee()}, map[string]string{"assignee": after}
	err = c.Command(r, casescontract.Take, c.R.PostFormValue("request"), of.Account, data)
	return c.Finish(err, of.Path, "taken")
}

// Decide approves or declines what a colleague wants, and waits for what comes of it.
func (s *Section) Decide(c *page.Call) error {
	of, err := s.subject(c)
	if err != nil {
		return err
	}
	now, err := cases.Load(c.R.Context(), s.Docs, of.Ref)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(now.Pending, func(a casescontract.Approval) bool { return a.ID == c.R.PathValue("id") })
	if i < 0 {
		return page.Problem{Status: http.StatusConflict, Message: "This has already been decided or withdrawn."}
	}
	a, approve := now.Pending[i], c.R.PostFormValue("action") == "approve"
	if !c.Can(cases.Permission(a.Kind)) && (approve || a.AskedBy != c.Session.Operator.Name) {
		c.NoteRefusal("refused", zap.String("needs", string(cases.Permission(a.Kind))))
		return page.Problem{Status: http.StatusForbidden, Message: "Your roles do not let you " + string(cases.Permission(a.Kind)) + "."}
	}
	action, word := "declined to "+cases.Describe(a.Kind), "declined"
	if approve {
		// Two have to want it: who asked may have been removed since, or lost the role.
		if by, known := s.Book.Find(a.AskedBy); !known || !by.Can(cases.Permission(a.Kind)) {
			return page.Problem{Status: http.StatusConflict, Message: a.AskedBy + " may not " + string(cases.Permission(a.Kind)) + " any more, so what they asked for cannot be approved. Decline it, and ask for it yourself if it is right."}
		}
		action, word = "approved to "+cases.Describe(a.Kind), "approved"
	}
	r := of.AuditRecord(action)
	r.Before = map[string]string{"status": string(a.Status), "asked_by": a.AskedBy}
	r.After = map[string]string{"amount": format.Money(a.Cents, a.Currency), "decided_by": c.Session.Operator.Name}
	err = c.Command(r, casescontract.Decide, c.R.PostFormValue("request"), of.Account,
		casescontract.DecideData{Case: of.Ref, ITAR: of.ITAR, Approval: a.ID, Operator: c.Session.Operator.Name, Approve: approve})
	if err == nil && approve {
		err = s.Ask.Wait(c.R.Context(), contract.RequestPrefix+contract.DeriveID(a.ID, "carried out"))
	}
	return c.Finish(err, of.Path, word)
}
