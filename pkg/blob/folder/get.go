package folder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/blob"
)

// Get opens a file. What it returns is also an io.ReaderAt and io.Seeker.
func (s *Store) Get(ctx context.Context, key string) (io.ReadCloser, blob.Info, error) {
	f, info, err := s.open(ctx, key)
	if err != nil {
		return nil, blob.Info{}, fmt.Errorf("get %s: %w", key, err)
	}
	return content{io.NewSectionReader(f, 0, info.Size), f}, info, nil
}

type content struct {
	*io.SectionReader
	io.Closer
}

// Stat describes a file.
func (s *Store) Stat(ctx context.Context, key string) (blob.Info, error) {
	f, info, err := s.open(ctx, key)
	if err != nil {
		return blob.Info{}, fmt.Errorf("stat %s: %w", key, err)
	}
	return info, f.Close()
}

func (s *Store) open(ctx context.Context, key string) (*os.File, blob.Info, error) {
	if err := errors.Join(blob.ValidKey(key), ctx.Err()); err != nil {
		return nil, blob.Info{}, err
	}
	f, err := s.root.Open(key + suffix)
	if missing(err) {
		return nil, blob.Info{}, blob.ErrNotFound
	}
	if err != nil {
		return nil, blob.Info{}, err
	}
	info, err := describe(f, key)
	if err != nil {
		return nil, blob.Info{}, errors.Join(err, f.Close())
	}
	return f, info, nil
}

func describe(f *os.File, key string) (blob.Info, error) {
	contentType, size, err := readFooter(f)
	if err != nil {
		return blob.Info{}, err
	}
	stat, err := f.Stat()
	if err != nil {
		return blob.Info{}, err
	}
	return blob.Info{Key: key, Size: size, ContentType: contentType, ModTime: stat.ModTime().UTC()}, nil
}

// List walks the folders that the prefix may lead into.
func (s *Store) List(ctx context.Context, prefix string) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		err := blob.ValidPrefix(prefix)
		if err == nil {
			err = s.walk(ctx, ".", prefix, func(i blob.Info) bool { return yield(i, nil) })
		}
		if err != nil && !errors.Is(err, fs.SkipAll) {
			yield(blob.Info{}, fmt.Errorf("list %q: %w", prefix, err))
		}
	}
}

// walk yields the blobs under dir in order of key, and fs.SkipAll when yield
// has had enough.
func (s *Store) walk(ctx context.Context, dir, prefix string, yield func(blob.Info) bool) error {
	entries, err := s.entries(dir)
	if missing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(place(a), place(b)) })
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.visit(ctx, path.Join(dir, e.Name()), e, prefix, yield); err != nil {
			return err
		}
	}
	return nil
}

// place is what an entry sorts by: a folder as all keys in it begin, a file as
// its key ends.
func place(e fs.DirEntry) string {
	if e.IsDir() {
		return e.Name() + "/"
	}
	return strings.TrimSuffix(e.Name(), suffix)
}

func (s *Store) visit(ctx context.Context, name string, e fs.DirEntry, prefix string, yield func(blob.Info) bool) error {
	if e.IsDir() {
		inside := name + "/"
		if name == temporary || !strings.HasPrefix(inside, prefix) && !strings.HasPrefix(prefix, inside) {
			return nil
		}
		return s.walk(ctx, name, prefix, yield)
	}
	key, ok := strings.CutSuffix(name, suffix)
	if !ok || !strings.HasPrefix(key, prefix) || blob.ValidKey(key) != nil {
		return nil
	}
	info, err := e.Info()
	if missing(err) {
		return nil // deleted meanwhile
	}
	if err != nil {
		return err
	}
	if !yield(blob.Info{Key: key, Size: max(info.Size()-footerSize, 0), ModTime: info.ModTime().UTC()}) {
		return fs.SkipAll
	}
	return nil
}
