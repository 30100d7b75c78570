// Package view says which documents an event makes: pure, so that live
// projecting, rebuilding and checking cannot differ.
package view

import (
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/figures"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/contract/search"
	"boardorder/pkg/projection"

	"github.com/tidwall/gjson"
)

// Documents gives what event e leads to: the aggregate's state, the outcome of
// the request that it completes, and what is looked up by another key.
func Documents(e contract.Event) ([]projection.Document, error) {
	state := contract.StateOf(e.Data)
	if state == nil {
		return nil, fmt.Errorf("decode %s %s version %d: no state", e.Aggregate, e.AggregateID, e.Version)
	}
	docs, err := states(e, state)
	if err != nil {
		return nil, err
	}
	gone, err := erasureDocuments(e, state)
	if err != nil {
		return nil, err
	}
	docs = append(docs, gone...)
	if e.Operation != "" && e.Aggregate != contract.OperationAggregate {
		op, err := operation(e, state)
		if err != nil {
			return nil, err
		}
		docs = append(docs, op)
	}
	return docs, nil
}

// erasureDocuments takes the place of what went with an erasure: the outcomes of requests
// and, where no state is left, the aggregate. These documents have left already.
func erasureDocuments(e contract.Event, state json.RawMessage) ([]projection.Document, error) {
	requests, err := contract.RequestsErasedBy(e)
	if err != nil {
		return nil, err
	}
	var docs []projection.Document
	gone := func(kind contract.Aggregate, id string, version uint64) {
		docs = append(docs, projection.Document{Kind: string(kind), ID: id, Seq: version, At: e.At, Until: e.At, Body: json.RawMessage(`{}`)})
	}
	if e.Name == contract.Erased && string(state) == "null" {
		gone(e.Aggregate, e.AggregateID, e.Version)
	}
	for _, request := range requests {
		if e.Aggregate != contract.OperationAggregate {
			gone(contract.OperationAggregate, request, outcomeErased)
		}
	}
	return docs, nil
}

// outcomeErased is the version of an outcome's document after its first, which
// is the only other one.
const outcomeErased = 2

// expiry is when a document leaves: with the last event of such an aggregate, so
// that a rebuild makes what was there.
func expiry(e contract.Event, a contract.Aggregate) time.Time {
	keep := registry.RetentionOf(a)
	if keep == 0 || e.StoredAt.IsZero() {
		return time.Time{}
	}
	return e.StoredAt.Add(keep)
}

// states are the documents of the aggregate itself; there are none while it was
// only asked for in vain.
func states(e contract.Event, state json.RawMessage) ([]projection.Document, error) {
	if string(state) == "null" {
		return nil, nil
	}
	state, err := contract.Upgrade(e.Aggregate, e.Format, state)
	if err != nil {
		return nil, fmt.Errorf("upgrade %s %s version %d: %w", e.Aggregate, e.AggregateID, e.Version, err)
	}
	keys, at := index(e, state)
	docs := []projection.Document{{
		Kind: string(e.Aggregate), ID: e.AggregateID, Seq: e.Version, Keys: keys, At: at, Until: expiry(e, e.Aggregate), Body: state,
		Terms: search.Terms(e.Aggregate, e.AggregateID, state),
	}}
	var more []projection.Document
	switch e.Aggregate {
	case contract.AccountAggregate:
		more, err = lookups(e, state)
	case contract.AuditAggregate:
		more, err = auditEntry(state)
	}
	return append(docs, more...), err
}

// auditEntry is one entry of the trail: it never changes, so it is the first
// version and the last. What was done to an API key is for its partner to read.
func auditEntry(state json.RawMessage) ([]projection.Document, error) {
	var e audits.Entry
	if err := json.Unmarshal(state, &e); err != nil {
		return nil, fmt.Errorf("decode audit entry: %w", err)
	}
	r, err := e.Read()
	if err != nil {
		return nil, err
	}
	keys := map[string]string{"operator": r.Operator, "action": r.Action, "account": r.Account, "about": r.ID}
	if r.Key != "" {
		keys["partner"] = r.Account
	}
	return []projection.Document{{Kind: audits.DocumentKind, ID: audits.DocumentID(e.N), Seq: 1, Keys: keys, At: r.At, Body: state}}, nil
}

// operation makes the same document of an outcome that came with a change, or
// with a refusal, as a bare outcome has. A request has one outcome, so it is the
// first version and the last.
func operation(e contract.Event, state json.RawMessage) (projection.Document, error) {
	op, _, err := contract.OutcomeOf(e)
	if err != nil {
		return projection.Document{}, err
	}
	body, err := json.Marshal(op)
	if err != nil {
		return projection.Document{}, err
	}
	terms := search.Terms(contract.OperationAggregate, e.Operation, body)
	if isFoundByState(e, state) {
		terms = nil
	}
	return projection.Document{
		Kind: string(contract.OperationAggregate), ID: e.Operation, Seq: 1, At: e.At, Until: expiry(e, contract.OperationAggregate), Body: body,
		Terms: terms,
	}, nil
}

// isFoundByState tells whether a request is a term of what it led to, as every
// priced quote's is: then the outcome needs no term of its own.
func isFoundByState(e contract.Event, state json.RawMessage) bool {
	return e.Aggregate == contract.QuoteAggregate && e.Name != contract.RequestRefused &&
		gjson.GetBytes(state, "request_id").Str == e.Operation
}

// lookups are what an account is found by: its keys, and the addresses of its members.
func lookups(e contract.Event, state json.RawMessage) ([]projection.Document, error) {
	var a accounts.Account
	if err := json.Unmarshal(state, &a); err != nil {
		return nil, fmt.Errorf("decode account %s: %w", e.AggregateID, err)
	}
	docs := make([]projection.Document, 0, len(a.Keys))
	for _, k := range a.Keys {
		body, err := json.Marshal(accounts.KeyDocument{Account: a.ID, Name: a.Name, Limits: a.Limits, SeesOffers: a.SeesOffers, Key: k})
		if err != nil {
			return nil, err
		}
		docs = append(docs, projection.Document{
			Kind: accounts.KeyDocumentKind, ID: k.ID, Seq: e.Version, At: k.CreatedAt, Body: body,
			Keys: map[string]string{"account": a.ID},
		})
	}
	for _, m := range a.Team() {
		body, err := json.Marshal(accounts.Membership{Account: a.ID, Member: m.ID})
		if err != nil {
			return nil, err
		}
		docs = append(docs, projection.Document{
			Kind: accounts.MembershipDocumentKind, ID: m.ID, Seq: e.Version, At: m.AddedAt, Body: body,
			Keys: map[string]string{accounts.MembershipKey: contract.PersonRef(m.Email)},
		})
	}
	return docs, nil
}

// listed are the fields of each aggregate that its documents are listed by,
// beside its account: field of the state → key.
var listed = map[contract.Aggregate]map[string]string{
	contract.DesignCheckAggregate: {"digest": "digest", "status": "status"},
	contract.QuoteAggregate:       {"digest": "digest", "status": "status"},
	contract.CheckoutAggregate:    {"status": "status", "session_id": "session"},
	contract.CaseAggregate:        {"assignee": "assignee", "waiting": "waiting"},
	contract.OrderAggregate:       {"status": "status", "id": "order_id", "ref": "order_ref", "money": "money"},
	contract.FormalAggregate:      {"status": "status", "id": "order_id", "ref": "order_ref"},
	contract.UploadAggregate:      {"status": "status", "digest": "digest"},
}

// statusKeys are the keys by which work is listed and counted: live and test apart.
var statusKeys = map[string]bool{"status": true, "money": true, "waiting": true}

// begun is where the states that have no created_at say when they began.
var begun = map[contract.Aggregate]string{
	contract.CheckoutAggregate: "started_at", contract.OrderAggregate: "paid_at", contract.BoardAggregate: "read_at",
	contract.DesignCheckAggregate: "started_at", contract.PartCheckAggregate: "started_at", contract.AssemblyAggregate: "started_at",
	contract.ConfirmationAggregate: "requested_at", contract.CustomerAggregate: "opened_at",
}

// index gives what a document is listed by, and its place in lists.
func index(e contract.Event, state []byte) (keys map[string]string, at time.Time) {
	keys, at = map[string]string{}, e.At
	field := begun[e.Aggregate]
	if field == "" {
		field = "created_at"
	}
	for name, v := range contract.Fields(state) {
		if name == field {
			if begun, err := time.Parse(time.RFC3339Nano, v.String()); err == nil && !begun.IsZero() {
				at = begun
			}
		}
		// Outcomes are asked for by request, never listed.
		if name == "account" && e.Aggregate != contract.OperationAggregate {
			keys["account"] = v.String()
		}
		if key := listed[e.Aggregate][name]; key != "" {
			keys[key] = v.String()
		}
	}
	if contract.IsTest(keys["account"]) {
		keys[contract.ModeKey] = contract.TestMode
	}
	for key := range keys {
		if statusKeys[key] {
			keys[key] = contract.ListWord(keys["account"], keys[key])
		}
	}
	if customer := customerOf(e.Aggregate, state); customer != "" {
		keys[customers.Key] = customer
	}
	maps.Copy(keys, figures.Keys(e.Aggregate, keys["account"], state))
	return keys, at
}

// customerOf is whose list of earlier orders a state belongs to: an order, and
// a quote that our team was asked for.
func customerOf(a contract.Aggregate, state []byte) string {
	email := ""
	switch a {
	case contract.OrderAggregate:
		email = "ship_to.email"
	case contract.QuoteAggregate:
		switch quotes.Status(gjson.GetBytes(state, "status").Str) {
		case quotes.SourcingRequested, quotes.SourcingQuoted:
			email = "delivery.ship_to.email"
		}
	}
	if email == "" {
		return ""
	}
	return customers.Ref(gjson.GetBytes(state, "account").Str, gjson.GetBytes(state, email).Str)
}
