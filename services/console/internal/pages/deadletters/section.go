// Package deadletters shows the commands that could not be handled, and sends
// them again or discards them.
package deadletters

import (
	"embed"

	"boardorder/pkg/bus"
	"boardorder/services/console/internal/page"
)

// Section is these pages and what they need.
type Section struct {
	Bus *bus.Bus
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
