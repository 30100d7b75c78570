package access

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"boardorder/pkg/blob"
	"boardorder/pkg/projection"
)

// ErrRefused says that a program has no right to what it asked of a store.
var ErrRefused = errors.New("deploy/access refuses it")

// Confine gives the stores as a program's users at MongoDB and at the bucket see them,
// where one process holds all programs. Who writes documents has the projection as it
// is, because it makes it anew as well.
func Confine(program string, docs projection.Store, files blob.Store) (projection.Store, blob.Store) {
	i := slices.IndexFunc(Services(), func(p Program) bool { return p.Name == program })
	if i < 0 {
		return docs, files
	}
	p := Services()[i]
	if len(p.Documents.Write) == 0 {
		docs = documents{docs, p}
	}
	return docs, filesOf{files, p}
}

type documents struct {
	projection.Store
	program Program
}

func (d documents) check(kind string) error {
	if !slices.Contains(d.program.Documents.Read, kind) {
		return fmt.Errorf("%s reads documents of kind %s: %w", d.program.Name, kind, ErrRefused)
	}
	return nil
}

func (d documents) Put(context.Context, ...projection.Document) error {
	return fmt.Errorf("%s writes documents: %w", d.program.Name, ErrRefused)
}

func (d documents) Get(ctx context.Context, kind, id string) (projection.Document, error) {
	if err := d.check(kind); err != nil {
		return projection.Document{}, err
	}
	return d.Store.Get(ctx, kind, id)
}

func (d documents) List(ctx context.Context, kind, key, value string, page projection.Page) ([]projection.Document, string, error) {
	if err := d.check(kind); err != nil {
		return nil, "", err
	}
	return d.Store.List(ctx, kind, key, value, page)
}

func (d documents) Count(ctx context.Context, kind, key, value string) (int, error) {
	if err := d.check(kind); err != nil {
		return 0, err
	}
	return d.Store.Count(ctx, kind, key, value)
}

func (d documents) Find(ctx context.Context, kind, prefix string, limit int) ([]projection.Document, error) {
	if err := d.check(kind); err != nil {
		return nil, err
	}
	return d.Store.Find(ctx, kind, prefix, limit)
}

type filesOf struct {
	blob.Store
	program Program
}

func (f filesOf) check(verb string, prefixes []string, keys ...string) error {
	for _, key := range keys {
		if !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(key, p) }) {
			return fmt.Errorf("%s %s %s: %w", f.program.Name, verb, key, ErrRefused)
		}
	}
	return nil
}

func (f filesOf) Put(ctx context.Context, key string, r io.Reader, size int64, contentType string) (blob.Info, error) {
	if err := f.check("puts", f.program.Files.Put, key); err != nil {
		return blob.Info{}, err
	}
	return f.Store.Put(ctx, key, r, size, contentType)
}

func (f filesOf) Get(ctx context.Context, key string) (io.ReadCloser, blob.Info, error) {
	if err := f.check("reads", f.program.Files.Read, key); err != nil {
		return nil, blob.Info{}, err
	}
	return f.Store.Get(ctx, key)
}

func (f filesOf) Stat(ctx context.Context, key string) (blob.Info, error) {
	if err := f.check("reads", f.program.Files.Read, key); err != nil {
		return blob.Info{}, err
	}
	return f.Store.Stat(ctx, key)
}

func (f filesOf) Delete(ctx context.Context, keys ...string) error {
	if err := f.check("deletes", f.program.Files.Delete, keys...); err != nil {
		return err
	}
	return f.Store.Delete(ctx, keys...)
}

func (f filesOf) List(ctx context.Context, prefix string) iter.Seq2[blob.Info, error] {
	if err := f.check("lists", f.program.Files.Read, prefix); err != nil {
		return func(yield func(blob.Info, error) bool) { yield(blob.Info{}, err) }
	}
	return f.Store.List(ctx, prefix)
}
