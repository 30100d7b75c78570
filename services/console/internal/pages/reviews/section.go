// Package reviews is the queue of those who set prices: what customers asked the
// team to price, its price, parts and questions.
package reviews

import (
	"embed"
	"time"

	"boardorder/pkg/projection"
	"boardorder/services/console/internal/page"
)

// Section is these pages and what they need.
type Section struct {
	Docs     projection.Store
	Now      func() time.Time
	MaxCents int64 // of a price that one operator may set alone
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
