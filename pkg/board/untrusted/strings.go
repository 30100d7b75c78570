package untrusted

import (
	"encoding/json"
	"strings"
)

// A place is where a value stands in a JSON text.
type place struct {
	field  string // what holds it; of an element, what holds the array
	top    string // the field of the whole that it is in
	option bool   // it is among the choices of an option
}

// walkStrings goes through the string values of a JSON object, in one reading. What
// is no JSON ends it.
func walkStrings(object string, do func(at place, value string)) {
	type level struct {
		place
		begin int // of the object or array
	}
	var open []level
	var at place
	for i := 0; i < len(object); i++ {
		switch object[i] {
		case '{', '[':
			open = append(open, level{at, i})
		case '}', ']':
			if len(open) == 0 {
				return
			}
			at = open[len(open)-1].place
			open = open[:len(open)-1]
		case '"':
			end := endOfString(object, i)
			if end < 0 || len(open) == 0 {
				return
			}
			text := stringIn(object[i:end])
			i = end - 1
			if !isName(object, end) {
				do(at, text)
				continue
			}
			in := open[len(open)-1]
			if at.field, at.top = text, in.top; len(open) == 1 {
				at.top = text
			}
			at.option = in.option || text == "choices" && !isOfBoards(object[in.begin:])
		}
	}
}

// stringIn is the value of a string as it is written, with its quotes. What is no JSON stays
// as it is written.
func stringIn(written string) string {
	text := written[1 : len(written)-1]
	if strings.IndexByte(text, '\\') < 0 {
		return text // and nothing is allocated
	}
	value := text
	_ = json.Unmarshal([]byte(written), &value)
	return value
}

// isName reports whether the string that has ended at a place names a member.
func isName(object string, end int) bool {
	for ; end < len(object); end++ {
		switch object[end] {
		case ' ', '\t', '\r', '\n':
			continue
		}
		return object[end] == ':'
	}
	return false
}

// isOfBoards reports whether a text begins with an object whose option is "board".
func isOfBoards(text string) bool {
	var v map[string]any
	_ = json.NewDecoder(strings.NewReader(text)).Decode(&v)
	return v["option"] == "board"
}

// endOfString gives where the string that begins at i has ended, or -1.
func endOfString(text string, i int) int {
	for j := i + 1; j < len(text); j++ {
		n := strings.IndexByte(text[j:], '"')
		if n < 0 {
			return -1
		}
		j += n
		escapes := 0
		for text[j-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return j + 1
		}
	}
	return -1
}
