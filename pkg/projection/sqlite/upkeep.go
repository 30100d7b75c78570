package sqlite

import (
	"context"
	"sync"
	"time"

	"boardorder/pkg/projection"
)

const (
	// checkpointEvery is how many bytes are put until the log is copied into the
	// file: often enough that the log stays at some MB, seldom enough that a
	// page that changes again and again is copied once.
	checkpointEvery = 32 << 20
	// documentCost is what a document adds to the log beside its body, in bytes.
	documentCost = 4 << 10
	// longLog is how many pages of 4 KiB the log may have before writers wait.
	longLog = 6000
	// emptyEvery is how often the log is emptied, so that what was erased stays in
	// it no longer.
	emptyEvery = time.Minute
	// expireEvery is how often documents that have left are looked for.
	expireEvery = 10 * time.Second
	// expireAtOnce is how many of them one transaction removes: few enough that
	// writers hardly wait.
	expireAtOnce = 200
)

// upkeep does in the background, in a process that writes, what no Put should
// wait for. What fails is tried again the next time.
type upkeep struct {
	written chan int // bytes
	cancel  context.CancelFunc
	done    sync.WaitGroup
}

func (u *upkeep) start(s *Store) {
	ctx, cancel := context.WithCancel(context.Background())
	u.written, u.cancel = make(chan int, 1), cancel
	u.done.Go(func() { s.maintain(ctx) })
}

func (u *upkeep) end() {
	u.cancel()
	u.done.Wait()
}

// wrote counts bytes, so that upkeep knows when there is work.
func (u *upkeep) wrote(n int) {
	for {
		select {
		case u.written <- n:
			return
		case waiting := <-u.written:
			n += waiting
		}
	}
}

func (s *Store) maintain(ctx context.Context) {
	tick := time.NewTicker(expireEvery)
	defer tick.Stop()
	empty := time.NewTicker(emptyEvery)
	defer empty.Stop()
	written, writes := 0, false
	for {
		select {
		case <-ctx.Done():
			return
		case n := <-s.upkeep.written:
			writes = true
			if written += n; written >= checkpointEvery {
				written = 0
				_ = s.checkpoint(ctx)
			}
		case <-empty.C:
			if writes {
				_ = s.emptyLog(ctx)
			}
		case <-tick.C:
			if writes { // who only reads leaves it to the others
				_ = s.expire(ctx, time.Now())
			}
		}
	}
}

// checkpoint copies the log into the file while writers go on. They add to it
// meanwhile; so when it has become long they wait while the little that is left
// is copied, and the log begins anew.
func (s *Store) checkpoint(ctx context.Context) error {
	length, err := s.copyLog(ctx, s.aside, "PASSIVE")
	if err != nil || length < longLog {
		return err
	}
	if _, err := s.copyLog(ctx, s.aside, "PASSIVE"); err != nil {
		return err
	}
	_, err = s.copyLog(ctx, s.write, "RESTART")
	return err
}

// emptyLog copies the log into the file and cuts it to nothing. Writers wait for
// the end of it only. While somebody reads of before, it changes nothing: then the
// next time does.
func (s *Store) emptyLog(ctx context.Context) error {
	if _, err := s.copyLog(ctx, s.aside, "PASSIVE"); err != nil {
		return err
	}
	_, err := s.copyLog(ctx, s.write, "TRUNCATE")
	return err
}

// copyLog returns how many pages the log has.
func (s *Store) copyLog(ctx context.Context, p *pool, mode string) (pages int, err error) {
	err = p.use(ctx, func(c *connection) error {
		var busy, copied int
		return c.row(ctx, `PRAGMA wal_checkpoint(`+mode+`)`, nil, &busy, &pages, &copied)
	})
	return pages, err
}

// cost is about what documents add to the log, in bytes.
func cost(docs []projection.Document) int {
	n := documentCost * len(docs)
	for _, d := range docs {
		n += len(d.Body)
	}
	return n
}

// expire removes the documents that left more than the retention ago.
func (s *Store) expire(ctx context.Context, now time.Time) error {
	before := now.Add(-projection.Retention).UnixMilli()
	for {
		var gone int
		err := s.change(ctx, func(ctx context.Context, c *connection) (err error) {
			gone, err = expireSome(ctx, c, before)
			return err
		})
		if err != nil || gone < expireAtOnce {
			return err
		}
		s.upkeep.wrote(gone * documentCost)
	}
}

func expireSome(ctx context.Context, c *connection, before int64) (int, error) {
	rows, err := c.integers(ctx, `SELECT row FROM document WHERE until <= ? AND until < 9223372036854775807 ORDER BY until LIMIT ?`, before, expireAtOnce)
	for _, row := range rows {
		if err == nil {
			err = c.remove(ctx, row)
		}
	}
	return len(rows), err
}

// remove removes the document in a row and whatever leads to it.
func (c *connection) remove(ctx context.Context, row int64) error {
	var gen int64
	var kind, id string
	if err := c.row(ctx, `SELECT gen, kind, id FROM document WHERE row = ?`, []any{row}, &gen, &kind, &id); err != nil {
		return err
	}
	l, err := c.listing(ctx, row)
	if err == nil {
		err = c.leave(ctx, gen, row, l)
	}
	if err == nil {
		_, err = c.exec(ctx, `DELETE FROM place WHERE gen = ? AND kind = ? AND id = ?`, gen, kind, id)
	}
	if err == nil {
		_, err = c.exec(ctx, `DELETE FROM term WHERE row = ?`, row)
	}
	if err == nil {
		_, err = c.exec(ctx, `DELETE FROM document WHERE row = ?`, row)
	}
	return err
}
