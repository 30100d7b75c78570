package archive

import (
	"bufio"
	"io"
	"io/fs"

	"github.com/nwaples/rardecode/v2"
)

// maxDictionary bounds the memory that a rar may ask for.
const maxDictionary = 64 << 20

// readRar unpacks also what is left out: what follows may build on it.
func (l *level) readRar() error {
	packed := bufio.NewReader(io.NewSectionReader(l.source, 0, l.size))
	r, err := guard(func() (*rardecode.Reader, error) {
		return rardecode.NewReader(packed, rardecode.MaxDictionarySize(maxDictionary))
	})
	if err != nil {
		return l.fail("", err)
	}
	for {
		h, err := guard(r.Next)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return l.fail("", err)
		}
		if err := l.rarEntry(r, h); err != nil {
			return err
		}
	}
}

func (l *level) rarEntry(r *rardecode.Reader, h *rardecode.FileHeader) error {
	e := entry{
		name: h.Name, mode: h.Mode(), encrypted: h.Encrypted || h.HeaderEncrypted,
		size: h.UnPackedSize, modified: h.ModificationTime, metered: true,
		open: func() (io.ReadCloser, error) { return io.NopCloser(onlyReader{r}), nil },
	}
	if h.LinkType != 0 {
		e.mode |= fs.ModeSymlink
	}
	if h.UnKnownSize {
		e.size = -1
	}
	name, keep, err := l.admit(e)
	switch {
	case err != nil:
		return err
	case keep:
		return l.extract(e, name)
	case e.mode.IsDir() || e.encrypted:
		return nil
	}
	return l.skip(e, name)
}
