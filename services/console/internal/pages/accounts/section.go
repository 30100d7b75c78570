// Package accounts shows accounts and their API keys, and changes them.
package accounts

import (
	"context"
	"embed"
	"time"

	"boardorder/pkg/projection"
	"boardorder/pkg/session"
	"boardorder/services/console/internal/ask"
	"boardorder/services/console/internal/page"
)

// Notes are values by key, as a bucket of the broker has them.
type Notes interface {
	Get(ctx context.Context, key string) (value []byte, rev uint64, err error)
}

// Sessions are the members' own.
type Sessions interface {
	List(ctx context.Context, name string) ([]session.Listed, error)
	EndAll(ctx context.Context, name string) (n int, err error)
}

// Section is these pages and what they need.
type Section struct {
	Docs    projection.Store
	Ask     *ask.Outcomes
	Uses    Notes    // when each API key was last used, as the edges note it
	Flags   Notes    // when a key was first sent in an address
	Members Sessions // of the portal
	Now     func() time.Time
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
