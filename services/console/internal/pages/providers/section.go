// Package providers shows how external providers do, and what to do about one that does not.
package providers

import (
	"embed"
	"time"

	"boardorder/pkg/status"
	"boardorder/services/console/internal/page"
)

// Section is these pages and what they need.
type Section struct {
	Health status.Reports
	Now    func() time.Time
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
