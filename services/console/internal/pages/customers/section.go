// Package customers shows who paid, and exports or erases what is held of them.
package customers

import (
	"embed"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/letters"
	"boardorder/services/console/internal/page"
)

// Section is these pages and what they need.
type Section struct {
	Docs    projection.Store
	Bus     *bus.Bus
	Now     func() time.Time
	Letters letters.Box
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
