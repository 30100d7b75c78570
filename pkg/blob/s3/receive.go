package s3

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"boardorder/pkg/blob"
)

// small is the size up to which content is received in memory.
const small = 64 << 10

// A received content has a known size and can be read again from its start.
type received struct {
	io.ReadSeeker
	size  int64
	close func() error
}

func (r received) Close() error {
	if r.close == nil {
		return nil
	}
	return r.close()
}

// receive reads r to its end, into memory when it is small and otherwise into
// an unnamed file in folder spool. A reader that starts at
// its beginning and can be rewound is used as it is.
func receive(ctx context.Context, r io.Reader, size int64, spool string) (received, error) {
	if c, ok, err := rewindable(r, size); ok || err != nil {
		return c, err
	}
	r = &cancelled{ctx, blob.SizeReader(r, size)}
	// Not io.ReadFull, for which a reader that was cut off looks like one that
	// has ended.
	head, err := io.ReadAll(io.LimitReader(r, small))
	if err != nil {
		return received{}, err
	}
	if len(head) < small {
		return received{ReadSeeker: bytes.NewReader(head), size: int64(len(head))}, nil
	}
	return spoolToFile(io.MultiReader(bytes.NewReader(head), r), spool)
}

func rewindable(r io.Reader, size int64) (received, bool, error) {
	s, ok := r.(io.ReadSeeker)
	if !ok {
		return received{}, false, nil
	}
	at, err := s.Seek(0, io.SeekCurrent)
	if err != nil || at != 0 {
		return received{}, false, nil // a pipe, or one that is not at its start
	}
	end, err := s.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = s.Seek(0, io.SeekStart)
	}
	if err == nil && size >= 0 && end != size {
		err = fmt.Errorf("%w: %d of %d bytes", blob.ErrSize, end, size)
	}
	return received{ReadSeeker: s, size: end}, true, err
}

func spoolToFile(r io.Reader, folder string) (received, error) {
	f, err := os.CreateTemp(folder, "blob-*")
	if err != nil {
		return received{}, fmt.Errorf("spool: %w", err)
	}
	drop := f.Close
	if os.Remove(f.Name()) != nil { // where a file must keep its name while it is open
		drop = func() error { return errors.Join(f.Close(), os.Remove(f.Name())) }
	}
	n, err := io.Copy(f, r)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return received{}, errors.Join(err, drop())
	}
	return received{ReadSeeker: f, size: n, close: drop}, nil
}

// cancelled ends a read when its context ends.
type cancelled struct {
	ctx context.Context
	r   io.Reader
}

func (c *cancelled) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
