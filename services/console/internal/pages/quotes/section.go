// Package quotes shows quotes: their price, their files, their layers and their life.
package quotes

import (
	"embed"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/download"
	"boardorder/services/console/internal/page"
)

// Section is these pages and what they need.
type Section struct {
	Docs  projection.Store
	Bus   *bus.Bus
	Files download.Files
	Now   func() time.Time
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
