package archive

import (
	"hash"
	"hash/crc32"
	"io"
	"io/fs"

	"github.com/bodgit/sevenzip"
)

// readSevenZip unpacks the members in their order, so that a block that holds
// many is unpacked once.
func (l *level) readSevenZip() error {
	if err := checkSevenZip(l.source, l.size, l.maxEntries()); err != nil {
		return l.fail("", err)
	}
	z, err := guard(func() (*sevenzip.Reader, error) { return sevenzip.NewReader(l.source, l.size) })
	if err != nil {
		return l.fail("", err)
	}
	return l.extractAll(len(z.File), func(i int) entry { return sevenZipEntry(z.File[i]) })
}

func sevenZipEntry(f *sevenzip.File) entry {
	e := entry{
		name: f.Name, mode: f.Mode(), size: int64(min(f.UncompressedSize, 1<<62)), modified: f.Modified,
		metered: true, solid: true,
		open: func() (io.ReadCloser, error) {
			r, err := f.Open()
			if err != nil {
				return nil, err
			}
			return &summed{ReadCloser: r, left: f.UncompressedSize, hash: crc32.NewIEEE(), want: f.CRC32}, nil
		},
	}
	if e.mode.IsDir() && e.size > 0 {
		e.mode = fs.ModeIrregular
	}
	return e
}

// summed checks the length and checksum of a member at its end, which the
// library leaves to its users. A checksum of 0 is none.
type summed struct {
	io.ReadCloser
	left uint64
	hash hash.Hash32
	want uint32
}

func (s *summed) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	_, _ = s.hash.Write(p[:n]) // never fails
	s.left -= min(uint64(n), s.left)
	if err != io.EOF {
		return n, err
	}
	switch {
	case s.left > 0:
		return n, io.ErrUnexpectedEOF
	case s.want != 0 && s.hash.Sum32() != s.want:
		return n, errChecksum
	}
	return n, io.EOF
}
