// Package signin lets operators in: by name and password, by a link that works
// once, or by the company's identity provider, and with a second factor. It lets
// them out again.
package signin

import (
	"embed"
	"time"

	"boardorder/services/console/internal/factor"
	"boardorder/services/console/internal/oidc"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/session"

	"go.uber.org/zap"
)

// Section is these pages and what they need.
type Section struct {
	Book     *operator.Book
	Sessions *session.Outcomes
	Factors  *factor.Factors
	OIDC     *oidc.Client // nil: no identity provider
	Link     *session.Link
	LinkFor  string // the operator whom the link signs in
	Attempts *session.Attempts
	Log      *zap.Logger
	Now      func() time.Time
	Secure   bool // reached by HTTPS only
	// NeedFactor has everybody give a second factor, not only those who have one.
	NeedFactor bool
	// Home is the page that an operator begins with.
	Home func(*page.Call) error
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
