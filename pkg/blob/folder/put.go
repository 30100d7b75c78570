package folder

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"boardorder/pkg/blob"
)

// Put writes a temporary file and renames it.
func (s *Store) Put(ctx context.Context, key string, r io.Reader, size int64, contentType string) (blob.Info, error) {
	info, err := s.put(ctx, key, r, size, blob.ContentType(contentType))
	if err != nil {
		return blob.Info{}, fmt.Errorf("put %s: %w", key, err)
	}
	return info, nil
}

func (s *Store) put(ctx context.Context, key string, r io.Reader, size int64, contentType string) (blob.Info, error) {
	if err := blob.ValidKey(key); err != nil {
		return blob.Info{}, err
	}
	foot, err := footer(contentType)
	if err != nil {
		return blob.Info{}, err
	}
	f, name, err := s.create()
	if err != nil {
		return blob.Info{}, err
	}
	written, err := write(f, &cancelled{ctx, blob.SizeReader(r, size)}, foot)
	if err == nil {
		err = s.publish(name, key)
	}
	if err != nil {
		_ = s.root.Remove(name) // the first error is the one that matters
		return blob.Info{}, err
	}
	stored, err := s.root.Stat(key + suffix)
	if missing(err) {
		return blob.Info{Key: key, Size: written, ContentType: contentType, ModTime: s.now().UTC()}, nil // deleted already
	}
	if err != nil {
		return blob.Info{}, err
	}
	return blob.Info{Key: key, Size: written, ContentType: contentType, ModTime: stored.ModTime().UTC()}, nil
}

func (s *Store) create() (f *os.File, name string, err error) {
	name = path.Join(temporary, rand.Text())
	f, err = s.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	return f, name, err
}

// write fills and syncs f, and closes it in any case.
func write(f *os.File, r io.Reader, foot []byte) (written int64, err error) {
	defer func() { err = errors.Join(err, f.Close()) }()
	if written, err = io.Copy(f, r); err != nil {
		return written, err
	}
	if _, err = f.Write(foot); err != nil {
		return written, err
	}
	return written, f.Sync()
}

// publish gives the temporary file its name. Its folder may vanish between
// being made and being used, when the last other blob in it is deleted; then
// it is made again.
func (s *Store) publish(name, key string) error {
	const attempts = 10
	dir := path.Dir(key)
	var err error
	for range attempts {
		if err = s.mkdir(dir); err == nil {
			err = s.root.Rename(name, key+suffix)
		}
		if err == nil {
			err = s.sync(dir)
		}
		if !missing(err) {
			return err
		}
		if _, lost := s.root.Stat(name); lost != nil {
			return nil // renamed, and deleted with its folder before the sync
		}
	}
	return err
}

// mkdir makes dir and what leads to it, each name synced.
func (s *Store) mkdir(dir string) error {
	if dir == "." {
		return nil
	}
	err := s.root.Mkdir(dir, 0o700)
	switch {
	case err == nil:
		return s.sync(path.Dir(dir))
	case errors.Is(err, fs.ErrExist):
		return nil
	case missing(err):
		if err := s.mkdir(path.Dir(dir)); err != nil {
			return err
		}
		if err := s.root.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		return s.sync(path.Dir(dir))
	}
	return err
}

// cancelled ends a read when its context ends.
type cancelled struct {
	ctx context.Context
	r   io.Reader
}

func (c *cancelled) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
