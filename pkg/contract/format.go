package contract

import (
	"encoding/json"
)

// An Upcast turns the JSON of a state from one format into the next.
type Upcast func(state json.RawMessage) (json.RawMessage, error)

// upcasts are the changes of format that programs of before need to be read:
// the first of an aggregate leads from format 1 to format 2. Fields that are
// added need none, since a state keeps fields that the program at hand does not
// know. A format of more than the one before must be readable by the release
// before it, so that both may run at once.
var upcasts = map[Aggregate][]Upcast{}

// FormatOf is the format in which states of an aggregate are written.
func FormatOf(a Aggregate) int { return 1 + len(upcasts[a]) }

// Upgrade gives a state in today's format. One of a newer format stays as it is.
func Upgrade(a Aggregate, format int, state json.RawMessage) (json.RawMessage, error) {
	return upgrade(upcasts[a], format, state)
}

func upgrade(steps []Upcast, format int, state json.RawMessage) (json.RawMessage, error) {
	var err error
	for i := max(format, 1) - 1; i < len(steps) && err == nil; i++ {
		state, err = steps[i](state)
	}
	return state, err
}
