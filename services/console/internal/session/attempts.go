package session

import (
	"context"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/door"
	"boardorder/pkg/guess"
)

// How many attempts to sign in may fail within the window: from one network
// for one name, from one network, and for one name from anywhere. The last keeps
// many networks together from guessing. A device that has signed in before is
// counted by itself, so that no stranger can lock its operator out.
const (
	perPair    = 5
	perNetwork = 30
	perName    = 100
	perDevice  = 5
)

// Attempts counts attempts to sign in, for all consoles together.
type Attempts struct{ counter *guess.Counter }

// NewAttempts opens the bucket of attempts.
func NewAttempts(ctx context.Context, b *bus.Bus, now func() time.Time) (*Attempts, error) {
	bucket, err := b.Bucket(ctx, contract.ConsoleAttemptsBucket)
	return &Attempts{guess.New(bucket, contract.ConsoleAttemptWindow, now)}, err
}

// An Attempt is who tries to sign in as whom.
type Attempt struct {
	Address string
	Name    string // of an operator; "" = one that does not exist
	Device  string // that has signed in as this operator before; "" = none
}

func (a Attempt) bounds() []guess.Bound {
	if a.Device != "" {
		return []guess.Bound{{Subject: "device " + a.Device, Max: perDevice}}
	}
	network := door.NetworkName(a.Address)
	return []guess.Bound{
		{Subject: "network " + network, Max: perNetwork},
		{Subject: "pair " + network + " " + a.Name, Max: perPair},
		{Subject: "name " + a.Name, Max: perName},
	}
}

// Begin counts an attempt before its password is looked at. When wait is not 0
// it must not be looked at.
func (a *Attempts) Begin(ctx context.Context, at Attempt) (wait time.Duration, err error) {
	return a.counter.Begin(ctx, at.bounds()...)
}

// NoteSuccess takes an attempt back, and the failures before it from there.
func (a *Attempts) NoteSuccess(ctx context.Context, at Attempt) error {
	bounds := at.bounds()
	if at.Device != "" {
		return a.counter.Forget(ctx, bounds...)
	}
	if err := a.counter.Forget(ctx, bounds[1]); err != nil {
		return err
	}
	return a.counter.Undo(ctx, bounds[0], bounds[2])
}
