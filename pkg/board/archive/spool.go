package archive

import (
	"errors"
	"io"
)

// part is how much of a spooled file lies in one piece: it grows without being copied.
const part = 1 << 20

// spooled is content in memory that can be read at any place.
type spooled [][]byte

// spool reads r to its end. The meter of r bounds its size.
func spool(r io.Reader) (spooled, int64, error) {
	var s spooled
	var size int64
	for {
		b, err := io.ReadAll(io.LimitReader(r, part))
		if err != nil {
			return nil, 0, err
		}
		s, size = append(s, b), size+int64(len(b))
		if len(b) < part {
			return s, size, nil
		}
	}
}

// ReadAt implements io.ReaderAt.
func (s spooled) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 {
		return 0, errors.New("negative offset")
	}
	n := 0
	for n < len(p) {
		i, from := int((at+int64(n))/part), int((at+int64(n))%part)
		if i >= len(s) || from >= len(s[i]) {
			return n, io.EOF
		}
		n += copy(p[n:], s[i][from:])
	}
	return n, nil
}
