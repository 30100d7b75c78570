package excellon

import (
	"boardorder/pkg/board"
	"boardorder/pkg/board/answers"
)

// A findingList keeps the first findings of every kind and counts the rest.
type findingList struct {
	list  []board.Finding
	kinds map[string]int
}

func (l *findingList) add(line int, problem bool, code, text string, settle ...answers.Answer) {
	if l.kinds == nil {
		l.kinds = make(map[string]int)
	}
	l.kinds[code]++
	if l.kinds[code] <= maxFindings {
		level := board.Note
		if problem {
			level = board.Problem
		}
		l.list = append(l.list, board.Finding{Line: line, Level: level, Code: code, Message: text, Answers: settle})
	}
}
