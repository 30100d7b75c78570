// Package orders shows orders, says how they stand where no fabricator does, and
// gives money back.
package orders

import (
	"embed"
	"time"

	"boardorder/pkg/projection"
	"boardorder/services/console/internal/ask"
	"boardorder/services/console/internal/download"
	"boardorder/services/console/internal/letters"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/timeline"

	"go.uber.org/zap"
)

// Section is these pages and what they need.
type Section struct {
	Docs           projection.Store
	Bus            timeline.Log
	Letters        letters.Box
	Files          download.Files
	Ask            *ask.Outcomes
	Log            *zap.Logger
	Now            func() time.Time
	MaxRefundCents int64 // that one operator may give back alone of an order
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
