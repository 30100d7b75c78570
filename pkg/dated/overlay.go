package dated

import (
	"errors"
	"io/fs"
)

// Overlay is the built-in tables with an operator's own in their place: a file
// that own has is taken from there. own may be nil.
func Overlay(own, builtIn fs.FS) fs.FS { return overlay{own, builtIn} }

type overlay struct{ own, builtIn fs.FS }

// Open takes a table from the operator's folder, or the built-in one where the
// folder has none. A table there that cannot be read is an error, never a
// reason to fall back on other rates.
func (o overlay) Open(name string) (fs.File, error) {
	if o.own == nil {
		return o.builtIn.Open(name)
	}
	f, err := o.own.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return o.builtIn.Open(name)
	}
	return f, err
}
