package archive

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
)

// A File is one file with what it holds.
type File struct {
	Name string // path below the folder; members of archives behind "!/"
	Data []byte
}

// Load gives the files of a folder, archives unpacked within the limits of uploads, and
// why archives were refused, of which it gives nothing. The error is one of fsys, or ctx's.
func Load(ctx context.Context, fsys fs.FS) (files []File, refused []*Error, err error) {
	err = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		members, err := load(ctx, name, data)
		if bad, ok := errors.AsType[*Error](err); ok {
			refused = append(refused, bad)
			return nil
		}
		files = append(files, members...)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return files, refused, nil
}

func load(ctx context.Context, name string, data []byte) ([]File, error) {
	format, err := Detect(name, bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	if format == None {
		return []File{{Name: name, Data: data}}, nil
	}
	var out []File
	_, err = Unpack(ctx, name, bytes.NewReader(data), int64(len(data)), DefaultLimits(), func(m Member, r io.Reader) error {
		content, err := io.ReadAll(r)
		out = append(out, File{Name: name + "!/" + m.Name, Data: content})
		return err
	})
	return out, err
}
