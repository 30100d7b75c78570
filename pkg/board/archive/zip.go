package archive

import (
	"archive/zip"
	"compress/bzip2"
	"errors"
	"io"
	"io/fs"
)

// encryptedFlag is the bit of a zip entry's flags for a password.
const encryptedFlag = 1

// bzip2Method is the number of a method that the library leaves to others.
const bzip2Method = 12

// readZip checks all entries before it unpacks the first.
func (l *level) readZip() error {
	z, err := openZip(l.source, l.size)
	if err != nil {
		return l.fail("", err)
	}
	z.RegisterDecompressor(bzip2Method, func(r io.Reader) io.ReadCloser { return io.NopCloser(bzip2.NewReader(r)) })
	return l.extractAll(len(z.File), func(i int) entry { return zipEntry(z.File[i]) })
}

// maxDirectory is how many bytes may be read to learn what a zip holds: room
// for tens of thousands of names.
const maxDirectory = 8 << 20

// openZip reads the directory of a zip. Names are not its business.
func openZip(r io.ReaderAt, size int64) (*zip.Reader, error) {
	d := &directory{r: r, left: maxDirectory}
	z, err := guard(func() (*zip.Reader, error) { return zip.NewReader(d, size) })
	if d.left < 0 {
		return nil, errDirectory
	}
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, err
	}
	d.read = true
	return z, nil
}

// directory bounds what is read of r until read is set. The library goes on
// for as long as it finds entries, whatever number was announced.
type directory struct {
	r    io.ReaderAt
	left int64
	read bool
}

var errDirectory = errors.New("directory of the zip is too long")

func (d *directory) ReadAt(p []byte, at int64) (int, error) {
	if d.read {
		return d.r.ReadAt(p, at)
	}
	if d.left -= int64(len(p)); d.left < 0 {
		return 0, errDirectory
	}
	return d.r.ReadAt(p, at)
}

func zipEntry(f *zip.File) entry {
	return entry{
		name:      f.Name,
		mode:      zipMode(f),
		encrypted: f.Flags&encryptedFlag != 0,
		size:      int64(min(f.UncompressedSize64, 1<<62)),
		modified:  f.Modified,
		metered:   true,
		open:      f.Open,
	}
}

// zipMode does not believe in a folder with content, which could be opened.
func zipMode(f *zip.File) fs.FileMode {
	mode := f.Mode()
	if mode.IsDir() && f.UncompressedSize64 > 0 {
		return fs.ModeIrregular
	}
	return mode
}

// extractAll is for the formats that list their entries: it admits n of them
// and then unpacks them.
func (l *level) extractAll(n int, at func(i int) entry) error {
	var work []func() error
	var announced int64
	for i := range n {
		e := at(i)
		name, keep, err := l.admit(e)
		if err != nil {
			return err
		}
		if !keep && (!e.solid || e.mode.IsDir()) {
			continue
		}
		if announced += e.size; announced > l.limits.Bytes || announced < 0 {
			return l.excessError(name, tooMuch) // by its own word
		}
		do := l.skip
		if keep {
			do = l.extract
		}
		work = append(work, func() error { return do(e, name) })
	}
	for _, do := range work {
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}
