package designcheck

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"

	"boardorder/pkg/board/upload"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/trace"
	"boardorder/pkg/worker"
	"boardorder/services/design-check/internal/kicadcli"
	"boardorder/services/design-check/internal/report"

	"go.uber.org/zap"
)

// Workers are processes that do the service's [Tasks]; a *worker.Pool.
type Workers interface {
	Run(ctx context.Context, o worker.Order) error
}

// do waits for a slot and has a worker do a job, as run says.
func (s *Service) do(ctx context.Context, account string, size int64, o worker.Order, cheaper any) error {
	return s.runAdmitted(ctx, account, size, func(ctx context.Context) error { return s.run(ctx, o, cheaper) })
}

// run has a worker do a job, and where that fails once more at most, for half the time:
// the same where the worker died, which may have been for another's need of memory, and
// otherwise what is cheaper, if anything is. What took all that it may would take as
// much again.
func (s *Service) run(ctx context.Context, o worker.Order, cheaper any) error {
	o.Timeout = cmp.Or(o.Timeout, s.cfg.ReadTimeout)
	err := s.workers.Run(ctx, o)
	switch {
	case errors.Is(err, worker.ErrDied):
	case cheaper != nil && worker.IsFailure(err):
		o.Ask = cheaper
	default:
		return err
	}
	o.Timeout /= 2
	return s.workers.Run(ctx, o)
}

func (s *Service) sources(files []uploads.File) []worker.Source {
	out := make([]worker.Source, len(files))
	for i, f := range files {
		out[i] = s.source(f.Name, f.Key, f.Size)
	}
	return out
}

func (s *Service) source(name, key string, size int64) worker.Source {
	return worker.Source{Name: name, Size: size, Open: func(ctx context.Context) (io.ReadCloser, error) {
		r, _, err := s.blobs.Get(ctx, key)
		return r, err
	}}
}

// Bounds of what one job may make, far above what any does.
const (
	maxMade      = 2000
	maxMadeBytes = 2 << 30
)

var errTooMuchMade = errors.New("a worker made more than any job does")

// A keeper stores what a worker makes.
type keeper struct {
	ctx    context.Context
	s      *Service
	prefix string
	kept   map[string]bool
	left   int64
}

func (s *Service) keeper(ctx context.Context, prefix string) *keeper {
	return &keeper{ctx: ctx, s: s, prefix: prefix, kept: map[string]bool{}, left: maxMadeBytes}
}

func (k *keeper) put(name, mediaType string, r io.Reader) error {
	name = path.Base(name)
	if len(k.kept) >= maxMade || k.left <= 0 {
		return errTooMuchMade
	}
	info, err := k.s.blobs.Put(k.ctx, k.prefix+name, io.LimitReader(r, k.left), -1, mediaType)
	if err != nil {
		return fmt.Errorf("keep %s: %w", name, err)
	}
	k.left -= info.Size
	k.kept[name] = true
	return nil
}

// key is where what was made under a name is kept; "" if it is not.
func (k *keeper) key(name string) string {
	if !k.has(name) {
		return ""
	}
	return k.prefix + name
}

// measureInWorker is the [Measure] that ships.
func (s *Service) measureInWorker(ctx context.Context, files []worker.Source, check designchecks.DesignCheck, step func(designchecks.DesignCheck)) (Measured, error) {
	var result measureResult
	blobs := &collector{}
	asksKiCad, wanted := s.kicad.Path != "", make(chan struct{})
	order := worker.Order{
		Task: measureTask, Ask: measureAsk{Check: check, Files: len(files), KiCad: asksKiCad}, Files: files,
		Put: blobs.put, Result: &result, Step: stepsOf(check, step, sync.OnceFunc(func() { close(wanted) })),
	}
	if asksKiCad {
		order.Files = append(order.Files[:len(files):len(files)], s.kicadReport(files, wanted))
	}
	err := s.run(ctx, order, nil)
	switch {
	case worker.IsFailure(err):
		return Measured{}, refusalOf(err, largest(files, func(f worker.Source) (string, int64) { return f.Name, f.Size }))
	case err != nil:
		return Measured{}, err
	case result.Refusal != nil:
		return Measured{Check: adoptCheck(check, result.Check)}, result.Refusal
	}
	return blobs.attachBlobs(adoptCheck(check, result.Check)), nil
}

// adoptCheck is a check as a worker sees it, about what we asked.
func adoptCheck(check, d designchecks.DesignCheck) designchecks.DesignCheck {
	d.ID, d.Digest, d.Answers, d.Attempt, d.StartedAt = check.ID, check.Digest, check.Answers, check.Attempt, check.StartedAt
	d.Versions, d.BegunBy = check.Versions, check.BegunBy
	return d
}

func stepsOf(check designchecks.DesignCheck, step func(designchecks.DesignCheck), wantKiCad func()) func(json.RawMessage) {
	return func(m json.RawMessage) {
		var now measureStep
		if json.Unmarshal(m, &now) != nil {
			return // the result will show it
		}
		if now.KiCad {
			wantKiCad()
		}
		if now.Check != nil && now.Check.Status == designchecks.Running {
			step(adoptCheck(check, *now.Check))
		}
	}
}

// kicadReport is KiCad's own report on the files, made when it is wanted. It is
// empty where there is none.
func (s *Service) kicadReport(files []worker.Source, wanted <-chan struct{}) worker.Source {
	return worker.Source{Name: "kicad.json", Open: func(ctx context.Context) (io.ReadCloser, error) {
		select {
		case <-wanted:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		own, err := kicadFiles(ctx, files)
		if err != nil {
			return nil, err
		}
		data, err := s.kicad.Check(ctx, own)
		if err != nil && !errors.Is(err, kicadcli.ErrNoBoard) && ctx.Err() == nil {
			s.log.Warn("KiCad's own check failed", zap.Error(err), trace.ID(ctx))
		}
		return io.NopCloser(bytes.NewReader(data)), nil
	}}
}

// kicadFiles are those files that KiCad's check looks at.
func kicadFiles(ctx context.Context, files []worker.Source) ([]upload.File, error) {
	var own []upload.File
	for _, f := range files {
		if !kicadcli.Reads(f.Name) {
			continue
		}
		r, err := f.Open(ctx)
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(io.LimitReader(r, f.Size))
		r.Close() //nolint:errcheck // read only
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", f.Name, err)
		}
		own = append(own, upload.File{Name: f.Name, Data: data})
	}
	return own, nil
}

// A collector holds what a check made until it is sure that it is wanted.
type collector struct {
	blobs []Blob
	size  int64
}

// maxCollected bounds the pictures and the page of one check, in bytes.
const maxCollected = 64 << 20

// maxBlobs bounds how many they are: those of a job that was done twice came twice.
const maxBlobs = 2 * (maxPictures + 3 + report.MaxNetFiles)

func (c *collector) put(name, mediaType string, r io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(r, maxCollected-c.size+1))
	if err != nil {
		return err
	}
	if c.size += int64(len(data)); c.size > maxCollected || len(c.blobs) > maxBlobs {
		return errTooMuchMade
	}
	c.blobs = append(c.blobs, Blob{Name: path.Base(name), Kind: mediaType, Data: data})
	return nil
}

// attachBlobs gives a check with the blobs that it names. It names no others. A job that
// was done twice made them twice.
func (c *collector) attachBlobs(d designchecks.DesignCheck) Measured {
	made := map[string]Blob{}
	for _, b := range c.blobs {
		made[b.Name] = b
	}
	m := Measured{}
	named := func(name string) string {
		b, ok := made[name]
		if !ok {
			return ""
		}
		m.Blobs = append(m.Blobs, b)
		return name
	}
	for i := range d.Findings {
		d.Findings[i].Image = named(d.Findings[i].Image)
	}
	d.Report, d.Places, d.Search = named(d.Report), named(d.Places), named(d.Search)
	for i := range d.NetFiles {
		named(designchecks.NetsName(i))
	}
	m.Check = d
	return m
}

// unread is what is known of files whose reading took its worker with it.
func unread(files []uploads.File, why error) boards.ReadFiles {
	r := boards.ReadFiles{Boards: []boards.Board{}, Files: []boards.FileClass{}, Findings: []contract.Finding{failure(why, largest(files, func(f uploads.File) (string, int64) { return f.Name, f.Size }))}}
	for _, f := range files {
		r.Files = append(r.Files, boards.FileClass{Name: f.Name, Role: "unknown", Why: "the files could not be read"})
	}
	return r
}

// largest is the name of the largest file.
func largest[F any](files []F, of func(F) (name string, size int64)) (name string) {
	most := int64(-1)
	for _, f := range files {
		if n, size := of(f); size > most {
			name, most = n, size
		}
	}
	return name
}

// failure says in plain words why files could not be read. The largest is most
// likely the cause, and is named.
func failure(why error, file string) contract.Finding {
	f := contract.Finding{Level: "must_fix", Check: "too_complex", File: file}
	switch {
	case errors.Is(why, worker.ErrMemory):
		f.What = "The files describe far more than a board has: reading them takes more memory than is allowed."
	case errors.Is(why, worker.ErrTime):
		f.What = "The files describe far more than a board has: reading them takes longer than is allowed."
	default:
		f.Check, f.What = "unreadable", "The files cannot be read: reading them failed each time."
	}
	f.What += " " + advice
	return f
}

const advice = "Plot the board anew with usual settings and send only the files of the board."

// refusalOf refuses files whose worker ended.
func refusalOf(why error, file string) *contract.Refusal {
	f := failure(why, file)
	r := contract.Refuse(contract.DesignFiles, "%s", strings.TrimSpace(f.What))
	r.Findings = []contract.Finding{f}
	return r
}
