package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"boardorder/pkg/archive"
	"boardorder/pkg/board/reader"
)

// load gives the files of an upload, archives unpacked.
func load(dir string) ([]reader.File, error) {
	var out []reader.File
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
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
		files, err := unpack(filepath.ToSlash(rel), data)
		out = append(out, files...)
		return err
	})
	return out, err
}

func unpack(name string, data []byte) ([]reader.File, error) {
	format, err := archive.Detect(name, bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	if format == archive.None {
		return []reader.File{{Name: name, Data: data}}, nil
	}
	var out []reader.File
	_, err = archive.Unpack(context.Background(), name, bytes.NewReader(data), int64(len(data)), archive.DefaultLimits(),
		func(m archive.Member, r io.Reader) error {
			content, err := io.ReadAll(r)
			out = append(out, reader.File{Name: name + "!/" + m.Name, Data: content})
			return err
		})
	if refused := (*archive.Error)(nil); errors.As(err, &refused) {
		return nil, nil // a damaged archive has nothing to time
	}
	return out, err
}
