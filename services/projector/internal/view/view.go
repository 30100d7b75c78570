// Package view says which documents an event makes: pure, so that live
// projecting, rebuilding and checking cannot differ.
package view

import (
	"encoding/json"
	"fmt"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/projection"
)

// Documents gives what event e leads to: the aggregate's state, the outcome of
// the request that it completes, and what is looked up by another key.
func Documents(e contract.Event) ([]projection.Document, error) {
	var body struct {
		State json.RawMessage `json:"state"`
	}
	if err := json.Unmarshal(e.Data, &body); err != nil {
		return nil, fmt.Errorf("decode %s %s at %d: %w", e.Aggregate, e.AggregateID, e.Seq, err)
	}
	keys, at, err := index(e, body.State)
	if err != nil {
		return nil, fmt.Errorf("index %s %s at %d: %w", e.Aggregate, e.AggregateID, e.Seq, err)
	}
	docs := []projection.Document{{
		Kind: string(e.Aggregate), ID: e.AggregateID, Seq: e.Seq, Keys: keys, At: at, Body: body.State,
	}}
	if e.Operation != "" && e.Aggregate != contract.OperationAggregate {
		op, err := operation(e)
		if err != nil {
			return nil, err
		}
		docs = append(docs, op)
	}
	if e.Aggregate == contract.AccountAggregate {
		apiKeys, err := apiKeys(e, body.State)
		if err != nil {
			return nil, err
		}
		docs = append(docs, apiKeys...)
	}
	return docs, nil
}

// operation makes the same document of an outcome that came with a change as a
// bare outcome has.
func operation(e contract.Event) (projection.Document, error) {
	body, err := json.Marshal(contract.Operation{
		Request: e.Operation, Account: e.Account, Aggregate: e.Aggregate, ID: e.AggregateID, At: e.At,
	})
	return projection.Document{
		Kind: string(contract.OperationAggregate), ID: e.Operation, Seq: e.Seq, At: e.At, Body: body,
		Keys: map[string]string{"account": e.Account},
	}, err
}

func apiKeys(e contract.Event, state json.RawMessage) ([]projection.Document, error) {
	var a contract.Account
	if err := json.Unmarshal(state, &a); err != nil {
		return nil, fmt.Errorf("decode account %s: %w", e.AggregateID, err)
	}
	docs := make([]projection.Document, 0, len(a.Keys))
	for _, k := range a.Keys {
		body, err := json.Marshal(contract.KeyDocument{Account: a.ID, Name: a.Name, Limits: a.Limits, Key: k})
		if err != nil {
			return nil, err
		}
		docs = append(docs, projection.Document{
			Kind: contract.KeyDocumentKind, ID: k.ID, Seq: e.Seq, At: k.CreatedAt, Body: body,
			Keys: map[string]string{"account": a.ID},
		})
	}
	return docs, nil
}

// index gives what the documents of an aggregate are listed by, and their place in lists.
func index(e contract.Event, state json.RawMessage) (keys map[string]string, at time.Time, err error) {
	var s struct {
		CreatedAt time.Time `json:"created_at"`
		StartedAt time.Time `json:"started_at"`
		PaidAt    time.Time `json:"paid_at"`
		ReadAt    time.Time `json:"read_at"`
		Account   string    `json:"account"`
		Upload    string    `json:"upload"`
		Status    string    `json:"status"`
		ID        string    `json:"id"`
		Ref       string    `json:"ref"`
		Mode      string    `json:"mode"`
		SessionID string    `json:"session_id"`
		Digest    string    `json:"digest"`
	}
	if err := json.Unmarshal(state, &s); err != nil {
		return nil, at, err
	}
	keys = map[string]string{"account": s.Account}
	at = s.CreatedAt
	switch e.Aggregate {
	case contract.QuoteAggregate:
		keys["digest"], keys["upload"], keys["status"], keys["mode"] = s.Digest, s.Upload, s.Status, s.Mode
	case contract.CheckoutAggregate:
		keys["status"], keys["session"], at = s.Status, s.SessionID, s.StartedAt
	case contract.OrderAggregate:
		keys["status"], keys["order_id"], keys["order_ref"], at = s.Status, s.ID, s.Ref, s.PaidAt
	case contract.UploadAggregate:
		keys["status"], keys["digest"] = s.Status, s.Digest
	case contract.BoardAggregate:
		at = s.ReadAt
	}
	if at.IsZero() {
		at = e.At
	}
	return keys, at, nil
}
