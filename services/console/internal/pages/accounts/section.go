// Package accounts shows accounts and their API keys, and changes them.
package accounts

import (
	"embed"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/ask"
	"boardorder/services/console/internal/page"
)

// Section is these pages and what they need.
type Section struct {
	Docs  projection.Store
	Ask   *ask.Outcomes
	Uses  *bus.Bucket // when each API key was last used, as the edges note it
	Flags *bus.Bucket // when a key was first sent in an address
	Now   func() time.Time
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
