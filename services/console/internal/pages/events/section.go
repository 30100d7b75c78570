// Package events shows what happened: the streams of events, past and live, the
// history of one thing, and single events.
package events

import (
	"boardorder/pkg/contract"
	"embed"
	"time"

	"boardorder/pkg/bus"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/session"

	"go.uber.org/zap"
)

// Section is these pages and what they need.
type Section struct {
	Bus      *bus.Bus
	Sessions *session.Outcomes
	Log      *zap.Logger
	Now      func() time.Time
	watches  *watches
}

// New makes the section.
func New(b *bus.Bus, sessions *session.Outcomes, log *zap.Logger, now func() time.Time) *Section {
	return &Section{b, sessions, log, now, &watches{bus: b, log: log, per: map[contract.Aggregate]*watch{}}}
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
