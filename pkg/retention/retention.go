// Package retention records until when the files of a board are needed. It is
// the only ground on which they are ever deleted: not before that time has
// passed, by a decision on the board's own aggregate, which whoever needs them
// meanwhile changes first.
package retention

import (
	"context"
	"errors"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
)

// ErrGone says that the files are no longer kept: they have to be read anew,
// from an upload that holds them.
var ErrGone = errors.New("what was read of these files is no longer kept")

// unit is what the time is rounded up to: a board that many quotes need is
// written once a day, not once a quote.
const unit = 24 * time.Hour

// Need records that a board's files are needed until a time, unless that is on
// record. key says what for; it makes the step's id. ErrGone if they have gone.
func Need(ctx context.Context, log aggregate.Log, digest string, c contract.Command, key string, until, at time.Time) (boards.ReadFiles, error) {
	gone := false
	now, err := aggregate.At[boards.ReadFiles](log, contract.BoardAggregate, digest).Step(ctx, c, "need "+key, at,
		func(now aggregate.Snapshot[boards.ReadFiles]) (*aggregate.Change[boards.ReadFiles], error) {
			if gone = !now.State.IsRead(); gone || !now.State.NeededUntil.Before(until) {
				return nil, nil
			}
			state := now.State
			state.NeededUntil = until.Truncate(unit).Add(2 * unit)
			return &aggregate.Change[boards.ReadFiles]{Event: boards.EventNeeded, State: state}, nil
		})
	if err == nil && gone {
		err = ErrGone
	}
	return now.State, err
}
