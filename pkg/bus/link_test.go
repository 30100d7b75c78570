package bus

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"boardorder/pkg/flow"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Where nobody leads nothing was done; where no answer came it may have been. Both are
// asked for again, and an answer is not.
func TestErrorsThatAreAskedAgain(t *testing.T) {
	t.Parallel()
	refusal := func(code jetstream.ErrorCode) error { return &jetstream.APIError{Code: 503, ErrorCode: code} }
	for name, tt := range map[string]struct {
		err                    error
		leaderless, unanswered bool
	}{
		"the connection broke":           {errBroken, false, true},
		"no answer for a while":          {fmt.Errorf("%w: %w", errUnanswered, context.DeadlineExceeded), false, true},
		"nobody listens":                 {nats.ErrNoResponders, true, false},
		"no stream listens":              {fmt.Errorf("publish: %w", jetstream.ErrNoStreamResponse), true, false},
		"no leader":                      {refusal(codeUnavailable), true, false},
		"another leader":                 {refusal(codeNotLeader), true, false},
		"another message is the last":    {refusal(codeWrongLast), false, false},
		"no room":                        {refusal(10077), false, false},
		"no such stream":                 {jetstream.ErrStreamNotFound, false, false},
		"no such message":                {jetstream.ErrMsgNotFound, false, false},
		"the caller's time is over":      {context.DeadlineExceeded, false, false},
		"an error that nobody knows yet": {errors.New("anything"), false, false},
	} {
		if got := isLeaderless(tt.err); got != tt.leaderless {
			t.Errorf("%s: isLeaderless(%v) = %t, want %t", name, tt.err, got, tt.leaderless)
		}
		if got := isUnanswered(tt.err); got != tt.unanswered {
			t.Errorf("%s: isUnanswered(%v) = %t, want %t", name, tt.err, got, tt.unanswered)
		}
	}
}

// A request that a node took with it is made again while its caller has time; one whose
// caller has none left says so.
func TestUnansweredRequestsAreMadeAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, tries := newLink(), 0
		silent := func(until int) func(context.Context) (int, error) {
			tries = 0
			return func(ctx context.Context) (int, error) {
				if tries++; tries >= until {
					return tries, nil
				}
				<-ctx.Done()
				return 0, ctx.Err()
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), publishTimeout)
		defer cancel()
		if got, err := look(ctx, l, silent(3)); got != 3 || err != nil {
			t.Errorf("look = %d, %v, want the third try", got, err)
		}
		if _, err := ask(ctx, l, silent(2)); !isUnanswered(err) {
			t.Errorf("ask = %v after one try, want that it was not answered", err)
		}
		if _, err := look(ctx, l, silent(100)); !errors.Is(err, context.DeadlineExceeded) || ctx.Err() == nil {
			t.Errorf("look = %v, want that the time of its caller is over", err)
		}
		if _, err := lookFor(t.Context(), l, silent(100)); !errors.Is(err, flow.ErrUnavailable) {
			t.Errorf("lookFor = %v for a caller who has time, want that the broker is away", err)
		}
	})
}
