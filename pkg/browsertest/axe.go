package browsertest

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// axeCore is axe-core 4.14.1 as released, under the Mozilla Public License 2.0,
// which lies beside it. Only tests link it.
//
//go:embed testdata/axe-core/axe.min.js
var axeCore string

// A violation is a rule of accessibility that a page breaks.
type violation struct {
	Rule   string   `json:"rule"`   // axe's name of it
	Impact string   `json:"impact"` // minor, moderate, serious or critical
	Help   string   `json:"help"`   // the rule in words
	Where  []string `json:"where"`  // each element with what is wrong about it
}

func (v violation) String() string {
	return fmt.Sprintf("%s (%s): %s\n    %s", v.Rule, v.Impact, v.Help, strings.Join(v.Where, "\n    "))
}

// Axe reports each rule of WCAG 2.2, levels A and AA, and each good practice that
// the page breaks as it stands now: of this size, in this colour scheme, with what
// is folded in left out.
func Axe(t testing.TB, ctx context.Context) {
	t.Helper()
	found, err := violations(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range found {
		t.Errorf("axe: %v", v)
	}
}

func violations(ctx context.Context) ([]violation, error) {
	const run = `(async () => {
	const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
	const result = await axe.run(document, {runOnly: {type: "tag", values: tags}, resultTypes: ["violations"]});
	return result.violations.map(v => ({rule: v.id, impact: v.impact, help: v.help, where: v.nodes.map(n =>
		n.target.join(" ") + "  " + n.html.slice(0, 200) + "  " + [...n.any, ...n.all, ...n.none].map(c => c.message).join("; "))}));
})()`
	// The page's own policy does not bind what the debugger runs in it.
	loaded, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`typeof axe === "object"`))
	if err != nil {
		return nil, err
	}
	if !loaded {
		if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](axeCore+"\n;true")); err != nil {
			return nil, fmt.Errorf("loading axe: %w", err)
		}
	}
	return chromedp.Run(ctx, chromedp.Evaluate[[]violation](run, chromedp.EvalAwaitPromise))
}
