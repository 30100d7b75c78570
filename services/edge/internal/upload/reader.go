package upload

import (
	"hash"
	"io"
)

// counted reads one file: it counts, digests and stops at the limits.
type counted struct {
	r             io.Reader
	hash          hash.Hash
	n, most, left int64
	err           error // of reading, as opposed to storing
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	c.hash.Write(p[:n])
	switch {
	case c.n > c.most:
		err = errFileTooLarge
	case c.n > c.left:
		err = errUploadTooLarge
	}
	if err != nil && err != io.EOF {
		c.err = err
		return 0, err
	}
	return n, err
}

// end stands behind a form. The form reader takes some ways of ending early for
// the end; it never does so for this error. The line break in front of it
// closes a last boundary that has none.
type end struct{}

func (end) Read([]byte) (int, error) { return 0, errIncomplete }

// meter bounds how much is read for one purpose, so that endless headers cannot
// fill the memory.
type meter struct {
	r    io.Reader
	left int64 // -1 = not bounded here
	over error
}

// allow starts a new budget; what the form reader has read ahead is on top.
func (m *meter) allow(n int64, over error) { m.left, m.over = n, over }

func (m *meter) Read(p []byte) (int, error) {
	if m.left == 0 {
		return 0, m.over
	}
	if m.left > 0 && int64(len(p)) > m.left {
		p = p[:m.left]
	}
	n, err := m.r.Read(p)
	if m.left > 0 {
		m.left -= int64(n)
	}
	return n, err
}
