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
	if !refused(err) {
		return err
	}
	newer, err := stillNewer(ctx, c, docs)
	if err != nil {
		return err
	}
	return settleAll(ctx, c, newer)
}

// refused says whether the server refused some of the documents; which of the
// others it wrote is left open, as not every server goes on after the first.
func refused(err error) bool {
	if bulk, ok := errors.AsType[driver.BulkWriteException](err); ok {
		return bulk.WriteConcernError == nil
	}
	_, ok := errors.AsType[driver.CommandError](err)
	return ok && !driver.IsNetworkError(err) && !driver.IsTimeout(err)
}

// guard matches the stored state of d if it is older than d.
func guard(d projection.Document) bson.D {
	return bson.D{{Key: "_id", Value: d.ID}, {Key: "seq", Value: bson.D{{Key: "$lt", Value: int64(d.Seq)}}}}
}

// stillNewer drops the documents that are stored at their sequence or later:
// most of those refused are repetitions.
func stillNewer(ctx context.Context, c *driver.Collection, docs []projection.Document) ([]projection.Document, error) {
	ids := make([]string, len(docs))
	for i, d := range docs {
		ids[i] = d.ID
	}
	stored, err := seqs(ctx, c, ids)
	var newer []projection.Document
	for _, d := range docs {
		if stored[d.ID] < int64(d.Seq) {
			newer = append(newer, d)
		}
	}
	return newer, err
}

// seqs reads the sequences of those documents that are there.
func seqs(ctx context.Context, c *driver.Collection, ids []string) (map[string]int64, error) {
	found, err := c.Find(ctx, bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: ids}}}},
		options.Find().SetProjection(bson.D{{Key: "seq", Value: 1}}))
	if err != nil {
		return nil, err
	}
	var there []stored
	if err := found.All(ctx, &there); err != nil {
		return nil, err
	}
	all := make(map[string]int64, len(there))
	for _, s := range there {
		all[s.ID] = s.Seq
	}
	return all, nil
}

// settleAll settles the documents, those that clash again after the others: a
// unique key may change hands within a batch.
func settleAll(ctx context.Context, c *driver.Collection, docs []projection.Document) error {
	for {
		var clashing []projection.Document
		var errs []error
		for _, d := range docs {
			err := settle(ctx, c, d)
			if errors.Is(err, projection.ErrConflict) {
				clashing = append(clashing, d)
			}
			errs = append(errs, err)
		}
		if len(clashing) == 0 || len(clashing) == len(docs) {
			return errors.Join(errs...)
		}
		docs = clashing
	}
}

// settle writes one document of those that were refused. Either it is as new
// as what is stored; or another process inserted the document at the same
// moment, and now the guard alone can tell; or another document holds one of
// its unique keys.
func settle(ctx context.Context, c *driver.Collection, d projection.Document) error {
	const attempts = 10
	for range attempts {
		stored, err := seqs(ctx, c, []string{d.ID})
		if err != nil || stored[d.ID] >= int64(d.Seq) {
			return err
		}
		result, err := c.ReplaceOne(ctx, guard(d), store(d), options.Replace().SetUpsert(stored[d.ID] == 0))
		if err == nil && result.MatchedCount+result.UpsertedCount == 1 {
			return nil
		}
		if held := conflict(ctx, c, d); held != nil {
			return held
		}
		if err != nil && !driver.IsDuplicateKeyError(err) {
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
