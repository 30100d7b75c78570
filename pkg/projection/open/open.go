// Package open opens the projection store that a URL names.
package open

import (
	"context"
	"fmt"
	"strings"

	"boardorder/pkg/projection"
	"boardorder/pkg/projection/mongo"
	"boardorder/pkg/projection/sqlite"
)

// A Store is what both adapters are.
type Store interface {
	projection.Store
	projection.Rebuilder
}

// Open opens "sqlite:<path>", a file that is created when it is missing, or
// "mongodb://…" or "mongodb+srv://…" with the database's name as its path.
// Errors show no password.
func Open(ctx context.Context, target string) (Store, error) {
	scheme, rest, ok := strings.Cut(target, ":")
	switch {
	case ok && scheme == "sqlite" && rest != "":
		return opened(sqlite.Open(ctx, rest))
	case ok && (scheme == "mongodb" || scheme == "mongodb+srv"):
		return opened(mongo.Open(target))
	}
	return nil, fmt.Errorf("projection must be sqlite:<path> or mongodb://host/database, not %.12q…", scheme)
}

// opened keeps a nil pointer from becoming a store that is not nil.
func opened[S Store](store S, err error) (Store, error) {
	if err != nil {
		return nil, err
	}
	return store, nil
}
