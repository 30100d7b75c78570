package archive

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
)

// readTar reads a tar. The meter does not count its members: they are no
// larger than the tar, which holds no sparse ones.
func (l *level) readTar(r io.Reader) error {
	t := tar.NewReader(r)
	for {
		h, err := guard(t.Next)
		if err == io.EOF {
			return nil
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) { // names are checked here
			return l.fail("", err)
		}
		if h.Typeflag == tar.TypeXGlobalHeader {
			continue // a comment
		}
		e := entry{name: h.Name, mode: tarMode(h), size: h.Size, modified: h.ModTime, open: func() (io.ReadCloser, error) {
			return io.NopCloser(t), nil
		}}
		name, keep, err := l.admit(e)
		if err == nil && keep {
			err = l.extract(e, name)
		}
		if err != nil {
			return err
		}
	}
}

// tarMode goes by the type alone: the mode's own bits may say otherwise.
func tarMode(h *tar.Header) fs.FileMode {
	sparse := h.Typeflag == tar.TypeGNUSparse
	for name := range h.PAXRecords {
		sparse = sparse || strings.HasPrefix(name, "GNU.sparse.")
	}
	switch {
	case sparse:
		return fs.ModeIrregular
	case h.Typeflag == tar.TypeReg:
		return 0
	case h.Typeflag == tar.TypeDir:
		return fs.ModeDir
	case h.Typeflag == tar.TypeSymlink || h.Typeflag == tar.TypeLink:
		return fs.ModeSymlink
	case h.Typeflag == tar.TypeChar || h.Typeflag == tar.TypeBlock:
		return fs.ModeDevice
	case h.Typeflag == tar.TypeFifo:
		return fs.ModeNamedPipe
	}
	return fs.ModeIrregular
}

// decompress opens the stream of a compressed file.
func decompress(format Format, r io.Reader) (io.Reader, error) {
	if format == Bzip2 {
		return bzip2.NewReader(r), nil
	}
	in := bufio.NewReader(r)
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return &members{in: in, z: z}, nil
}

// members reads the members of a gzip one after the other. Zeros that fill the last block
// of a tape are its end, as other programs have it.
type members struct {
	in *bufio.Reader
	z  *gzip.Reader
}

func (m *members) Read(p []byte) (int, error) {
	n, err := m.z.Read(p)
	if err != io.EOF {
		return n, err
	}
	if err := m.skipPadding(); err != nil {
		return n, err
	}
	if err := m.z.Reset(m.in); err != nil {
		return n, err
	}
	m.z.Multistream(false)
	return n, nil
}

// skipPadding gives io.EOF where nothing but zeros follows.
func (m *members) skipPadding() error {
	for {
		head, err := m.in.Peek(1)
		if err != nil || head[0] != 0 {
			return err
		}
		if _, err := m.in.Discard(1); err != nil {
			return err
		}
	}
}

// readCompressed reads a compressed tar, or one compressed file. The meter
// counts the whole stream, also what is skipped.
func (l *level) readCompressed(format Format) error {
	r, err := decompress(format, bufio.NewReader(io.NewSectionReader(l.source, 0, l.size)))
	if err != nil {
		return l.fail("", err)
	}
	content := &measured{level: l, r: r, metered: true}
	buffered := bufio.NewReaderSize(content, 64<<10)
	head, err := buffered.Peek(HeadSize)
	if err != nil && err != io.EOF {
		return content.err
	}
	if isTar(head) {
		err = l.readTar(buffered)
	} else {
		err = l.readSingle(content, buffered)
	}
	if content.err != nil {
		return content.err
	}
	if err != nil {
		return err
	}
	return content.finish()
}

// readSingle emits the one file of a compressed stream, named by its archive.
func (l *level) readSingle(content *measured, r io.Reader) error {
	name := path.Base(l.name)
	if ext := path.Ext(name); len(ext) > 1 && len(ext) < len(name) {
		name = strings.TrimSuffix(name, ext)
	}
	e := entry{name: name, size: -1, open: func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
	name, keep, err := l.admit(e)
	if err != nil || !keep {
		return err
	}
	content.member = name
	return l.extract(e, name)
}

// isCompressedTar looks into a compressed file.
func isCompressedTar(r io.ReaderAt, size int64) bool {
	section := io.NewSectionReader(r, 0, size)
	head := make([]byte, HeadSize)
	n, _ := section.ReadAt(head, 0) // what is missing is not detected
	unpacked, err := decompress(DetectHead(head[:n]), section)
	if err != nil {
		return false
	}
	var inside bytes.Buffer
	_, _ = io.CopyN(&inside, unpacked, HeadSize) // a short one is no tar
	return isTar(inside.Bytes())
}
