package worker

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/zap"
)

// Config of a pool. A zero field means its default.
type Config struct {
	Workers int           // processes, and so jobs at once; 1
	Memory  int64         // bytes that a worker may hold beyond what it starts with; 1 GiB
	CPU     time.Duration // processor time that one job may take; 5 minutes
	Jobs    int           // after which a worker is replaced; 100
	// Unconfined is for development: work also where the system does not let
	// workers give up files, connections and programs.
	Unconfined bool
	Log        *zap.Logger
	Metrics    prometheus.Registerer
}

// A Pool is some workers that are kept warm.
type Pool struct {
	cfg      Config
	settings settings
	slots    chan struct{} // one for each job that runs
	counters counters
	warned   sync.Once

	mu       sync.Mutex
	idle     []*process
	starting int        // in the background
	started  *sync.Cond // broadcast when one of those has started, or has not
	all      map[*process]bool
	closed   chan struct{}
	group    sync.WaitGroup // of what goes on beside the jobs
}

// Open starts a pool. It waits for the first worker, to learn what workers can
// be kept from here: the error is [ErrUnconfined] where that is not enough.
func Open(cfg Config) (*Pool, error) {
	if !taken.Load() {
		return nil, errors.New("this program does not call worker.Main and cannot have workers")
	}
	cfg.Workers, cfg.Jobs = cmp.Or(cfg.Workers, 1), cmp.Or(cfg.Jobs, 100)
	cfg.Memory, cfg.CPU = cmp.Or(cfg.Memory, 1<<30), cmp.Or(cfg.CPU, 5*time.Minute)
	if cfg.Log == nil {
		cfg.Log = zap.NewNop()
	}
	p := &Pool{
		cfg: cfg, slots: make(chan struct{}, cfg.Workers), counters: newCounters(cfg.Metrics), all: map[*process]bool{}, closed: make(chan struct{}),
		settings: settings{
			Memory: cfg.Memory, Processors: min(runtime.GOMAXPROCS(0), runtime.NumCPU()), // a program may use more: see embedded.UseProcessors
			CPUSeconds: int64((cfg.CPU * time.Duration(cfg.Jobs)).Seconds()) + 1,
		},
	}
	p.started = sync.NewCond(&p.mu)
	first, err := p.start()
	if err != nil {
		p.group.Wait()
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, first)
	for range cfg.Workers - 1 {
		p.warm()
	}
	return p, nil
}

// Close ends all workers, also those that are at work, and waits for them. It
// is called once.
func (p *Pool) Close() {
	p.mu.Lock()
	close(p.closed)
	for w := range p.all {
		w.kill(errClosed)
	}
	for _, w := range p.idle {
		p.drop(w)
	}
	p.idle = nil
	p.mu.Unlock()
	for range p.cfg.Workers {
		p.slots <- struct{}{} // no job is at work, and none begins
	}
	p.group.Wait()
}

// isClosed reports whether the pool is closed.
func (p *Pool) isClosed() bool {
	select {
	case <-p.closed:
		return true
	default:
		return false
	}
}

var errClosed = errors.New("the pool of workers is closed")

// Run has a worker do a job, and waits for one that is free. An error that
// [IsFailure] reports is the worker's end; others are those of ctx, of the files'
// sources, of Put, or the task's own.
func (p *Pool) Run(ctx context.Context, o Order) error {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-p.closed:
		return errClosed
	}
	defer func() { <-p.slots }()
	w, err := p.take()
	if err != nil {
		return err
	}
	talking := true
	defer func() {
		if talking { // a callback has panicked in the middle of a job
			w.kill(errStopped)
		}
		p.give(w)
	}()
	err = w.run(ctx, o, min(p.cfg.CPU, Overrun*o.Timeout), p.cfg.Log)
	talking = false
	p.counters.jobs.Inc()
	if IsFailure(err) {
		p.counters.failures.WithLabelValues(cause(err)).Inc()
		p.cfg.Log.Warn("a worker ended", zap.String("task", o.Task), zap.Error(err))
	}
	return err
}

// take gives an idle worker, or one that is about to be, or starts one.
func (p *Pool) take() (*process, error) {
	p.mu.Lock()
	for len(p.idle) > 0 || p.starting > 0 {
		n := len(p.idle)
		if n == 0 {
			p.started.Wait()
			continue
		}
		w := p.idle[n-1]
		p.idle = p.idle[:n-1]
		if !w.isGone() {
			p.mu.Unlock()
			return w, nil
		}
		p.drop(w)
	}
	p.mu.Unlock()
	return p.start()
}

// drop forgets a worker that has ended. The lock is held.
func (p *Pool) drop(w *process) {
	delete(p.all, w)
	p.group.Go(w.stop)
}

// give takes a worker back after a job, or replaces it.
func (p *Pool) give(w *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !w.isGone() && !p.isWorn(w) {
		p.idle = append(p.idle, w)
		return
	}
	w.kill(errStopped)
	p.drop(w)
	if !p.isClosed() {
		p.warm()
	}
}

// isWorn reports whether a worker has done enough: what is left of large jobs in
// its memory is not there for the next one.
func (p *Pool) isWorn(w *process) bool {
	return w.jobs >= p.cfg.Jobs || w.mapped > p.cfg.Memory/4
}

// warm starts a worker in the background, for the next job. The lock is held.
func (p *Pool) warm() {
	p.starting++
	p.group.Go(func() {
		w, err := p.start()
		p.mu.Lock()
		defer p.mu.Unlock()
		p.starting--
		p.started.Broadcast()
		switch {
		case err == nil && p.isClosed():
			p.drop(w)
		case err == nil:
			p.idle = append(p.idle, w)
		case !errors.Is(err, errClosed):
			p.cfg.Log.Error("a worker did not start", zap.Error(err))
		}
	})
}

func (p *Pool) start() (*process, error) {
	w, err := start(p.settings)
	if err != nil {
		return nil, err
	}
	if err := w.confined.checkEnough(p.cfg.Unconfined); err != nil {
		w.stop()
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.isClosed() {
		p.group.Go(w.stop)
		return nil, errClosed
	}
	p.all[w] = true
	p.counters.setConfined(w.confined.Without == "")
	if w.confined.Without != "" {
		p.warned.Do(func() {
			p.cfg.Log.Warn("development only, no files of customers: workers may open files and connections, system calls are not filtered", zap.String("why", w.confined.Without))
		})
	}
	return w, nil
}
