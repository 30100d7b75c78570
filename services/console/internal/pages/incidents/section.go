// Package incidents is where operators write what customers read of an incident.
package incidents

import (
	"embed"
	"time"

	"boardorder/pkg/status"
	"boardorder/services/console/internal/page"
)

// Section is these pages and what they need.
type Section struct {
	Incidents status.Incidents
	Now       func() time.Time
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
