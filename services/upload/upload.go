// Package upload takes files in: unpacks, digests, and lets them expire. What
// the edge streamed into the blob store becomes part of an upload here, or is
// discarded.
package upload

import (
	"context"
	"errors"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/duplicates"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"
	"boardorder/pkg/retention"
	"boardorder/pkg/trace"
	"boardorder/pkg/worker"
	"boardorder/services/upload/internal/intake"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
)

// Config of the upload service.
type Config struct {
	Parallel int   `env:"UPLOAD_PARALLEL" envDefault:"4"`    // commands that run at once
	Workers  int   `env:"UPLOAD_WORKERS" envDefault:"2"`     // archives unpacked at once
	MemoryMB int64 `env:"UPLOAD_MEMORY_MB" envDefault:"384"` // of one worker: unpacking an archive takes no more
	// Unconfined is for development: see worker.Config.
	Unconfined bool          `env:"DEVELOPMENT_UNCONFINED_WORKERS"`
	Retention  time.Duration `env:"UPLOAD_RETENTION" envDefault:"6h"` // after the last file
	SweepWait  time.Duration `env:"STAGING_SWEEP" envDefault:"1h"`    // between looks for what was left behind
	Scanner    string        `env:"UPLOAD_SCANNER"`                   // clamd, as tcp://host:3310 or unix:///path; "" scans nothing
}

// Service is the upload service.
type Service struct {
	cfg    Config
	events aggregate.Core
	blobs  blob.Store
	intake intake.Intake
	log    *zap.Logger
	now    func() time.Time
}

// Tasks are what the service has workers do.
func Tasks() worker.Tasks { return intake.Tasks() }

// New makes the service. Archives are unpacked by workers only; each file is first
// shown to the scanner.
func New(cfg Config, events aggregate.Core, blobs blob.Store, workers intake.Workers, scanner intake.Scanner, log *zap.Logger, now func() time.Time) *Service {
	return &Service{cfg: cfg, events: events, blobs: blobs, intake: intake.Intake{Blobs: blobs, Workers: workers, Scanner: scanner}, log: log, now: now}
}

// Handlers are the commands that the service carries out.
func (s *Service) Handlers() flow.Handlers {
	return flow.Handlers{
		uploads.Create:         s.create,
		uploads.AddFiles:       s.addFiles,
		uploads.Expire:         s.expire,
		uploads.DoubtDuplicate: s.doubtDuplicate,
		uploads.DeclareITAR:    s.declareITAR,
	}
}

// Serve takes commands from the broker, and looks after what crashes left
// behind, until ctx ends.
func (s *Service) Serve(ctx context.Context, b *bus.Bus) error {
	if err := b.BeginDuplicates(ctx, contract.UploadAggregate); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return b.Serve(ctx, bus.Work{Service: "upload", Handlers: s.Handlers(), Risky: []contract.CommandName{uploads.AddFiles}, Parallel: s.cfg.Parallel})
	})
	group.Go(func() error { return retention.Sweep(ctx, s.cfg.SweepWait, s.log, s.Sweep) })
	return group.Wait()
}

// create makes an upload without files: a link to send them to.
func (s *Service) create(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[uploads.Data](c)
	if err != nil {
		return err
	}
	snap, err := aggregate.At[uploads.Upload](s.events, contract.UploadAggregate, data.Ref).Execute(ctx, c, s.now(),
		func(now aggregate.Snapshot[uploads.Upload]) (*aggregate.Change[uploads.Upload], error) {
			if now.Exists() {
				return nil, nil
			}
			return &aggregate.Change[uploads.Upload]{Event: uploads.EventCreated, State: s.empty(c, data.Ref)}, nil
		})
	if err != nil {
		return err
	}
	return s.scheduleExpiry(ctx, c, snap.State)
}

func (s *Service) empty(c contract.Command, ref string) uploads.Upload {
	at := s.now()
	return uploads.Upload{
		Ref: ref, Account: c.Account, Status: uploads.Open, CreatedAt: at, LastFileAt: at,
		ExpiresAt: at.Add(s.cfg.Retention), Received: []uploads.Received{}, Files: []uploads.File{},
	}
}

// addFiles unpacks staged files into an upload. All that it does besides the
// commit can be done twice.
func (s *Service) addFiles(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[uploads.AddFilesData](c)
	if err != nil {
		return err
	}
	before, err := aggregate.At[uploads.Upload](s.events, contract.UploadAggregate, data.Ref).Load(ctx)
	if err != nil {
		return err
	}
	state := before.State
	if !before.Did(c.ID) {
		// First, since whoever comes a day late finds no staged files to read any more.
		if err = s.open(before, data.Existing); err == nil {
			state, err = s.takeIn(ctx, c, data)
		}
		if err != nil {
			if errors.Is(err, intake.ErrNotScanned) {
				return flow.Snooze(scanAgain, err)
			}
			if r := contract.RefusalIn(err); r != nil && r.Code == contract.ITARNotSupported && before.Exists() {
				err = errors.Join(err, s.endDeclared(ctx, c, before.State))
			}
			return s.refuse(ctx, c, data, err)
		}
	}
	if state.Status != uploads.Open { // ended since an earlier delivery took the files in
		return s.blobs.Delete(ctx, fileKeys(data)...)
	}
	if err := s.scheduleExpiry(ctx, c, state); err != nil {
		return err
	}
	if state.Digest == "" { // all that was sent was left out: there is nothing to read
		return s.blobs.Delete(ctx, fileKeys(data)...)
	}
	read, err := c.Follow(boards.Read, state.Digest, s.now(), boards.ReadData{Digest: state.Digest, Upload: state.Ref, Files: state.Files, Until: state.ExpiresAt})
	if err != nil {
		return err
	}
	if err := s.events.Send(ctx, read); err != nil {
		return err
	}
	return s.blobs.Delete(ctx, fileKeys(data)...)
}

// scanAgain is how long files wait for a scanner that does not answer.
const scanAgain = 10 * time.Second

func (s *Service) takeIn(ctx context.Context, c contract.Command, data uploads.AddFilesData) (uploads.Upload, error) {
	batch, err := s.intake.Unpack(ctx, uploads.IntakePrefix(data.Ref, c.ID), data.Files)
	if err != nil {
		return uploads.Upload{}, err
	}
	if err := s.refuseDeclared(ctx, batch.Files); err != nil {
		return uploads.Upload{}, err
	}
	begun, err := s.begin(ctx, c, data)
	if err != nil {
		return uploads.Upload{}, err
	}
	at, recorded := s.now(), ""
	received := make([]uploads.Received, len(data.Files))
	for i, f := range data.Files {
		received[i] = uploads.Received{Name: f.Name, Size: f.Size, At: at}
	}
	snap, err := aggregate.At[uploads.Upload](s.events, contract.UploadAggregate, data.Ref).Execute(ctx, c, at,
		func(now aggregate.Snapshot[uploads.Upload]) (*aggregate.Change[uploads.Upload], error) {
			u := now.State
			if err := s.open(now, data.Existing); err != nil {
				return nil, err
			}
			if !now.Exists() {
				u = begun
			}
			u, err := intake.Add(u, received, batch, at, s.cfg.Retention)
			if err == nil {
				u.Files, err = s.copyFiles(ctx, data.Ref, uploads.IntakePrefix(data.Ref, c.ID), u.Files)
			}
			if err == nil {
				u.OrderFile, err = s.readOrderFile(ctx, u.Files, u.OrderFile)
			}
			if err != nil {
				return nil, err
			}
			// Before the commit: what has these files is entered under them in any case.
			recorded = duplicates.Key(u.Content)
			if err := s.events.NoteDuplicate(ctx, contract.UploadAggregate, recorded, u.Ref); err != nil {
				return nil, err
			}
			return &aggregate.Change[uploads.Upload]{Event: uploads.EventFilesAdded, State: u}, nil
		})
	// Declared between the entry and the commit: nothing may be left of it.
	if r := contract.RefusalIn(err); recorded != "" && r != nil && r.Code == contract.ITARNotSupported {
		err = errors.Join(err, s.events.ForgetDuplicate(ctx, contract.UploadAggregate, recorded, data.Ref))
	}
	return snap.State, err
}

// open reports whether an upload takes files.
func (s *Service) open(now aggregate.Snapshot[uploads.Upload], mustExist bool) error {
	switch {
	case !now.Exists() && mustExist:
		return contract.Refuse(contract.UploadNotFound, "There is no such upload.")
	case !now.Exists():
		return nil
	case now.State.Status == uploads.ITARDeclared:
		return contract.Refuse(contract.ITARNotSupported, "This upload was declared ITAR-controlled and cannot be used.")
	case now.State.Status != uploads.Open || !s.now().Before(now.State.ExpiresAt):
		return contract.Refuse(contract.UploadExpired, "The files of this upload have been deleted. Please start a new upload.")
	}
	return nil
}

// refuse passes an error on. A refusal is recorded before the files go: a
// command that came again without them could not find out why any more.
func (s *Service) refuse(ctx context.Context, c contract.Command, data uploads.AddFilesData, why error) error {
	r := contract.RefusalIn(why)
	if r == nil {
		return why
	}
	if err := aggregate.Refuse(ctx, s.events, c, r, s.now()); err != nil {
		return err
	}
	s.throwAway(ctx, c, data)
	return why
}

// throwAway removes what a refused batch left in the store; what it misses the
// sweep finds.
func (s *Service) throwAway(ctx context.Context, c contract.Command, data uploads.AddFilesData) {
	err := blob.DeletePrefix(ctx, s.blobs, uploads.IntakePrefix(data.Ref, c.ID))
	if err == nil {
		err = s.blobs.Delete(ctx, fileKeys(data)...)
	}
	if err != nil {
		s.log.Warn("refused files stay until the sweep", zap.String("request", c.Request), zap.Error(err), trace.ID(ctx))
	}
}

func fileKeys(data uploads.AddFilesData) []string {
	keys := make([]string, len(data.Files))
	for i, f := range data.Files {
		keys[i] = f.Key
	}
	return keys
}
