package mongo

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"boardorder/pkg/projection"
	"boardorder/pkg/projection/internal/cursor"
)

// collection is where a generation keeps a kind.
func collection(gen int64, kind string) string { return fmt.Sprintf("g%d.%s", gen, kind) }

// generationOf is the inverse of collection; ok is false for other names.
func generationOf(collection string) (gen int64, ok bool) {
	number, _, ok := strings.Cut(strings.TrimPrefix(collection, "g"), ".")
	gen, err := strconv.ParseInt(number, 10, 64)
	return gen, ok && err == nil && strings.HasPrefix(collection, "g")
}

// stored is a document as it lies in its collection. The body is text, so that
// it comes back byte for byte, its names may hold any character, and a person
// can read it.
type stored struct {
	ID     string            `bson:"_id"`
	Seq    int64             `bson:"seq"`
	At     int64             `bson:"at"` // see cursor.Nanos
	Keys   map[string]string `bson:"keys,omitempty"`
	Unique map[string]string `bson:"unique,omitempty"`
	Body   string            `bson:"body"`
}

func store(d projection.Document) stored {
	return stored{ID: d.ID, Seq: int64(d.Seq), At: cursor.Nanos(d.At), Keys: d.Keys, Unique: d.Unique, Body: string(d.Body)}
}

func (s stored) document(kind string) projection.Document {
	return projection.Document{
		Kind: kind, ID: s.ID, Seq: uint64(s.Seq), At: cursor.Time(s.At),
		Keys: s.Keys, Unique: s.Unique, Body: []byte(s.Body),
	}
}

// indexes makes the indexes of a collection before something is first written
// that they serve. Making one that is there is no change.
type indexes struct {
	made sync.Map // collection and field: struct{}
}

func (x *indexes) ensure(ctx context.Context, c *driver.Collection, docs []projection.Document) error {
	missing := map[string]driver.IndexModel{}
	x.note(missing, c, "at", false)
	for _, d := range docs {
		for key := range d.Keys {
			x.note(missing, c, "keys."+key, false)
		}
		for key := range d.Unique {
			x.note(missing, c, "unique."+key, true)
		}
	}
	for _, field := range slices.Sorted(maps.Keys(missing)) {
		if _, err := c.Indexes().CreateOne(ctx, missing[field]); err != nil {
			return fmt.Errorf("create index of %s on %s: %w", c.Name(), field, err)
		}
		x.made.Store(c.Name()+" "+field, struct{}{})
	}
	return nil
}

// note adds the index on field to missing unless it was made.
func (x *indexes) note(missing map[string]driver.IndexModel, c *driver.Collection, field string, unique bool) {
	if _, made := x.made.Load(c.Name() + " " + field); made {
		return
	}
	model := driver.IndexModel{Keys: bson.D{{Key: field, Value: 1}, {Key: "at", Value: -1}, {Key: "_id", Value: 1}}}
	switch {
	case unique:
		// Sparse: a document without the key clashes with no other such.
		model = driver.IndexModel{Keys: bson.D{{Key: field, Value: 1}}, Options: options.Index().SetUnique(true).SetSparse(true)}
	case field == "at":
		model.Keys = bson.D{{Key: "at", Value: -1}, {Key: "_id", Value: 1}}
	}
	missing[field] = model
}
