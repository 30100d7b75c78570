package mongo

import (
	"context"
	"errors"
	"fmt"
	"slices"

	driver "go.mongodb.org/mongo-driver/v2/mongo"
	wire "go.mongodb.org/mongo-driver/v2/x/mongo/driver"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"

	"boardorder/pkg/projection"
)

// refusals are the server's error codes that lie in the document: bad value,
// failed to parse, invalid BSON, name that begins with a dollar, failed the
// collection's validation, too large in three ways, key too long.
var refusals = []int{2, 9, 22, 52, 121, 10334, 17419, 17420, 17280}

// isRefusal says that the server will never take the document.
func isRefusal(err error) bool {
	if errors.Is(err, wire.ErrDocumentTooLarge) {
		return true
	}
	answer, ok := errors.AsType[driver.ServerError](err)
	return ok && slices.ContainsFunc(refusals, answer.HasErrorCode)
}

// passing are the server's error codes that another server, or the same one
// later, does not return: it stops, is no primary or lost touch with it, or
// has no space.
var passing = []int{6, 7, 64, 89, 91, 134, 189, 262, 9001, 10058, 10107, 11600, 11602, 13435, 13436, 14031}

// isUnavailable says that the server cannot be used now.
func isUnavailable(err error) bool {
	if errors.Is(err, context.Canceled) {
		return false
	}
	if driver.IsNetworkError(err) || driver.IsTimeout(err) || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, driver.ErrClientDisconnected) {
		return true
	}
	if _, ok := errors.AsType[topology.ServerSelectionError](err); ok {
		return true
	}
	if _, ok := errors.AsType[topology.ConnectionError](err); ok {
		return true
	}
	answer, ok := errors.AsType[driver.ServerError](err)
	return ok && (answer.HasErrorLabel("RetryableWriteError") || slices.ContainsFunc(passing, answer.HasErrorCode))
}

// isAnswered says that the server, or the driver before it was sent, refused some
// of the documents of a request, and that asking again may say which.
func isAnswered(err error) bool {
	if bulk, ok := errors.AsType[driver.BulkWriteException](err); ok && bulk.WriteConcernError != nil {
		return false
	}
	_, ok := errors.AsType[driver.ServerError](err)
	return isRefusal(err) || ok && !isUnavailable(err)
}

// wrapError says in err what was being done, and whether the store is unavailable.
func wrapError(err error, doing string, args ...any) error {
	if err == nil {
		return nil
	}
	doing = fmt.Sprintf(doing, args...)
	if isUnavailable(err) && !errors.Is(err, projection.ErrUnavailable) {
		return fmt.Errorf("%s: %w: %w", doing, projection.ErrUnavailable, err)
	}
	return fmt.Errorf("%s: %w", doing, err)
}
