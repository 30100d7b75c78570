package sourcing

import (
	"fmt"
	"strings"

	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/verdict"
)

// pool says of each line how many pieces to buy, and lets lines that mean the same
// part buy together: minimums, price breaks and stock are of the part, however
// many lines list it. needed gives what to buy of so many pieces for a line.
func pool(lines []verdict.Line, needed func(line int, pieces int64) int64, boards int64) {
	groups := map[string][]int{}
	for i := range lines {
		l := &lines[i]
		l.Need = needed(i, l.PerBoard*boards)
		if key, ok := partOf(l, needed(i, 1)); ok {
			groups[key] = append(groups[key], i)
		}
	}
	for _, group := range groups {
		if len(group) > 1 {
			divideNeed(lines, group, needed, boards)
		}
	}
}

// partOf is equal for lines that mean the same part and lose as many of it.
func partOf(l *verdict.Line, single int64) (key string, ok bool) {
	if len(l.ID.Queries) == 0 {
		return "", false
	}
	var b strings.Builder
	for _, q := range l.ID.Queries {
		b.WriteString(q.Key() + "\x00")
	}
	spec := ""
	if l.ID.Certainty == identity.Passive {
		spec = l.ID.Spec.String() + "\x00" + strings.Join(l.ID.Unread, "\x00")
	}
	fmt.Fprintf(&b, "%s\x00%s\x00%s\x00%s\x00%s\x00%d", l.ID.Certainty, spec, l.ID.Value, l.Aside, strings.ToLower(strings.TrimSpace(l.Manufacturer)), single)
	return b.String(), true
}

// divideNeed divides what a group needs among its lines, by their pieces.
func divideNeed(lines []verdict.Line, group []int, needed func(int, int64) int64, boards int64) {
	pieces := int64(0)
	for _, i := range group {
		pieces += lines[i].PerBoard * boards
	}
	whole, sum, before := needed(group[0], pieces), int64(0), int64(0)
	for _, i := range group {
		l := &lines[i]
		sum += l.PerBoard * boards
		upTo := verdict.Portion(whole, sum, pieces)
		l.Pool, l.Before, l.Need = whole, before, upTo-before
		before = upTo
	}
}
