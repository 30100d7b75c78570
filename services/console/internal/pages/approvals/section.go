// Package approvals shows what waits for a second operator, who approves or
// declines it, and who has which case.
package approvals

import (
	"embed"
	"time"

	"boardorder/pkg/projection"
	"boardorder/services/console/internal/ask"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
)

// Section is these pages and what they need.
type Section struct {
	Docs projection.Store
	Book *operator.Book
	Ask  *ask.Outcomes
	Now  func() time.Time
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
