package toolrule

import (
	"fmt"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
)

// ReportBreach says what breaks a rule of the design's own, with the worst value and the
// limit that it breaks.
func ReportBreach(what string, limit int64, at *rule.Places) rule.Result {
	list := at.Sort(CompareByValue)
	if len(list) == 0 {
		return rule.Result{}
	}
	worst := list[0]
	return rule.Result{Findings: []dfm.Finding{{
		Check: dfm.DesignRule, Level: dfm.Warning, Limit: limit, Value: worst.Value, Count: at.Count, Places: list,
		What: fmt.Sprintf("The design's own rule for %s is broken in %s; the worst is %s.", what, words.Plural(at.Count, "place"), words.MM(worst.Value)),
	}}}
}

// CompareByValue orders places by their value, then by where they are.
func CompareByValue(a, b dfm.Place) int {
	switch {
	case a.Value < b.Value:
		return -1
	case a.Value > b.Value:
		return 1
	}
	return rule.ComparePlaces(a, b)
}
