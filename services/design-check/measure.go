package designcheck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"
	"boardorder/pkg/trace"
	"boardorder/pkg/worker"
	"boardorder/services/design-check/internal/report"

	"go.uber.org/zap"
)

// A Measure holds one board against the limits: it completes what was asked
// for. step may be called on the way, by one goroutine at a time and not after
// it has returned, with what is known by then. It ends before ctx does, with what it has, and fails only for reasons
// that may pass.
type Measure func(ctx context.Context, files []worker.Source, check designchecks.DesignCheck, step func(designchecks.DesignCheck)) (Measured, error)

// Measured is a check with the pictures and the page that its findings and its
// report name, to be kept.
type Measured struct {
	Check designchecks.DesignCheck
	Blobs []Blob
}

// Blob is what shall be kept. Name is what the check names it.
type Blob struct {
	Name, Kind string
	Data       []byte
}

// measure carries out one attempt at a check.
func (s *Service) measure(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[designchecks.MeasureData](c)
	if err != nil {
		return err
	}
	_, err, _ = s.flights.Do(data.Check+" "+strconv.Itoa(data.Attempt), func() (any, error) {
		return nil, s.attempt(ctx, c, data)
	})
	return err
}

type checkSnapshot = aggregate.Snapshot[designchecks.DesignCheck]
type checkChange = aggregate.Change[designchecks.DesignCheck]

// isAwaited reports whether an attempt is still the one that is waited for.
func isAwaited(now checkSnapshot, attempt int) bool {
	return now.State.Status == designchecks.Running && now.State.Attempt == attempt
}

func (s *Service) attempt(ctx context.Context, c contract.Command, data designchecks.MeasureData) error {
	now, err := aggregate.At[designchecks.DesignCheck](s.events, contract.DesignCheckAggregate, data.Check).Load(ctx)
	if err != nil || !isAwaited(now, data.Attempt) {
		return err
	}
	made, err := s.measureInSlot(ctx, c, now.State, data)
	if errors.Is(err, blob.ErrNotFound) {
		return s.drop(ctx, c, data, now.State) // the upload ended
	}
	event := designchecks.EventChecked
	if r := contract.RefusalIn(err); r != nil {
		made, event, err = s.refuseCheck(ctx, now.State, made.Check.Files, r), designchecks.EventRefused, nil
	}
	if err != nil {
		return err
	}
	up, err := aggregate.At[uploads.Upload](s.events, contract.UploadAggregate, data.Upload).Load(ctx)
	if err != nil {
		return err
	}
	if up.State.Status != uploads.Open { // nothing is kept of a design whose files must be gone
		return s.drop(ctx, c, data, now.State)
	}
	if err := s.keepMade(ctx, &made, now.State); err != nil {
		return err
	}
	made.Check.Versions, made.Check.EndedAt = s.versions, s.now() // another version may have begun it
	return s.end(ctx, c, data, event, made.Check)
}

// refuseCheck is a check that came to nothing, with a page that says why.
func (s *Service) refuseCheck(ctx context.Context, d designchecks.DesignCheck, files []boards.FileClass, why *contract.Refusal) Measured {
	d.Status, d.Refusal, d.Files, d.Known = designchecks.Refused, why, files, why.Known
	m := Measured{Check: d}
	pages, err := report.Write(ctx, d, nil, nil)
	if err != nil {
		s.log.Warn("a refusal's report cannot be written", zap.String("check", d.ID), zap.Error(err), trace.ID(ctx))
		return m
	}
	m.Blobs = []Blob{{Name: reportName, Kind: reportType, Data: pages.HTML}}
	m.Check.Report, m.Check.ReportPolicy = reportName, report.Policy()
	return m
}

// measureInSlot measures when there is a slot.
func (s *Service) measureInSlot(ctx context.Context, c contract.Command, check designchecks.DesignCheck, data designchecks.MeasureData) (made Measured, err error) {
	if files, err := s.priorRefusal(ctx, check); err != nil {
		return Measured{Check: designchecks.DesignCheck{Files: files}}, err
	}
	err = s.runAdmitted(ctx, c.Account, totalSize(data.Files), func(ctx context.Context) error {
		made, err = s.measurer(ctx, s.sources(data.Files), check, s.recorder(ctx, c, data))
		return err
	})
	return made, err
}

// recorder records how far an attempt is. What cannot be recorded is left out.
func (s *Service) recorder(ctx context.Context, c contract.Command, data designchecks.MeasureData) func(designchecks.DesignCheck) {
	n := 0
	return func(d designchecks.DesignCheck) {
		n++
		_, err := aggregate.At[designchecks.DesignCheck](s.events, contract.DesignCheckAggregate, data.Check).Step(ctx, c, "progress "+strconv.Itoa(n), s.now(),
			func(now checkSnapshot) (*checkChange, error) {
				if !isAwaited(now, data.Attempt) {
					return nil, nil
				}
				return &checkChange{Event: designchecks.EventProgressed, State: d}, nil
			})
		if err != nil {
			s.log.Debug("progress of a check", zap.String("check", data.Check), zap.Error(err))
		}
	}
}

// keepMade stores what was made and turns its names into keys.
func (s *Service) keepMade(ctx context.Context, m *Measured, d designchecks.DesignCheck) error {
	at := checkPrefix(d)
	for _, b := range m.Blobs {
		if _, err := s.blobs.Put(ctx, at+path.Base(b.Name), bytes.NewReader(b.Data), int64(len(b.Data)), b.Kind); err != nil {
			return fmt.Errorf("keep %s: %w", b.Name, err)
		}
	}
	for i := range m.Check.Findings {
		if f := &m.Check.Findings[i]; f.Image != "" {
			f.Image = at + f.Image
		}
	}
	if m.Check.Report != "" {
		m.Check.Report = at + m.Check.Report
	}
	if m.Check.Places != "" {
		m.Check.Places = at + m.Check.Places
	}
	if m.Check.Search != "" {
		m.Check.Search = at + m.Check.Search
	}
	return nil
}

// end commits how an attempt ended. When nobody waits for it any more what it
// made is dropped.
func (s *Service) end(ctx context.Context, c contract.Command, data designchecks.MeasureData, event contract.EventName, state designchecks.DesignCheck) error {
	state.Step = ""
	now, err := aggregate.At[designchecks.DesignCheck](s.events, contract.DesignCheckAggregate, data.Check).Execute(ctx, c, s.now(),
		func(now checkSnapshot) (*checkChange, error) {
			if !isAwaited(now, data.Attempt) {
				return nil, nil
			}
			return &checkChange{Event: event, State: state}, nil
		})
	if err != nil {
		return err
	}
	if now.State.Status == designchecks.Gone {
		return blob.DeletePrefix(ctx, s.blobs, checkPrefix(state))
	}
	return nil
}

// drop ends a check whose files went meanwhile. Whoever asks again begins anew.
func (s *Service) drop(ctx context.Context, c contract.Command, data designchecks.MeasureData, d designchecks.DesignCheck) error {
	return s.end(ctx, c, data, designchecks.EventForgotten, checkTombstone(d))
}

// checkTombstone is what stays of a check that is forgotten.
func checkTombstone(d designchecks.DesignCheck) designchecks.DesignCheck {
	return designchecks.DesignCheck{
		ID: d.ID, Digest: d.Digest, Versions: d.Versions, Status: designchecks.Gone, Attempt: d.Attempt, StartedAt: d.StartedAt,
	}
}
