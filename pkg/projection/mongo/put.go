package mongo

import (
	"context"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"boardorder/pkg/projection"
	"boardorder/pkg/projection/internal/batch"
)

// Put writes the documents of each kind in one request, each on its own. Kinds are
// written in the order in which docs has them first.
func (s *Store) Put(ctx context.Context, docs ...projection.Document) error {
	return s.put(ctx, docs, func(state state) ([]int64, error) { return state.writeTargets(), nil })
}

// put writes docs to the generations that targets chooses.
func (s *Store) put(ctx context.Context, docs []projection.Document, targets func(state) ([]int64, error)) error {
	docs, refused := batch.Compact(docs)
	state, err := s.generations.current(ctx)
	var generations []int64
	if err == nil {
		generations, err = targets(state)
	}
	for _, gen := range generations {
		if err == nil {
			var more []projection.Refusal
			more, err = s.write(ctx, gen, docs)
			refused = append(refused, more...)
		}
	}
	if err == nil {
		err = projection.JoinRefusals(distinct(refused))
	}
	return wrapError(err, "put %d documents", len(docs))
}

// distinct drops what a further generation refused again.
func distinct(all []projection.Refusal) []projection.Refusal {
	var once []projection.Refusal
	for _, r := range all {
		if !slices.ContainsFunc(once, func(o projection.Refusal) bool { return o.Kind == r.Kind && o.ID == r.ID && o.Seq == r.Seq }) {
			once = append(once, r)
		}
	}
	return once
}

func (s *Store) write(ctx context.Context, gen int64, docs []projection.Document) ([]projection.Refusal, error) {
	kinds := map[string][]projection.Document{}
	var order []string
	for _, d := range docs {
		if kinds[d.Kind] == nil {
			order = append(order, d.Kind)
		}
		kinds[d.Kind] = append(kinds[d.Kind], d)
	}
	var refused []projection.Refusal
	for _, kind := range order {
		c := s.db.Collection(collection(gen, kind))
		if err := s.indexes.ensure(ctx, c, kinds[kind]); err != nil {
			return nil, err
		}
		more, err := write(ctx, c, kinds[kind])
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", c.Name(), err)
		}
		refused = append(refused, more...)
	}
	return refused, nil
}

// write upserts the documents of one kind, guarded by sequence. A guard that
// does not match makes the server insert, which an existing document refuses.
// Servers differ in what they do after the first such; so those that are not
// there are written one by one.
func write(ctx context.Context, c *driver.Collection, docs []projection.Document) ([]projection.Refusal, error) {
	models := make([]driver.WriteModel, len(docs))
	for i, d := range docs {
		models[i] = driver.NewReplaceOneModel().SetFilter(guard(d)).SetReplacement(store(d)).SetUpsert(true)
	}
	_, err := c.BulkWrite(ctx, models, options.BulkWrite().SetOrdered(false))
	if err == nil || !isAnswered(err) {
		return nil, err
	}
	newer, err := keepNewer(ctx, c, docs)
	var refused []projection.Refusal
	for _, d := range newer {
		if err != nil {
			break
		}
		if err = settle(ctx, c, d); isRefusal(err) {
			refused, err = append(refused, d.Refuse(err)), nil
		}
	}
	return refused, err
}

// guard matches the stored state of d if it is older than d.
func guard(d projection.Document) bson.D {
	return bson.D{{Key: "_id", Value: d.ID}, {Key: "seq", Value: bson.D{{Key: "$lt", Value: int64(d.Seq)}}}}
}

// keepNewer drops the documents that are stored at their sequence or later:
// most of those refused are repetitions.
func keepNewer(ctx context.Context, c *driver.Collection, docs []projection.Document) ([]projection.Document, error) {
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

// settle writes one document of those that were refused. Either it is as new
// as what is stored; or another process wrote the document at the same moment,
// and now the guard alone can say; or the server will never take it.
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
		if err != nil && !driver.IsDuplicateKeyError(err) {
			return err
		}
	}
	return fmt.Errorf("%w: %s changes all the time", projection.ErrUnavailable, d.ID)
}
