package page

import (
	"errors"

	"boardorder/services/console/internal/ask"
)

// IsSlow tells whether a command is stored, but not carried out yet.
func IsSlow(err error) bool { return errors.Is(err, ask.ErrSlow) }

// Field is one input: what stands in it and what is wrong with it.
type Field struct{ Value, Problem string }
