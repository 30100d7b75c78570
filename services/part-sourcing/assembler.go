package partsourcing

import (
	"context"
	"fmt"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/partchecks"
	"boardorder/services/part-sourcing/internal/assemblyprice"
	"boardorder/services/part-sourcing/internal/sourcing"
	"boardorder/services/part-sourcing/internal/testparts"
)

// An Assembler works assemblies out.
type Assembler interface {
	// Begin reads what there is to know before suppliers are asked for an owner. A
	// *contract.Refusal says that there is no assembly of these files.
	Begin(ctx context.Context, owner string, data assemblies.AssembleData, attempt int) (Assembling, error)
	// Forget removes what is kept of boards, by the digests of their files.
	Forget(ctx context.Context, digests []string) error
}

// An Assembling is one assembly that is being worked out.
type Assembling interface {
	Plan() assemblies.Plan
	// Fab is what the fabricator has.
	Fab(ctx context.Context) partchecks.Report
	// Finish asks everybody, until ctx ends, and keeps what is built from.
	Finish(ctx context.Context) (assemblies.Plan, partchecks.Report, assemblies.Price, error)
}

// An assembler is the [Assembler] that ships: files are read by workers.
type assembler struct {
	events  aggregate.Log
	blobs   blob.Store
	workers Workers
	timeout time.Duration // for reading a board
	sourcer *sourcing.Sourcer
	tests   *sourcing.Sourcer // for test keys
	rates   assemblyprice.Table
	kits    kits
	now     func() time.Time
}

// newAssembler makes the one that ships.
func (c Config) newAssembler(events aggregate.Log, blobs blob.Store, workers Workers, s *sourcing.Sourcer, now func() time.Time) (*assembler, error) {
	rates, err := assemblyprice.LoadBuiltIn()
	return &assembler{events: events, blobs: blobs, workers: workers, timeout: c.BoardTimeout, sourcer: s, tests: c.testSourcer(now, false), rates: rates, now: now}, err
}

// Begin implements [Assembler].
func (s *assembler) Begin(ctx context.Context, owner string, data assemblies.AssembleData, attempt int) (Assembling, error) {
	w, err := s.work(ctx, data, attempt)
	if err != nil {
		return nil, err
	}
	w.sourcer = s.sourcer
	if contract.IsTest(owner) {
		w.sourcer = s.tests
		w.list.notes, w.state.Notes = append(w.list.notes, testparts.Notice), append(w.state.Notes, testparts.Notice)
	}
	return w, nil
}

// Plan implements [Assembling].
func (w *work) Plan() assemblies.Plan { return w.state }

// Fab implements [Assembling].
func (w *work) Fab(ctx context.Context) partchecks.Report {
	return w.list.report(w.sourcer.Fab(ctx, w.list.request))
}

// Finish implements [Assembling].
func (w *work) Finish(ctx context.Context) (plan assemblies.Plan, report partchecks.Report, price assemblies.Price, err error) {
	all := w.sourcer.Complete(ctx, w.list.request)
	report, price = w.list.report(all), w.price(all, w.by.now())
	err = w.by.pack(context.WithoutCancel(ctx), w, price)
	return w.state, report, price, err
}

// Forget implements [Assembler]. What a command that is under way makes yet is
// found by a second look.
func (s *assembler) Forget(ctx context.Context, digests []string) error {
	s.kits.forget(digests)
	for _, digest := range digests {
		var keys []string
		for info, err := range s.blobs.List(ctx, boards.Prefix+digest) {
			if err != nil {
				return fmt.Errorf("list what was made of %s: %w", digest, err)
			}
			if strings.Contains(info.Key, madePrefix) {
				keys = append(keys, info.Key)
			}
		}
		if len(keys) == 0 {
			continue
		}
		if err := s.blobs.Delete(ctx, keys...); err != nil {
			return fmt.Errorf("delete what was made of %s: %w", digest, err)
		}
	}
	return nil
}
