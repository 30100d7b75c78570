// Package quotes shows quotes: their price, their files, their layers and their history.
package quotes

import (
	"embed"
	"time"

	"boardorder/pkg/projection"
	"boardorder/services/console/internal/download"
	"boardorder/services/console/internal/letters"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/timeline"
)

// Section is these pages and what they need.
type Section struct {
	Docs    projection.Store
	Bus     timeline.Log
	Letters letters.Box
	Files   download.Files
	Now     func() time.Time
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
