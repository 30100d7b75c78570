package corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"boardorder/pkg/board/archive"
)

// File is one file of an upload. It converts to the File of every reader.
type File struct {
	Name string // path within the design; members of archives behind "!/"
	Data []byte
}

// Load gives the files of a folder, archives unpacked, and the archives that are
// damaged or hostile, of which it gives none.
func Load(ctx context.Context, dir string) (files []File, refused []*archive.Error, err error) {
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		members, err := unpack(ctx, filepath.ToSlash(rel), data)
		if bad := (*archive.Error)(nil); errors.As(err, &bad) {
			refused = append(refused, bad)
			return nil
		}
		files = append(files, members...)
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("load %s: %w", dir, err)
	}
	return files, refused, nil
}

func unpack(ctx context.Context, name string, data []byte) ([]File, error) {
	format, err := archive.Detect(name, bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	if format == archive.None {
		return []File{{Name: name, Data: data}}, nil
	}
	var out []File
	_, err = archive.Unpack(ctx, name, bytes.NewReader(data), int64(len(data)), archive.DefaultLimits(),
		func(m archive.Member, r io.Reader) error {
			content, err := io.ReadAll(r)
			out = append(out, File{Name: name + "!/" + m.Name, Data: content})
			return err
		})
	return out, err
}

// ConvertFiles gives files as another package's own File.
func ConvertFiles[F interface {
	~struct {
		Name string
		Data []byte
	}
}](files []File) []F {
	out := make([]F, len(files))
	for i, f := range files {
		out[i] = F(f)
	}
	return out
}
