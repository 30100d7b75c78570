package conductor

import (
	"fmt"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/toolrule"
)

// reportCloseGaps says which gaps break the design's own clearances.
func reportCloseGaps(each []*spacer, book *toolrule.Book) rule.Result {
	var all gapList
	for _, s := range each {
		all.join(&s.broke)
	}
	if all.Count == 0 {
		return rule.Result{}
	}
	return toolrule.ReportBreach(fmt.Sprintf("clearance (%s)", book.Words()), all.limit, &all.Places)
}

// A gapList gathers gaps that are too small, and by which rule the smallest is.
type gapList struct {
	rule.Places
	least, limit int64
}

func (g *gapList) take(p dfm.Place, need int64) {
	if g.Count == 0 || p.Value < g.least || p.Value == g.least && need > g.limit {
		g.least, g.limit = p.Value, need
	}
	g.Add(p, toolrule.CompareByValue)
}

func (g *gapList) join(o *gapList) {
	if o.Count == 0 {
		return
	}
	if g.Count == 0 || o.least < g.least || o.least == g.least && o.limit > g.limit {
		g.least, g.limit = o.least, o.limit
	}
	g.Count += o.Count
	g.List = append(g.List, o.List...)
}
