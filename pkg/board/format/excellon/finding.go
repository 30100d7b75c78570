package excellon

import (
	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/pcb"
)

// A findingList keeps the first findings of every kind and counts the rest.
type findingList struct {
	list  []pcb.Finding
	kinds map[string]int
}

func (l *findingList) add(line int, problem bool, code, text string, settle ...answers.Answer) {
	if l.kinds == nil {
		l.kinds = make(map[string]int)
	}
	l.kinds[code]++
	if l.kinds[code] <= maxFindings {
		level := pcb.Note
		if problem {
			level = pcb.Problem
		}
		l.list = append(l.list, pcb.Finding{Line: line, Level: level, Code: code, Message: text, Answers: settle})
	}
}
