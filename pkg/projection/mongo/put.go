package mongo

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"boardorder/pkg/projection"
	"boardorder/pkg/projection/internal/batch"
)

const duplicateKey = 11000

// Put writes the documents of each kind in one request, each on its own.
func (s *Store) Put(ctx context.Context, docs ...projection.Document) error {
	docs, err := batch.Of(docs)
	if err == nil && len(docs) > 0 {
		var state state
		if state, err = s.generations.current(ctx); err == nil {
			err = s.write(ctx, state.written(), docs)
		}
	}
	if err != nil {
		return fmt.Errorf("put: %w", err)
	}
	return nil
}

func (s *Store) write(ctx context.Context, generations []int64, docs []projection.Document) error {
	kinds := map[string][]projection.Document{}
	for _, d := range docs {
		kinds[d.Kind] = append(kinds[d.Kind], d)
	}
	for _, gen := range generations {
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			c := s.db.Collection(collection(gen, kind))
			if err := s.indexes.ensure(ctx, c, kinds[kind]); err != nil {
				return err
			}
			if err := write(ctx, c, kinds[kind]); err != nil {
				return fmt.Errorf("write %s: %w", c.Name(), err)
			}
		}
	}
	return nil
}

// write upserts the documents of one kind, guarded by sequence. A guard that
// does not match makes the server insert, which an existing document refuses.
func write(ctx context.Context, c *driver.Collection, docs []projection.Document) error {
	models := make([]driver.WriteModel, len(docs))
	for i, d := range docs {
		models[i] = driver.NewReplaceOneModel().SetFilter(guard(d)).SetReplacement(store(d)).SetUpsert(true)
	}
	_, err := c.BulkWrite(ctx, models, options.BulkWrite().SetOrdered(false))
	refused, err := duplicates(err, docs)
	if err != nil || len(refused) == 0 {
		return err
	}
	newer, err := stillNewer(ctx, c, refused)
	if err != nil {
		return err
	}
	var errs []error
	for _, d := range newer {
		errs = append(errs, settle(ctx, c, d))
	}
	return errors.Join(errs...)
}

// guard matches the stored state of d if it is older than d.
func guard(d projection.Document) bson.D {
	return bson.D{{Key: "_id", Value: d.ID}, {Key: "seq", Value: bson.D{{Key: "$lt", Value: int64(d.Seq)}}}}
}

// duplicates returns the documents that a bulk write refused for a duplicate
// key. Any other error is returned as it is.
func duplicates(err error, docs []projection.Document) ([]projection.Document, error) {
	if err == nil {
		return nil, nil
	}
	bulk, ok := errors.AsType[driver.BulkWriteException](err)
	if !ok || bulk.WriteConcernError != nil {
		return nil, err
	}
	var refused []projection.Document
	for _, e := range bulk.WriteErrors {
		if e.Code != duplicateKey || e.Index < 0 || e.Index >= len(docs) {
			return nil, err
		}
		refused = append(refused, docs[e.Index])
	}
	return refused, nil
}

// stillNewer drops the documents that are stored at their sequence or later:
// most of those refused are repetitions.
func stillNewer(ctx context.Context, c *driver.Collection, docs []projection.Document) ([]projection.Document, error) {
	ids := make([]string, len(docs))
	for i, d := range docs {
		ids[i] = d.ID
	}
	found, err := c.Find(ctx, bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: ids}}}},
		options.Find().SetProjection(bson.D{{Key: "seq", Value: 1}}))
	if err != nil {
		return nil, err
	}
	var there []stored
	if err := found.All(ctx, &there); err != nil {
		return nil, err
	}
	seqs := make(map[string]int64, len(there))
	for _, s := range there {
		seqs[s.ID] = s.Seq
	}
	return slices.DeleteFunc(docs, func(d projection.Document) bool { return seqs[d.ID] >= int64(d.Seq) }), nil
}

// settle writes one document that was refused though it is newer. Either
// another process inserted the document at the same moment, and now the guard
// alone can tell; or another document holds one of its unique keys.
func settle(ctx context.Context, c *driver.Collection, d projection.Document) error {
	const attempts = 10
	for range attempts {
		stored, err := stillNewer(ctx, c, []projection.Document{d})
		if err != nil || len(stored) == 0 {
			return err
		}
		count, err := c.CountDocuments(ctx, bson.D{{Key: "_id", Value: d.ID}})
		if err != nil {
			return err
		}
		result, err := c.ReplaceOne(ctx, guard(d), store(d), options.Replace().SetUpsert(count == 0))
		if err == nil && result.MatchedCount+result.UpsertedCount == 1 {
			return nil
		}
		if err != nil && !driver.IsDuplicateKeyError(err) {
			return err
		}
		if err := conflict(ctx, c, d); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s changes all the time: %w", d.ID, &projection.ConflictError{Kind: d.Kind, ID: d.ID})
}

// conflict finds who holds a unique key of d, if anybody.
func conflict(ctx context.Context, c *driver.Collection, d projection.Document) error {
	for _, key := range slices.Sorted(maps.Keys(d.Unique)) {
		var holder stored
		err := c.FindOne(ctx, bson.D{
			{Key: "unique." + key, Value: d.Unique[key]},
			{Key: "_id", Value: bson.D{{Key: "$ne", Value: d.ID}}},
		}, options.FindOne().SetProjection(bson.D{{Key: "seq", Value: 1}})).Decode(&holder)
		if err == nil {
			return &projection.ConflictError{Kind: d.Kind, Key: key, ID: d.ID, Holder: holder.ID}
		}
		if !errors.Is(err, driver.ErrNoDocuments) {
			return err
		}
	}
	return nil
}
