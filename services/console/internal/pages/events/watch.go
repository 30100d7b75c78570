package events

import (
	"context"
	"sync"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"

	"go.uber.org/zap"
)

// watches gives every live page the events that are stored. However many pages are
// open, each stream is read once, by headers only, and only while a page wants it.
type watches struct {
	bus Log
	log *zap.Logger

	mu  sync.RWMutex
	per map[contract.Aggregate]*watch
}

type watch struct {
	pages map[*collector]struct{}
	stop  context.CancelFunc
}

// join adds a page to the streams of some aggregates; leave takes it out again.
func (w *watches) join(of []contract.Aggregate, page *collector) (leave func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, a := range of {
		if w.per[a] == nil {
			ctx, stop := context.WithCancel(context.Background())
			w.per[a] = &watch{map[*collector]struct{}{}, stop}
			go w.read(ctx, a)
		}
		w.per[a].pages[page] = struct{}{}
	}
	return func() { w.leave(of, page) }
}

func (w *watches) leave(of []contract.Aggregate, page *collector) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, a := range of {
		if delete(w.per[a].pages, page); len(w.per[a].pages) == 0 {
			w.per[a].stop()
			delete(w.per, a)
		}
	}
}

// watchAgain is how long a stream is left alone that could not be read.
const watchAgain = time.Second

func (w *watches) read(ctx context.Context, a contract.Aggregate) {
	for ctx.Err() == nil {
		err := w.bus.Watch(ctx, a, func(h bus.Headline) { w.add(a, h) })
		if err == nil || ctx.Err() != nil {
			return
		}
		w.log.Warn("the live view cannot follow events", zap.String("aggregate", string(a)), zap.Error(err))
		select {
		case <-ctx.Done():
		case <-time.After(watchAgain):
		}
	}
}

func (w *watches) add(a contract.Aggregate, h bus.Headline) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if one := w.per[a]; one != nil {
		for page := range one.pages {
			page.add(h)
		}
	}
}
