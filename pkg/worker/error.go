package worker

import "errors"

// Why a job failed that took its worker with it. The files may be the reason
// for any of them; a worker also dies when the machine runs out of memory.
var (
	ErrDied   = errors.New("the worker died")
	ErrMemory = errors.New("the worker ran out of memory")
	ErrTime   = errors.New("the worker ran out of time")
)

// Failed reports whether a job took its worker with it.
func Failed(err error) bool {
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
