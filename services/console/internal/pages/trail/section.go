// Package trail shows the audit trail: what operators did.
package trail

import (
	"embed"

	"boardorder/pkg/bus"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/page"
)

// Section is these pages and what they need.
type Section struct {
	Docs projection.Store
	Bus  *bus.Bus
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
