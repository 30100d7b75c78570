// Package ask sends operators' commands and waits for what becomes of them.
package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/projection"
)

const (
	// Timeout is how long an outcome is waited for.
	Timeout = 10 * time.Second
	// lookEvery is how often a waiter looks for itself: a lost wake-up call costs
	// no more than this.
	lookEvery = time.Second
)

// ErrSlow says that the command is stored, but nobody has carried it out yet.
var ErrSlow = errors.New("the command has not been carried out yet")

// A Broker takes commands, and tells when an aggregate has changed, as a bus does.
type Broker interface {
	Send(ctx context.Context, c contract.Command) error
	WatchChange(a contract.Aggregate, id string, do func(committed *contract.Event)) (stop func(), err error)
}

// Outcomes sends commands.
type Outcomes struct {
	Bus  Broker
	Docs projection.Store
	Now  func() time.Time
}

// NewRequest names one request. A form holds it, so that a form that is sent
// twice is one request.
func (d *Outcomes) NewRequest() string { return contract.NewID(contract.RequestPrefix, d.Now()) }

// Do sends a command and waits for its outcome: nil, a *contract.Refusal,
// ErrSlow, or why it could not be sent.
func (d *Outcomes) Do(ctx context.Context, name contract.CommandName, request, account string, data any) error {
	if !contract.ValidToken(request) {
		return contract.Refuse(contract.InvalidRequest, "This form is not complete. Please open the page again.")
	}
	c, err := contract.NewCommand(name, request, account, d.Now(), data)
	if err != nil {
		return err
	}
	return d.await(ctx, request, func() error { return d.Bus.Send(ctx, c) })
}

// Wait waits for the outcome of a request that somebody else sends.
func (d *Outcomes) Wait(ctx context.Context, request string) error {
	return d.await(ctx, request, func() error { return nil })
}

// await waits for the outcome of what send begins. It listens before that.
func (d *Outcomes) await(ctx context.Context, request string, send func() error) error {
	woken := make(chan struct{}, 1)
	stop, err := d.Bus.WatchChange(contract.OperationAggregate, request, func(*contract.Event) {
		select {
		case woken <- struct{}{}:
		default:
		}
	})
	if err == nil { // without it the outcome is looked for from time to time
		defer stop()
	}
	if err := send(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		done, err := d.Outcome(ctx, request)
		if done || err != nil && ctx.Err() == nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ErrSlow
		case <-woken:
		case <-tick.C:
		}
	}
}

// Outcome reports whether a request has ended, and with what refusal.
func (d *Outcomes) Outcome(ctx context.Context, request string) (done bool, err error) {
	doc, err := d.Docs.Get(ctx, string(contract.OperationAggregate), request)
	if errors.Is(err, projection.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("outcome of %s: %w", request, err)
	}
	var op contract.Operation
	if err := json.Unmarshal(doc.Body, &op); err != nil {
		return false, fmt.Errorf("outcome of %s: %w", request, err)
	}
	if op.Refusal != nil {
		return true, op.Refusal
	}
	return true, nil
}
