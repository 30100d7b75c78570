package faults_test

import (
	"boardorder/pkg/contract"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// storeLocked holds the write lock of the projection.
func storeLocked(ctx context.Context, s *stage) error {
	db, err := sql.Open("sqlite", strings.TrimPrefix(s.system.Ready.Env["MONGO_URI"], "sqlite:")+"?_pragma=busy_timeout(30000)")
	if err != nil {
		return err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	wait(ctx, min(s.still, time.Minute))
	_, err = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	return err
}

// filesAway takes the folders of the files away. A file in the place of each
// makes every read and write an error, rather than find nothing.
func filesAway(ctx context.Context, s *stage) error {
	files := strings.TrimPrefix(s.system.Ready.Env["S3_URL"], "file:")
	folders, err := os.ReadDir(files)
	if err != nil {
		return err
	}
	for _, f := range folders {
		path := filepath.Join(files, f.Name())
		err = errors.Join(err, os.Rename(path, pathAway(path)), os.WriteFile(path, nil, 0o600))
	}
	if err != nil {
		return err
	}
	uploaded := make(chan error, 1)
	go func() {
		c := newClient(s.rig)
		defer c.http.CloseIdleConnections()
		id, err := c.upload(ctx, 1000)
		if err == nil {
			s.ledger.do(func() { s.ledger.uploads = append(s.ledger.uploads, id) })
		}
		uploaded <- err
	}()
	wait(ctx, min(s.still, time.Minute))
	select {
	case err := <-uploaded:
		uploaded <- errors.Join(errors.New("an upload was answered while its files could not be kept"), err)
	default:
	}
	for _, f := range folders {
		path := filepath.Join(files, f.Name())
		err = errors.Join(err, os.Remove(path), os.Rename(pathAway(path), path))
	}
	return errors.Join(err, <-uploaded)
}

// pathAway is where a folder of files is meanwhile, out of the store's sight.
func pathAway(path string) string {
	return filepath.Dir(path) + ".away-" + filepath.Base(path)
}

// full leaves no space in a stream.
func (s *stage) full(ctx context.Context, stream string) error {
	st, err := s.js.Stream(ctx, stream)
	if err != nil {
		return err
	}
	cfg := st.CachedInfo().Config
	cfg.MaxBytes = max(int64(st.CachedInfo().State.Bytes), 1)
	_, err = s.js.UpdateStream(ctx, cfg)
	return err
}

// enlarge applies the topology, which gives a stream its size again.
func (s *stage) enlarge(ctx context.Context) error { return s.system.Topology(ctx, nil, "apply") }

// requestsFull proves that a customer learns when to come again.
func requestsFull(ctx context.Context, s *stage) error {
	if err := s.full(ctx, contract.RequestStream); err != nil {
		return err
	}
	refused := s.awaitRefusal(ctx)
	if err := errors.Join(refused, s.enlarge(ctx)); err != nil {
		return err
	}
	return nil
}

// awaitRefusal makes new requests until one is refused: what is full is so by its
// bytes, and some may still fit.
func (s *stage) awaitRefusal(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	c := newClient(s.rig)
	defer c.http.CloseIdleConnections()
	for i := 0; limited.Err() == nil; i++ {
		body := s.request(fmt.Sprintf("too many %d %d", i, time.Now().UnixNano()))
		a, err := c.send(limited, http.MethodPost, "/v1/quotes?wait_s=0", "application/json", body)
		switch {
		case err != nil:
			return err
		case a.status == http.StatusServiceUnavailable:
			c.note(a)
			return nil
		case a.status >= 400:
			return fmt.Errorf("nothing can be accepted, and the answer is %d %s", a.status, a.body)
		}
	}
	return errors.New("no request was refused")
}

// quotesFull proves that what was accepted waits for space.
func quotesFull(ctx context.Context, s *stage) error {
	if err := s.full(ctx, contract.EventStream(contract.QuoteAggregate)); err != nil {
		return err
	}
	answered := make(chan error, 1)
	go func() { answered <- s.askNewQuote(ctx, "quotes full") }()
	wait(ctx, min(s.still, 20*time.Second))
	if err := s.enlarge(ctx); err != nil {
		return err
	}
	return <-answered
}

// rebuild makes the projection anew while it is used.
func rebuild(ctx context.Context, s *stage) error { return s.runRebuild(ctx, nil) }
