package mongo

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

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
	ID    string            `bson:"_id"`
	Seq   int64             `bson:"seq"`
	At    int64             `bson:"at"` // see cursor.Nanos
	Until *time.Time        `bson:"until,omitempty"`
	Keys  map[string]string `bson:"keys,omitempty"`
	Terms []string          `bson:"terms,omitempty"`
	Body  string            `bson:"body"`
}

func store(d projection.Document) stored {
	s := stored{ID: d.ID, Seq: int64(d.Seq), At: cursor.Nanos(d.At), Keys: d.Keys, Terms: d.Terms, Body: string(d.Body)}
	if !d.Until.IsZero() {
		s.Until = &d.Until
	}
	return s
}

func (s stored) document(kind string) projection.Document {
	d := projection.Document{Kind: kind, ID: s.ID, Seq: uint64(s.Seq), At: cursor.Time(s.At), Keys: s.Keys, Body: []byte(s.Body)}
	if s.Until != nil {
		d.Until = s.Until.UTC()
	}
	return d
}

// present matches documents that have not left.
func present() bson.E {
	return bson.E{Key: "until", Value: bson.D{{Key: "$not", Value: bson.D{{Key: "$lte", Value: time.Now()}}}}}
}

// indexes makes the indexes of a collection before something is first written
// that they serve. Making one that is there is no change.
type indexes struct {
	made sync.Map // collection and field: struct{}
}

func (x *indexes) ensure(ctx context.Context, c *driver.Collection, docs []projection.Document) error {
	fields := map[string]bool{"at": true}
	for _, d := range docs {
		for key := range d.Keys {
			fields["keys."+key] = true
		}
		if len(d.Terms) > 0 {
			fields["terms"] = true
		}
		if !d.Until.IsZero() {
			fields["until"] = true
		}
	}
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		name := c.Name() + " " + field
		if _, made := x.made.Load(name); made {
			continue
		}
		if _, err := c.Indexes().CreateOne(ctx, index(field)); err != nil && !noExpiry(field, err) {
			return fmt.Errorf("create index of %s on %s: %w", c.Name(), field, err)
		}
		x.made.Store(name, struct{}{})
	}
	return nil
}

// index orders documents as List returns them, and ends with what Count asks.
func index(field string) driver.IndexModel {
	order := bson.D{{Key: "at", Value: -1}, {Key: "_id", Value: 1}, {Key: "until", Value: 1}}
	switch field {
	case "until":
		return driver.IndexModel{
			Keys:    bson.D{{Key: "until", Value: 1}},
			Options: options.Index().SetExpireAfterSeconds(int32(projection.Retention.Seconds())),
		}
	case "terms":
		return driver.IndexModel{Keys: bson.D{{Key: "terms", Value: 1}}}
	case "at":
		return driver.IndexModel{Keys: order}
	}
	return driver.IndexModel{Keys: append(bson.D{{Key: field, Value: 1}}, order...)}
}

// noExpiry says that the server cannot remove documents by itself, as some
// that speak MongoDB's protocol. They do not show there, but keep their space.
func noExpiry(field string, err error) bool {
	const notImplemented = 238
	refusal, ok := errors.AsType[driver.CommandError](err)
	return field == "until" && ok && refusal.HasErrorCode(notImplemented)
}
