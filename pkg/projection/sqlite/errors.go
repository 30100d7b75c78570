package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"boardorder/pkg/projection"
)

// passing are the errors of the file, its disk and its locks that may be over
// when the same is tried again.
var passing = []int{
	lib.SQLITE_BUSY, lib.SQLITE_LOCKED, lib.SQLITE_NOMEM, lib.SQLITE_READONLY, lib.SQLITE_IOERR, lib.SQLITE_FULL,
	lib.SQLITE_CANTOPEN, lib.SQLITE_PROTOCOL, lib.SQLITE_PERM,
}

// wrapError says in err what was being done, and whether the store is unavailable.
func wrapError(err error, doing string, args ...any) error {
	if err == nil {
		return nil
	}
	doing = fmt.Sprintf(doing, args...)
	cause, ok := errors.AsType[*sqlite.Error](err)
	if ok && slices.Contains(passing, cause.Code()&0xff) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s: %w: %w", doing, projection.ErrUnavailable, err)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// busy reports whether another process holds the lock that was needed.
func busy(err error) bool {
	cause, ok := errors.AsType[*sqlite.Error](err)
	return ok && cause.Code()&0xff == lib.SQLITE_BUSY
}
