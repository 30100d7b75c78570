package mongo

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"boardorder/pkg/projection"
)

const (
	// maxInline is the most documents over which a write makes an index that is
	// missing. Over more it takes longer than a write may take, and the server gives
	// up a build at its caller's deadline: it would begin anew with each write.
	maxInline = 10_000
	// buildTimeout bounds a build that a job waits for. Without a deadline the
	// driver would set its own.
	buildTimeout = 24 * time.Hour
)

// indexes knows which indexes of collections are there.
type indexes struct {
	made sync.Map // collection and field: struct{}
}

// ensure makes the indexes of a collection before something is first written that
// they serve, while the collection is small.
func (x *indexes) ensure(ctx context.Context, c *driver.Collection, docs []projection.Document) error {
	fields := slices.DeleteFunc(indexFields(docs), func(field string) bool {
		_, made := x.made.Load(c.Name() + " " + field)
		return made
	})
	if len(fields) == 0 {
		return nil
	}
	missing, err := missingFields(ctx, c, fields)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		n, err := c.EstimatedDocumentCount(ctx)
		if err != nil {
			return fmt.Errorf("count %s: %w", c.Name(), err)
		}
		if n > maxInline {
			return fmt.Errorf("%w: %s has no index on %s; the job that makes indexes must run first", projection.ErrUnavailable, c.Name(), strings.Join(missing, ", "))
		}
	}
	if err := createIndexes(ctx, c, missing); err != nil {
		return err
	}
	for _, field := range fields {
		x.made.Store(c.Name()+" "+field, struct{}{})
	}
	return nil
}

func createIndexes(ctx context.Context, c *driver.Collection, fields []string) error {
	for _, field := range fields {
		if _, err := c.Indexes().CreateOne(ctx, index(field)); err != nil {
			return fmt.Errorf("create index of %s on %s: %w", c.Name(), field, err)
		}
	}
	return nil
}

// MakeIndexes makes the indexes of every generation that is written to.
func (s *Store) MakeIndexes(ctx context.Context, shapes []projection.Shape) error {
	ctx, cancel := context.WithTimeout(ctx, buildTimeout)
	defer cancel()
	err := s.visitMissing(ctx, shapes, func(c *driver.Collection, fields []string) error { return createIndexes(ctx, c, fields) })
	return wrapError(err, "make indexes")
}

// EnsureIndexes makes the indexes that are missing over few documents, and names
// the others, as collection and field. Empty collections get theirs with the first
// write.
func (s *Store) EnsureIndexes(ctx context.Context, shapes []projection.Shape) ([]string, error) {
	var names []string
	err := s.visitMissing(ctx, shapes, func(c *driver.Collection, fields []string) error {
		if len(fields) == 0 {
			return nil
		}
		n, err := c.EstimatedDocumentCount(ctx)
		if err != nil || n == 0 {
			return err
		}
		if n <= maxInline {
			return createIndexes(ctx, c, fields)
		}
		for _, field := range fields {
			names = append(names, c.Name()+" "+field)
		}
		return nil
	})
	return names, wrapError(err, "look for indexes")
}

// visitMissing calls do for each collection of the shapes with the fields that it
// has no index on.
func (s *Store) visitMissing(ctx context.Context, shapes []projection.Shape, do func(*driver.Collection, []string) error) error {
	state, err := s.generations.refresh(ctx)
	if err != nil {
		return err
	}
	for _, gen := range state.writeTargets() {
		for _, shape := range shapes {
			c := s.db.Collection(collection(gen, shape.Kind))
			missing, err := missingFields(ctx, c, shapeFields(shape))
			if err != nil {
				return err
			}
			if err := do(c, missing); err != nil {
				return err
			}
		}
	}
	return nil
}

// missingFields are those of fields that a collection has no index on.
func missingFields(ctx context.Context, c *driver.Collection, fields []string) ([]string, error) {
	there, err := c.Indexes().ListSpecifications(ctx)
	if err != nil {
		return nil, fmt.Errorf("list indexes of %s: %w", c.Name(), err)
	}
	first := map[string]bool{}
	for _, spec := range there {
		elements, err := spec.KeysDocument.Elements()
		if err != nil || len(elements) == 0 {
			continue // no index of ours
		}
		first[elements[0].Key()] = true
	}
	var missing []string
	for _, field := range fields {
		if !first[field] {
			missing = append(missing, field)
		}
	}
	return missing, nil
}

// indexFields are the fields that documents need indexes on, sorted.
func indexFields(docs []projection.Document) []string {
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
	return slices.Sorted(maps.Keys(fields))
}

// shapeFields are the fields that a kind needs indexes on.
func shapeFields(s projection.Shape) []string {
	fields := []string{"at"}
	for _, key := range s.Keys {
		fields = append(fields, "keys."+key)
	}
	if s.Terms {
		fields = append(fields, "terms")
	}
	if s.Expires {
		fields = append(fields, "until")
	}
	return fields
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
