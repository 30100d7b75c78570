// Package streams shows every stream and who reads it, how fast and how far behind.
package streams

import (
	"embed"
	"time"

	"boardorder/pkg/bus"
	"boardorder/services/console/internal/page"
)

// Section is these pages and what they need.
type Section struct {
	Bus *bus.Bus
	Now func() time.Time

	rates rates
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
