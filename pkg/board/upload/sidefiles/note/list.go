package note

import (
	"slices"
	"strings"

	"boardorder/pkg/board/internal/pattern"
)

const (
	maxRowWords = 8 // of a list of options
	maxHead     = 5 // words of a label
	maxValue    = 3 // and of a value that no colon stands before
	fewestKeys  = 3 // subjects that make rows without colons a list of options
)

// orderKey is a label of a fabricator's order form that says nothing of the board itself.
var orderKey = pattern.Lazy(`^(?:pcb |board )?(?:qty|quantity|delivery|different designs?|build time|lead time|remove (?:order|mark)|order number|flying probe|confirm production)\b`)

// optionList reads the list of options that rows begin with and that has no colons: labels and
// values in one row each, or in turns. lines are "label: value"; n counts the rows, 0 where they
// are no list.
func optionList(rows []string) (n int, lines []line) {
	if len(rows) == 0 || strings.TrimSpace(rows[0]) == "" {
		return 0, nil
	}
	if n, lines = listInRows(rows); n == 0 {
		n, lines = listInTurns(rows)
	}
	return n, lines
}

// listInRows reads "label value" in each row, up to the next blank one.
func listInRows(rows []string) (n int, lines []line) {
	topics, keys, apart := map[Topic]bool{}, 0, false
	for n < len(rows) && n < maxRows && strings.TrimSpace(rows[n]) != "" {
		s := plain(rows[n])
		if len(strings.Fields(s)) > maxRowWords {
			return 0, nil
		}
		head, value, stated := parseLabel(s)
		if !stated {
			head, value = splitOption(s)
		}
		text := rows[n]
		if topic := topicOf(head, value); topic != "" {
			topics[topic] = true
			if !stated {
				text, apart = head+": "+value, true
			}
		}
		if orderKey().MatchString(s) {
			keys++
		}
		n++
		lines = append(lines, line{number: n, text: strings.TrimSpace(text)})
	}
	if !apart || len(topics) < fewestKeys && (len(topics) < fewestTopics || keys == 0) {
		return 0, nil
	}
	return n, lines
}

// joining are words that go on with a sentence.
var joining = pattern.Lazy(`\b(?:of|in|on|for|and|with|the|a|is|was|between|under)$`)

// splitOption parts a row behind the longest label that makes sense of the rest, which is a
// number or a few words.
func splitOption(s string) (head, value string) {
	words := strings.Fields(s)
	if object().MatchString(s) {
		return "", ""
	}
	for k := min(len(words)-1, maxHead); k > 0 && len(words)-k <= maxValue; k-- {
		head, value = strings.Join(words[:k], " "), strings.Join(words[k:], " ")
		topic := topicOf(head, value)
		if worded := topic == Finish || topic == Material || topic == MaskColour || topic == SilkscreenColour || topic == ViaProcess; topic != "" && !joining().MatchString(head) && (worded || value[0] >= '0' && value[0] <= '9') {
			return head, value
		}
	}
	return "", ""
}

// topicOf is the subject of a label that is one of a board's, with a value that is understood.
func topicOf(head, value string) Topic {
	l := labelOf(head)
	if l.topic == "" || value == "" {
		return ""
	}
	p := parser{items: []string{head + ": " + value}}
	p.run()
	if len(p.statements) == 0 || slices.ContainsFunc(p.statements, func(s Statement) bool { return s.Unclear || s.Topic == ignored }) {
		return ""
	}
	return p.statements[0].Topic
}

// listInTurns reads a label in one row and its value in the next, as what is copied from a web
// page has them, blank rows aside.
func listInTurns(rows []string) (n int, lines []line) {
	topics := map[Topic]bool{}
	head, number := "", 0
	for i, row := range rows[:min(len(rows), maxRows)] {
		s := strings.TrimRight(plain(row), ": ")
		switch {
		case s == "":
		case len(strings.Fields(s)) > maxRowWords || strings.ContainsAny(s, ":=|"):
			return endTurns(n, lines, topics)
		case head == "":
			if head, number = s, i+1; len(lines) == 0 && labelOf(s).topic == "" {
				return 0, nil
			}
		default:
			if topic := topicOf(head, s); topic != "" {
				topics[topic] = true
			} else if labelOf(head).topic != "" || labelOf(s).topic != "" { // out of step
				return endTurns(n, lines, topics)
			}
			n = i + 1
			lines = append(lines, line{number: number, text: head + ": " + s})
			head = ""
		}
	}
	return endTurns(n, lines, topics)
}

func endTurns(n int, lines []line, topics map[Topic]bool) (int, []line) {
	if len(topics) < fewestKeys {
		return 0, nil
	}
	return n, lines
}
