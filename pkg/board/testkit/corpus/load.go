package corpus

import (
	"context"
	"fmt"
	"os"

	"boardorder/pkg/board/archive"
)

// File is one file of an upload. It converts to the File of every reader.
type File = archive.File

// Load gives the files of a folder, archives unpacked, and the archives that are
// damaged or hostile, of which it gives none.
func Load(ctx context.Context, dir string) (files []File, refused []*archive.Error, err error) {
	files, refused, err = archive.Load(ctx, os.DirFS(dir))
	if err != nil {
		return nil, nil, fmt.Errorf("load %s: %w", dir, err)
	}
	return files, refused, nil
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
