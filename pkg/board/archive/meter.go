package archive

import (
	"errors"
	"io"
)

// A meter counts what comes out of an archive and, with it, out of those that
// it lies in.
type meter struct {
	limits   *Limits
	packed   int64  // size of the archive
	unpacked int64  // what came out of it and of those in it
	total    *int64 // of all archives
	parent   *meter
}

// excess says in which way n more bytes are too many; "" if they are not.
func (m *meter) excess(n int64) string {
	*m.total += n
	if *m.total > m.limits.Bytes {
		return tooMuch
	}
	for ; m != nil; m = m.parent {
		m.unpacked += n
		if m.unpacked > m.limits.Slack && m.unpacked/m.limits.Ratio > m.packed {
			return tooDense
		}
	}
	return ""
}

const (
	tooMuch  = "unpacks to more than %d MB in all"
	tooDense = "unpacks to more than %d times the size of its archive"
)

// excessError is the error for what excess said.
func (l *level) excessError(member, excess string) error {
	if excess == tooMuch {
		return l.problem(TooLarge, member, excess, l.limits.Bytes>>20)
	}
	return l.problem(TooLarge, member, excess, l.limits.Ratio)
}

// measured reads the content of a member. Its error, other than io.EOF, is
// kept and says what is wrong in the terms of this package.
type measured struct {
	level   *level
	member  string
	r       io.Reader
	metered bool // whether reading r adds to the meter
	err     error
}

func (c *measured) Read(p []byte) (n int, err error) {
	if c.err != nil {
		return 0, c.err
	}
	if err := c.level.ctx.Err(); err != nil {
		return 0, c.keep(err)
	}
	n, err = guard(func() (int, error) { return c.r.Read(p) })
	if c.metered && n > 0 {
		if excess := c.level.meter.excess(int64(n)); excess != "" {
			return 0, c.keep(c.level.excessError(c.member, excess))
		}
	}
	if err != nil && err != io.EOF {
		return n, c.keep(err)
	}
	return n, err
}

func (c *measured) keep(err error) error {
	if e, ok := errors.AsType[*Error](err); ok && e.Member == "" && c.member != "" {
		err = c.level.problem(e.Code, c.member, "%s", e.Reason)
	}
	c.err = c.level.fail(c.member, err)
	return c.err
}

// finish reads what was not read, so that a checksum at the end is checked,
// and returns what was wrong with the content.
func (c *measured) finish() error {
	_, _ = io.Copy(io.Discard, onlyReader{c}) // the error is kept
	return c.err
}

// onlyReader hides what else a reader can do, so that no copy goes past Read.
type onlyReader struct{ io.Reader }
