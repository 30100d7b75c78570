// Package formal shows formal orders, issues their quotes, records what the team
// found in a design, and says how they stand.
package formal

import (
	"embed"
	"time"

	"boardorder/pkg/projection"
	"boardorder/services/console/internal/download"
	"boardorder/services/console/internal/letters"
	"boardorder/services/console/internal/page"
)

// Section is these pages and what they need.
type Section struct {
	Docs     projection.Store
	Files    download.Files
	Now      func() time.Time
	Letters  letters.Box
	MaxCents int64 // of a quote that one operator may issue alone
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
