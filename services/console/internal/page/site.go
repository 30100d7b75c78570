// Package page is what every page of the console is made with: the call of a
// visitor, who it is and what they may see, the frame around a page, and the
// audit trail of what is done. It knows none of the pages.
package page

import (
	"context"
	"time"

	"boardorder/pkg/door"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/ask"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/session"

	"go.uber.org/zap"
)

// Sessions know who is signed in, and which forms are theirs.
type Sessions interface {
	Find(ctx context.Context, cookie string, from session.Browser) (session.Session, error)
	MatchesSession(s session.Session, token string) bool
}

// Site is what all pages have in common.
type Site struct {
	Docs     projection.Store
	Sessions Sessions
	Ask      *ask.Outcomes
	Trail    Recorder
	Log      *zap.Logger
	Now      func() time.Time
	Secure   bool         // reached by HTTPS only
	Proxies  door.Proxies // that say whom they forward for
	Menu     []Route      // those that have an entry in the menu, in its order
}

// A Route is one page or form.
type Route struct {
	Pattern string              // as http.ServeMux takes it
	Needs   operator.Permission // empty: whoever is signed in
	Handle  func(*Call) error
	Menu    Entry // empty: it stands in no menu
	// BeforeFactor is for whoever has not given the second factor yet.
	BeforeFactor bool
}

// An Entry is a section of the console in the menu.
type Entry struct {
	Name string // that the section's pages give to Call.Frame
	To   string // where it leads
	Text string
	Key  string // leads there after the key g
	Here bool   // the page that is shown belongs to it
}
