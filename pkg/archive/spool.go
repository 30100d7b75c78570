package archive

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// inMemory is the size up to which an archive in an archive is held in memory.
const inMemory = 1 << 20

// spooled is content that can be read at any place.
type spooled struct {
	io.ReaderAt
	close func() error
}

func (s spooled) Close() error {
	if s.close == nil {
		return nil
	}
	return s.close()
}

// spool reads r to its end, into memory or an unnamed file in the system's
// folder for such. The meter of r bounds its size.
func spool(r io.Reader) (spooled, int64, error) {
	head, err := io.ReadAll(io.LimitReader(r, inMemory))
	if err != nil {
		return spooled{}, 0, err
	}
	if len(head) < inMemory {
		return spooled{ReaderAt: bytes.NewReader(head)}, int64(len(head)), nil
	}
	f, err := os.CreateTemp("", "archive-*")
	if err != nil {
		return spooled{}, 0, err
	}
	s := spooled{f, f.Close}
	if os.Remove(f.Name()) != nil { // where a file must keep its name while it is open
		s.close = func() error { return errors.Join(f.Close(), os.Remove(f.Name())) }
	}
	n, err := io.Copy(f, io.MultiReader(bytes.NewReader(head), r))
	if err != nil {
		return spooled{}, 0, errors.Join(err, s.Close())
	}
	return s, n, nil
}
