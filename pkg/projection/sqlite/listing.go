package sqlite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"slices"

	"boardorder/pkg/projection"
	"boardorder/pkg/projection/internal/batch"
	"boardorder/pkg/projection/internal/cursor"
)

// A listing is what the rows of a document in the table list say.
type listing struct {
	at, until int64
	lists     [][]byte
}

func listingOf(d projection.Document) listing {
	l := listing{at: cursor.Nanos(d.At), until: millis(d), lists: [][]byte{list(d.Kind, "", "")}}
	for key, value := range d.Keys {
		l.lists = append(l.lists, list(d.Kind, key, value))
	}
	return l
}

// subtract is l without the rows that are the same in other.
func (l listing) subtract(other listing) listing {
	if l.at == other.at && l.until == other.until {
		l.lists = slices.DeleteFunc(slices.Clone(l.lists), func(list []byte) bool {
			return slices.ContainsFunc(other.lists, func(o []byte) bool { return bytes.Equal(list, o) })
		})
	}
	return l
}

// listing is that of the document in a row, as it is stored.
func (c *connection) listing(ctx context.Context, row int64) (listing, error) {
	var d projection.Document
	var at, until int64
	var keys string
	err := c.row(ctx, `SELECT kind, at, until, keys FROM document WHERE row = ?`, []any{row}, &d.Kind, &at, &until, &keys)
	if err == nil {
		d.Keys, err = batch.Keys(keys)
	}
	l := listingOf(d)
	l.at, l.until = at, until
	return l, err
}

// leave removes the rows of a listing.
func (c *connection) leave(ctx context.Context, gen, row int64, l listing) error {
	for _, list := range l.lists {
		if _, err := c.exec(ctx, `DELETE FROM list WHERE gen = ? AND list = ? AND at = ? AND row = ?`, gen, list, l.at, row); err != nil {
			return err
		}
	}
	return nil
}

// list stands for the documents of a kind that a key selects, or for all of the
// kind with key "": 16 bytes that no other list has.
func list(kind, key, value string) []byte {
	var buffer [160]byte
	text := buffer[:0]
	for _, part := range []string{kind, key, value} {
		text = append(append(text, part...), 0) // a part with a NUL is in no document
	}
	sum := sha256.Sum256(text)
	return sum[:16]
}

// millis is a document's Until as it is stored.
func millis(d projection.Document) int64 {
	if d.Until.IsZero() {
		return never
	}
	return d.Until.UnixMilli()
}
