// Package overview is the team's desk: what needs a person now, what the day brings, and
// whether the machine keeps up.
package overview

import (
	"context"
	"embed"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/projection"
	"boardorder/pkg/status"
	"boardorder/services/console/internal/page"
)

// Section is these pages and what they need.
type Section struct {
	Docs  projection.Store
	Bus   Broker
	Now   func() time.Time
	Sales *Sales
	// Health is how external providers do.
	Health status.Reports
}

// A Broker says how its streams stand, and what came last in them.
type Broker interface {
	States(ctx context.Context) ([]bus.StreamState, error)
	Latest(ctx context.Context, a contract.Aggregate, before []bus.Position, limit int) ([]bus.Headline, error)
}

//go:embed *.html
var files embed.FS

var templates = page.ParseAll(files)
