// Package open opens the projection store that a URL names.
package open

import (
	"context"
	"fmt"
	"strings"

	"boardorder/pkg/projection"
	"boardorder/pkg/projection/mongo"
	"boardorder/pkg/projection/sqlite"
	"boardorder/pkg/tlsfiles"
)

// A Store is what both adapters are.
type Store interface {
	projection.Store
	projection.Rebuilder
}

// An Option changes how Open connects.
type Option func(*options)

type options struct{ tls tlsfiles.Files }

// TLS names the files that connections to a server use; a file needs none.
func TLS(files tlsfiles.Files) Option {
	return func(o *options) { o.tls = files }
}

// Open opens "sqlite:<path>", a file that is created when it is missing, or
// "mongodb://…" or "mongodb+srv://…" with the database's name as its path.
// Errors show no password.
func Open(ctx context.Context, target string, opts ...Option) (Store, error) {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	scheme, rest, ok := strings.Cut(target, ":")
	switch {
	case ok && scheme == "sqlite" && rest != "":
		return storeOrError(sqlite.Open(ctx, rest))
	case ok && (scheme == "mongodb" || scheme == "mongodb+srv"):
		c, err := o.tls.Config()
		if err != nil {
			return nil, fmt.Errorf("open projection: %w", err)
		}
		return storeOrError(mongo.Open(target, mongo.TLS(c)))
	}
	return nil, fmt.Errorf("projection must be sqlite:<path> or mongodb://host/database, not %.12q…", scheme)
}

// storeOrError keeps a nil pointer from becoming a store that is not nil.
func storeOrError[S Store](store S, err error) (Store, error) {
	if err != nil {
		return nil, err
	}
	return store, nil
}
