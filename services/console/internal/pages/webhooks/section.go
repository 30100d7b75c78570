// Package webhooks shows the webhook endpoints of an account, and stops them.
package webhooks

import (
	"context"
	"embed"

	"boardorder/pkg/projection"
	"boardorder/services/console/internal/page"
)

// Progress is where it lies how far endpoints were delivered to: a [bus.Bucket].
type Progress interface {
	Get(ctx context.Context, key string) (value []byte, rev uint64, err error)
}

// Section is this page and what it needs.
type Section struct {
	Docs     projection.Store
	Progress Progress
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
