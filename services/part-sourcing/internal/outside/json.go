package outside

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// A Count is a whole number that suppliers write as 12, as 12.0, as "1,200" or as
// null, which is none.
type Count int64

// UnmarshalJSON implements json.Unmarshaler. Text that is no number counts as none:
// one odd figure is no reason to drop an answer.
func (c *Count) UnmarshalJSON(data []byte) error {
	*c = 0
	text := strings.ReplaceAll(strings.Trim(string(data), `" `), ",", "")
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		*c = Count(n)
	} else if f, err := strconv.ParseFloat(text, 64); err == nil && f > -1e15 && f < 1e15 {
		*c = Count(f)
	}
	return nil
}

// Text is text that some answers give as a number or a truth value: "true" and true
// are the same.
type Text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *Text) UnmarshalJSON(data []byte) error {
	var s string
	switch err := json.Unmarshal(data, &s); {
	case err == nil:
		*t = Text(s)
	case bytes.ContainsAny(data, "{["):
		*t = ""
	default:
		*t = Text(data)
	}
	return nil
}
