package excellon

// A findingList keeps the first findings of every kind and counts the rest.
type findingList struct {
	list  []Finding
	kinds map[string]int
}

func (l *findingList) add(line int, problem bool, code, text string) {
	if l.kinds == nil {
		l.kinds = make(map[string]int)
	}
	l.kinds[code]++
	if l.kinds[code] <= maxFindings {
		l.list = append(l.list, Finding{Line: line, Problem: problem, Code: code, Text: text})
	}
}
