package blob

import (
	"fmt"
	"io"
)

// SizeReader returns a reader of r that fails with ErrSize, instead of ending, when
// r does not yield size bytes; a size of -1 accepts any number.
func SizeReader(r io.Reader, size int64) io.Reader {
	if size < 0 {
		return r
	}
	return &sized{r: r, size: size}
}

type sized struct {
	r          io.Reader
	size, read int64
}

func (s *sized) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.read += int64(n)
	if s.read > s.size {
		return 0, fmt.Errorf("%w: more than %d bytes", ErrSize, s.size)
	}
	if err == io.EOF && s.read < s.size {
		return n, fmt.Errorf("%w: %d of %d bytes", ErrSize, s.read, s.size)
	}
	return n, err
}

// ContentType is what to store for a content type that may be empty.
func ContentType(t string) string {
	if t == "" {
		return DefaultContentType
	}
	return t
}
