// Package sessions shows who is signed in, and ends it.
package sessions

import (
	"embed"

	"boardorder/services/console/internal/factor"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/session"
)

// Section is these pages and what they need.
type Section struct {
	Book     *operator.Book
	Sessions *session.Outcomes
	Factors  *factor.Factors
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
