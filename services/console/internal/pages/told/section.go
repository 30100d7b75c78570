// Package told shows what an account was told of: its last public events.
package told

import (
	"context"
	"embed"

	"boardorder/pkg/contract/feed"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/page"
)

// Events is the stream of public events.
type Events interface {
	// PublicBefore gives the last events of an owner, or of the objects that are named, before a
	// sequence (0 = the end), oldest first.
	PublicBefore(ctx context.Context, owner string, keys []string, before uint64, limit int) ([]feed.Entry, error)
}

// Section is this page and what it needs.
type Section struct {
	Docs   projection.Store
	Events Events
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
