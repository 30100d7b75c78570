package worker

import (
	"errors"
	"fmt"
)

// Why a job failed that took its worker with it, or all the time that it may. The
// files may be the reason for any of them; a worker also dies when the machine
// runs out of memory.
var (
	ErrDied   = errors.New("the worker died")
	ErrMemory = errors.New("the worker ran out of memory")
	ErrTime   = errors.New("the worker ran out of time")
)

// ErrUnconfined is why a pool takes no work: what parses a customer's files could
// open files, connections and programs.
var ErrUnconfined = errors.New("workers cannot be confined here, so no files of customers are taken (DEVELOPMENT_UNCONFINED_WORKERS=true works without, for development only)")

// checkEnough is an error where a worker is confined less than foreign bytes need.
func (c confinement) checkEnough(development bool) error {
	if c.Without == "" || development {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrUnconfined, c.Without)
}

// IsFailure reports whether a job took its worker with it, or all the time that it may.
func IsFailure(err error) bool {
	return errors.Is(err, ErrDied) || errors.Is(err, ErrMemory) || errors.Is(err, ErrTime)
}

// cause names a failure in metrics.
func cause(err error) string {
	switch {
	case errors.Is(err, ErrMemory):
		return "memory"
	case errors.Is(err, ErrTime):
		return "time"
	}
	return "died"
}
