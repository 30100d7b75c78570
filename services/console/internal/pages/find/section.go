// Package find leads to whatever somebody was given: an id, an address, a number.
package find

import (
	"embed"
	"time"

	"boardorder/pkg/projection"
	"boardorder/services/console/internal/page"
)

// Section is these pages and what they need.
type Section struct {
	Docs projection.Store
	Now  func() time.Time
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
