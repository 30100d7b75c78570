package mongo

import (
	"context"
	"errors"
	"fmt"
	"testing"

	driver "go.mongodb.org/mongo-driver/v2/mongo"
	wire "go.mongodb.org/mongo-driver/v2/x/mongo/driver"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"

	"boardorder/pkg/projection"
)

// bulk is a write of several documents in which one was refused.
func bulk(code int) error {
	return driver.BulkWriteException{WriteErrors: []driver.BulkWriteError{{WriteError: driver.WriteError{Code: code}}}}
}

// TestErrors: what lies in a document, what passes, and what is neither.
func TestErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err                            error
		refusal, unavailable, answered bool
	}{
		{err: wire.ErrDocumentTooLarge, refusal: true, answered: true},
		{err: driver.CommandError{Code: 10334, Message: "BSONObj size is invalid"}, refusal: true, answered: true},
		{err: driver.WriteException{WriteErrors: []driver.WriteError{{Code: 17419}}}, refusal: true, answered: true},
		{err: bulk(121), refusal: true, answered: true},
		{err: bulk(11000), answered: true},
		{err: driver.CommandError{Code: 13, Message: "not authorized"}, answered: true},
		{err: driver.CommandError{Code: 10107, Message: "not primary"}, unavailable: true},
		{err: driver.CommandError{Code: 91, Labels: []string{"RetryableWriteError"}}, unavailable: true},
		{err: driver.CommandError{Labels: []string{"NetworkError"}}, unavailable: true},
		{err: driver.BulkWriteException{WriteConcernError: &driver.WriteConcernError{Code: 64}}, unavailable: true},
		{err: topology.ServerSelectionError{Wrapped: context.DeadlineExceeded}, unavailable: true},
		{err: topology.ServerSelectionError{Wrapped: errors.New("no server")}, unavailable: true},
		{err: topology.ConnectionError{Wrapped: errors.New("refused")}, unavailable: true},
		{err: driver.ErrClientDisconnected, unavailable: true},
		{err: context.DeadlineExceeded, unavailable: true},
		{err: context.Canceled},
		{err: errors.New("something else")},
	} {
		err := fmt.Errorf("wrapped: %w", c.err)
		if isRefusal(err) != c.refusal || isUnavailable(err) != c.unavailable || isAnswered(err) != c.answered {
			t.Errorf("%v: refusal %v, unavailable %v, answered %v; want %v, %v, %v", err,
				isRefusal(err), isUnavailable(err), isAnswered(err), c.refusal, c.unavailable, c.answered)
		}
		if got := wrapError(err, "put"); errors.Is(got, projection.ErrUnavailable) != c.unavailable || !errors.Is(got, err) {
			t.Errorf("wrapError(%v) = %v, want it kept, unavailable %v", err, got, c.unavailable)
		}
	}
	if wrapError(nil, "put") != nil {
		t.Error("wrapError(nil) is an error")
	}
}
