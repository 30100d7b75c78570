package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"boardorder/pkg/projection"
)

// A connection to the file with the statements that were prepared on it. One
// goroutine uses it at a time.
type connection struct {
	*sql.Conn
	statements map[string]*sql.Stmt
}

// connect makes a connection that keeps cache KiB of the file in memory.
func connect(ctx context.Context, db *sql.DB, cache int) (*connection, error) {
	c, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := c.ExecContext(ctx, fmt.Sprintf("PRAGMA cache_size = -%d", cache)); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return &connection{Conn: c, statements: map[string]*sql.Stmt{}}, nil
}

// close closes the statements first: the file stays open with any of them.
func (c *connection) close() error {
	var errs []error
	for _, s := range c.statements {
		errs = append(errs, s.Close())
	}
	return errors.Join(append(errs, c.Conn.Close())...)
}

// statement prepares text, once.
func (c *connection) statement(ctx context.Context, text string) (*sql.Stmt, error) {
	if s, ok := c.statements[text]; ok {
		return s, nil
	}
	s, err := c.PrepareContext(ctx, text)
	if err != nil {
		return nil, fmt.Errorf("prepare %.60q: %w", text, err)
	}
	c.statements[text] = s
	return s, nil
}

// exec runs a statement that returns no rows.
func (c *connection) exec(ctx context.Context, text string, args ...any) (sql.Result, error) {
	s, err := c.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args...)
}

// query runs a statement that returns rows.
func (c *connection) query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	s, err := c.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

// row reads the one row of a statement; without a row it is sql.ErrNoRows.
func (c *connection) row(ctx context.Context, text string, args []any, into ...any) error {
	s, err := c.statement(ctx, text)
	if err != nil {
		return err
	}
	return s.QueryRowContext(ctx, args...).Scan(into...)
}

// transact runs do in a transaction that is committed when do returns nil. ctx
// bounds the wait for the write lock; what follows takes milliseconds, and
// watching ctx meanwhile would cost the driver a goroutine for each statement.
func (c *connection) transact(ctx context.Context, do func(ctx context.Context) error) error {
	_, err := c.exec(ctx, "BEGIN IMMEDIATE")
	if err != nil {
		err = fmt.Errorf("begin: %w", err)
	}
	ctx = context.WithoutCancel(ctx)
	if err == nil {
		err = do(ctx)
	}
	if err == nil {
		if _, err = c.exec(ctx, "COMMIT"); err != nil {
			err = fmt.Errorf("commit: %w", err)
		}
	}
	if err != nil {
		// It may have begun although ctx ended, or SQLite may have ended it by itself.
		_, _ = c.exec(ctx, "ROLLBACK")
	}
	return err
}

// A pool hands out connections, each to one goroutine at a time.
type pool struct {
	free   chan *connection
	size   int
	closed chan struct{}
}

func newPool(ctx context.Context, db *sql.DB, size, cache int) (*pool, error) {
	p := &pool{free: make(chan *connection, size), closed: make(chan struct{})}
	for range size {
		c, err := connect(ctx, db, cache)
		if err != nil {
			return nil, errors.Join(err, p.close())
		}
		p.size++
		p.free <- c
	}
	return p, nil
}

// use lends a connection to do.
func (p *pool) use(ctx context.Context, do func(c *connection) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return fmt.Errorf("wait for a connection: %w", ctx.Err())
	case <-p.closed:
		return fmt.Errorf("%w: it is closed", projection.ErrUnavailable)
	case c := <-p.free:
		defer func() { p.free <- c }()
		return do(c)
	}
}

// close waits for what is under way and lets nothing more begin.
func (p *pool) close() error {
	close(p.closed)
	var errs []error
	for range p.size {
		errs = append(errs, (<-p.free).close())
	}
	return errors.Join(errs...)
}
