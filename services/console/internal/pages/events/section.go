// Package events shows what happened: the streams of events, past and live, the
// history of one thing, and single events.
package events

import (
	"boardorder/pkg/contract"
	"context"
	"embed"
	"time"

	"boardorder/pkg/bus"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/session"
	"boardorder/services/console/internal/timeline"

	"go.uber.org/zap"
)

// A Log is the streams of events, as a bus reads them.
type Log interface {
	timeline.Log
	Latest(ctx context.Context, a contract.Aggregate, before []bus.Position, limit int) ([]bus.Headline, error)
	PositionsAt(ctx context.Context, a contract.Aggregate, at time.Time) ([]bus.Position, error)
	EventAt(ctx context.Context, a contract.Aggregate, at bus.Position) (contract.Event, error)
	Watch(ctx context.Context, a contract.Aggregate, do func(bus.Headline)) error
}

// Section is these pages and what they need.
type Section struct {
	Bus      Log
	Sessions *session.Outcomes
	Log      *zap.Logger
	Now      func() time.Time
	watches  *watches
}

// New makes the section.
func New(b Log, sessions *session.Outcomes, log *zap.Logger, now func() time.Time) *Section {
	return &Section{b, sessions, log, now, &watches{bus: b, log: log, per: map[contract.Aggregate]*watch{}}}
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
