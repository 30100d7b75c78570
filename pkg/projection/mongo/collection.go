package mongo

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

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
