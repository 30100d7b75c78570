package strict

import (
	"bytes"
	"net"
)

// ahead is what was read of a connection before it was wanted.
type ahead []byte

// read reads what comes next, of what was read already first.
func (a *ahead) read(c net.Conn, p []byte) (int, error) {
	if len(*a) == 0 {
		return c.Read(p)
	}
	n := copy(p, *a)
	a.drop(n)
	return n, nil
}

func (a *ahead) drop(n int) {
	if *a = (*a)[n:]; len(*a) == 0 {
		*a = nil
	}
}

// unread gives back what was read too much.
func (a *ahead) unread(p []byte) {
	if len(p) > 0 {
		*a = append(bytes.Clone(p), *a...)
	}
}
