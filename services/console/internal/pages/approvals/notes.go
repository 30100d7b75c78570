package approvals

import (
	"net/http"
	"strings"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	casescontract "boardorder/pkg/contract/cases"
	customerscontract "boardorder/pkg/contract/customers"
	"boardorder/services/console/internal/cases"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/states"
)

// AddNote writes down what colleagues should know about a quote, an order, a formal order
// or a customer. The trail has who wrote it and a digest, and not the words: those can be
// erased.
func (s *Section) AddNote(c *page.Call) error {
	of, err := s.notable(c)
	if err != nil {
		return err
	}
	if !c.Can(operator.SeeCustomers) {
		return page.Problem{Status: http.StatusForbidden, Message: "Your roles do not let you " + string(operator.SeeCustomers) + "."}
	}
	text := strings.TrimSpace(untrusted.Block(c.R.PostFormValue("text"), casescontract.MaxNoteText+1))
	if text == "" {
		return page.Problem{Status: http.StatusUnprocessableEntity, Message: "A note has words."}
	}
	r := of.AuditRecord("wrote a note")
	r.After = map[string]string{"note": audits.DigestText(text)}
	data := casescontract.AddNoteData{Case: of.Ref, ITAR: of.ITAR, Person: of.Person, Operator: c.Session.Operator.Name, Text: text}
	return c.Finish(c.Command(r, casescontract.AddNote, c.R.PostFormValue("request"), of.Account, data), of.Path, "noted")
}

// notable reads what the note in the address is about: customers have notes, too.
func (s *Section) notable(c *page.Call) (cases.Subject, error) {
	one, err := states.Get[customerscontract.Customer](c.R.Context(), s.Docs, contract.CustomerAggregate, c.R.PathValue("ref"))
	if err != nil {
		return cases.Subject{}, err
	}
	if one == nil {
		return s.subject(c)
	}
	return cases.Subject{Ref: one.ID, Account: one.Account, Kind: "customer", Person: contract.PersonRef(one.Email), Path: "/customers/" + one.ID}, nil
}
