// Package folder keeps blobs as files under one folder, which several
// processes of one machine may share.
//
// The blob a/b.png is the file a/b.png~ and a folder of blobs is a plain
// folder, so that a and a/b can both be blobs. A file is its blob's content,
// followed by a footer of fixed size with its content type. It is written
// under a temporary name, synced and renamed: a name that can be seen is whole
// and survives a crash.
package folder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"time"

	"boardorder/pkg/blob"
)

const (
	suffix    = "~"            // of a blob's file; no key has it
	temporary = "~tmp"         // the folder of files that are being written
	abandoned = 24 * time.Hour // the age at which one of them has no writer any more
)

// A Store is a blob.Store in a folder. Nothing it does leaves that folder, even
// when there are links in it.
type Store struct {
	root *os.Root
	now  func() time.Time
}

var _ blob.Store = (*Store)(nil)

// Open opens the folder, creating it when it is not there.
func Open(dir string, now func() time.Time) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("open blob folder: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open blob folder: %w", err)
	}
	s := &Store{root: root, now: now}
	if err := s.prepare(); err != nil {
		return nil, errors.Join(fmt.Errorf("open blob folder %s: %w", dir, err), root.Close())
	}
	return s, nil
}

// prepare makes the folder for temporary files and clears what crashes left.
func (s *Store) prepare() error {
	if err := s.root.Mkdir(temporary, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	entries, err := s.entries(temporary)
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || s.now().Sub(info.ModTime()) < abandoned {
			continue
		}
		if err := s.root.Remove(path.Join(temporary, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Close releases the folder.
func (s *Store) Close() error { return s.root.Close() }

// Ping writes and removes an empty file, so a full or read-only disk shows.
func (s *Store) Ping(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f, name, err := s.create()
	if err != nil {
		return fmt.Errorf("ping blob folder: %w", err)
	}
	if err := errors.Join(f.Close(), s.root.Remove(name)); err != nil {
		return fmt.Errorf("ping blob folder: %w", err)
	}
	return nil
}

// Delete removes files, and folders that are empty thereafter.
func (s *Store) Delete(ctx context.Context, keys ...string) error {
	for _, key := range keys {
		if err := blob.ValidKey(key); err != nil {
			return fmt.Errorf("delete: %w", err)
		}
	}
	for _, key := range keys {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.remove(key); err != nil {
			return fmt.Errorf("delete %s: %w", key, err)
		}
	}
	return nil
}

func (s *Store) remove(key string) error {
	err := s.root.Remove(key + suffix)
	if missing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	dir := path.Dir(key)
	if err := s.sync(dir); err != nil && !missing(err) {
		return err
	}
	for ; dir != "."; dir = path.Dir(dir) {
		if s.root.Remove(dir) != nil {
			break // it is not empty, or somebody else was faster
		}
	}
	return nil
}

// missing says that there is no such file or folder.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// sync makes the names in a folder durable.
func (s *Store) sync(dir string) error {
	f, err := s.root.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func (s *Store) entries(dir string) ([]fs.DirEntry, error) {
	f, err := s.root.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}
