package mongo

import (
	"cmp"
	"context"
	"errors"
	"regexp"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"boardorder/pkg/projection"
	"boardorder/pkg/projection/internal/cursor"
)

// A view reads one generation.
type view struct {
	db         *driver.Database
	generation func(ctx context.Context) (int64, error)
}

// Get reads one document.
func (v view) Get(ctx context.Context, kind, id string) (projection.Document, error) {
	return v.findOne(ctx, kind, bson.D{{Key: "_id", Value: id}, present()})
}

func (v view) findOne(ctx context.Context, kind string, filter bson.D) (projection.Document, error) {
	c, err := v.collection(ctx, kind)
	var found stored
	if err == nil {
		err = c.FindOne(ctx, filter).Decode(&found)
	}
	if errors.Is(err, driver.ErrNoDocuments) {
		err = projection.ErrNotFound
	}
	if err != nil {
		return projection.Document{}, wrapError(err, "read %s", kind)
	}
	return found.document(kind), nil
}

// collection is ErrNotFound for a kind that cannot be.
func (v view) collection(ctx context.Context, kind string) (*driver.Collection, error) {
	if projection.ValidKind(kind) != nil {
		return nil, projection.ErrNotFound
	}
	gen, err := v.generation(ctx)
	if err != nil {
		return nil, err
	}
	return v.db.Collection(collection(gen, kind)), nil
}

// List reads a page of documents.
func (v view) List(ctx context.Context, kind, key, value string, page projection.Page) ([]projection.Document, string, error) {
	docs, next, err := v.list(ctx, kind, key, value, page)
	if err != nil {
		return nil, "", wrapError(err, "list %s", kind)
	}
	return docs, next, nil
}

func (v view) list(ctx context.Context, kind, key, value string, page projection.Page) ([]projection.Document, string, error) {
	after, err := cursor.Start(page)
	if err != nil {
		return nil, "", err
	}
	c, err := v.collectionFor(ctx, kind, key)
	if errors.Is(err, projection.ErrNotFound) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	limit := cursor.Limit(page)
	found, err := c.Find(ctx, selection(key, value, page, after), options.Find().
		SetSort(newestFirst).SetLimit(int64(limit)+1))
	if err != nil {
		return nil, "", err
	}
	var all []stored
	if err := found.All(ctx, &all); err != nil {
		return nil, "", err
	}
	docs := make([]projection.Document, len(all))
	for i, s := range all {
		docs[i] = s.document(kind)
	}
	docs, next := cursor.Paginate(docs, limit)
	return docs, next, nil
}

// Count counts by the index alone.
func (v view) Count(ctx context.Context, kind, key, value string) (int, error) {
	c, err := v.collectionFor(ctx, kind, key)
	if errors.Is(err, projection.ErrNotFound) {
		return 0, nil
	}
	var n int64
	if err == nil {
		n, err = c.CountDocuments(ctx, selection(key, value, projection.Page{}, cursor.Cursor{}))
	}
	return int(n), wrapError(err, "count %s", kind)
}

// Find finds documents by how one of their terms begins.
func (v view) Find(ctx context.Context, kind, prefix string, limit int) ([]projection.Document, error) {
	c, err := v.collection(ctx, kind)
	if errors.Is(err, projection.ErrNotFound) {
		return nil, nil
	}
	var all []stored
	if err == nil {
		all, err = find(ctx, c, prefix, cursor.Limit(projection.Page{Limit: cmp.Or(limit, projection.MaxLimit)}))
	}
	if err != nil {
		return nil, wrapError(err, "find %s", kind)
	}
	docs := make([]projection.Document, len(all))
	for i, s := range all {
		docs[i] = s.document(kind)
	}
	return docs, nil
}

// find asks by an expression that is anchored and otherwise literal, which a
// server answers from the index. Bounds would have to hold for one and the same
// term, and not every server that speaks MongoDB's protocol sees to that.
func find(ctx context.Context, c *driver.Collection, prefix string, limit int) (all []stored, err error) {
	found, err := c.Find(ctx, begins(prefix), options.Find().SetLimit(int64(limit)))
	if err != nil {
		return nil, err
	}
	return all, found.All(ctx, &all)
}

func begins(prefix string) bson.D {
	return bson.D{{Key: "terms", Value: bson.Regex{Pattern: "^" + regexp.QuoteMeta(prefix)}}, present()}
}

// newestFirst is the order of lists.
var newestFirst = bson.D{{Key: "at", Value: -1}, {Key: "_id", Value: 1}}

// collectionFor is the collection to select from, or ErrNotFound when no document
// can have the key.
func (v view) collectionFor(ctx context.Context, kind, key string) (*driver.Collection, error) {
	if key != "" && projection.ValidKey(key) != nil {
		return nil, projection.ErrNotFound
	}
	return v.collection(ctx, kind)
}

func selection(key, value string, page projection.Page, after cursor.Cursor) bson.D {
	filter := bson.D{present()}
	if key != "" {
		filter = append(filter, bson.E{Key: "keys." + key, Value: value})
	}
	if page.Cursor != "" || !page.Before.IsZero() {
		// The first condition follows from the second. By it an index is read from the cursor
		// on whichever plan the server has kept; by the second alone it may begin at the newest.
		filter = append(filter, bson.E{Key: "at", Value: bson.D{{Key: "$lte", Value: after.At}}}, bson.E{Key: "$or", Value: bson.A{
			bson.D{{Key: "at", Value: bson.D{{Key: "$lt", Value: after.At}}}},
			bson.D{{Key: "at", Value: after.At}, {Key: "_id", Value: bson.D{{Key: "$gt", Value: after.ID}}}},
		}})
	}
	return filter
}
