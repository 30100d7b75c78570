package central

import (
	"context"
	"io"
	"iter"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/flow"
	"boardorder/pkg/retention"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
)

// Config of the central service.
type Config struct {
	Parallel  int           `env:"CENTRAL_PARALLEL" envDefault:"8"`             // commands that run at once
	FilesKept time.Duration `env:"CENTRAL_FILES_RETENTION" envDefault:"8760h"`  // files of an order, since anything happened to it
	SweepWait time.Duration `env:"CENTRAL_SWEEP" envDefault:"1h"`               // between looks for what was left behind
	Seller    string        `env:"SELLER_DETAILS"`                              // on formal quotes: name, address, tax numbers, one after another with | between
	MaxCheck  time.Duration `env:"CENTRAL_DESIGN_CHECK_LIMIT" envDefault:"90m"` // until the automatic design check is given up
}

// Files are where what customers sent lies.
type Files interface {
	Put(ctx context.Context, key string, r io.Reader, size int64, contentType string) (blob.Info, error)
	Get(ctx context.Context, key string) (io.ReadCloser, blob.Info, error)
	Delete(ctx context.Context, keys ...string) error
	List(ctx context.Context, prefix string) iter.Seq2[blob.Info, error]
}

// Service is the central service.
type Service struct {
	cfg    Config
	events aggregate.Core
	files  Files
	log    *zap.Logger
	now    func() time.Time
}

// New makes the service.
func New(cfg Config, events aggregate.Core, files Files, log *zap.Logger, now func() time.Time) *Service {
	if cfg.FilesKept <= 0 {
		cfg.FilesKept = 365 * 24 * time.Hour
	}
	if cfg.SweepWait <= 0 {
		cfg.SweepWait = time.Hour
	}
	if cfg.MaxCheck <= 0 {
		cfg.MaxCheck = 90 * time.Minute
	}
	return &Service{cfg: cfg, events: events, files: files, log: log, now: now}
}

// Handlers are the commands that the service carries out.
func (s *Service) Handlers() flow.Handlers {
	return flow.Handlers{
		formal.Submit:       s.submit,
		formal.IssueQuote:   s.quote,
		formal.AcceptQuote:  s.accept,
		formal.Move:         s.move,
		formal.RecordReview: s.review,
		formal.Ask:          s.ask,
		formal.Answer:       s.answer,
		formal.CheckDesign:  s.check,
		formal.DropFiles:    s.dropFiles,
		formal.Erase:        s.erase,
	}
}

// Serve takes commands from the broker, and looks after files that nobody needs,
// until ctx ends.
func (s *Service) Serve(ctx context.Context, b *bus.Bus) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return b.Serve(ctx, bus.Work{Service: "central", Handlers: s.Handlers(), Parallel: s.cfg.Parallel})
	})
	group.Go(func() error { return retention.Sweep(ctx, s.cfg.SweepWait, s.log, s.Sweep) })
	return group.Wait()
}

type snapshot = aggregate.Snapshot[formal.Order]

type change = aggregate.Change[formal.Order]

// follow sends the command that follows from c. key names it among those of its name.
func (s *Service) follow(ctx context.Context, c contract.Command, name contract.CommandName, key string, data any) error {
	next, err := c.Follow(name, key, s.now(), data)
	if err != nil {
		return err
	}
	return s.events.Send(ctx, next)
}
