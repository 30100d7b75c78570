// Package failures shows which requests of an account were answered 4xx or 5xx.
package failures

import (
	"embed"
	"time"

	"boardorder/pkg/failedrequests"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/page"
)

// Section is this page and what it needs.
type Section struct {
	Docs   projection.Store
	Bucket failedrequests.Values
	Now    func() time.Time
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
