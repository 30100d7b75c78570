package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// States of one kind are alike: the same fields in the same order. So the outline of
// the first one of a kind is kept as the dictionary that the others are compressed
// with. Its values are left out: a dictionary outlives the state that it was made of,
// which somebody may have erased.

const (
	// compressible is the least length of a body that is compressed.
	compressible = 1 << 10
	// dictionarySize is the greatest length of a dictionary in bytes.
	dictionarySize = 32 << 10
)

// outline is a JSON text without its values: strings are empty and numbers 0. Of names
// it keeps those of fields; another may be a value that something is entered under.
func outline(body []byte) []byte {
	out := make([]byte, 0, len(body))
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '"':
			end := i + 1
			for end < len(body) && body[end] != '"' {
				if body[end] == '\\' {
					end++
				}
				end++
			}
			out = append(out, '"')
			if isField(body, i+1, end) {
				out = append(out, body[i+1:end]...)
			}
			out, i = append(out, '"'), end
		case c == '-' || c >= '0' && c <= '9':
			for i+1 < len(body) && isNumeric(body[i+1]) {
				i++
			}
			out = append(out, '0')
		default:
			out = append(out, c)
		}
	}
	return out
}

func isNumeric(c byte) bool {
	return c >= '0' && c <= '9' || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-'
}

// isField reports whether the string from start to end names a member, and is
// written as fields are.
func isField(body []byte, start, end int) bool {
	if end+1 >= len(body) || body[end+1] != ':' {
		return false
	}
	for _, c := range body[start:end] {
		if c != '_' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// dictionaries are those that this process has read from the file, by their
// number there. Only what is committed is in it.
type dictionaries struct {
	byID sync.Map // int64: *zstd.Decoder
}

// decompress is the inverse of packer.pack.
func (d *dictionaries) decompress(ctx context.Context, c *connection, id int64, body []byte) ([]byte, error) {
	if id == 0 {
		return body, nil
	}
	decoder, err := d.decoder(ctx, c, id)
	if err != nil {
		return nil, fmt.Errorf("dictionary %d: %w", id, err)
	}
	return decoder.DecodeAll(body, nil)
}

func (d *dictionaries) decoder(ctx context.Context, c *connection, id int64) (*zstd.Decoder, error) {
	if known, ok := d.byID.Load(id); ok {
		return known.(*zstd.Decoder), nil
	}
	var content []byte
	if err := c.row(ctx, `SELECT body FROM dictionary WHERE id = ?`, []any{id}, &content); err != nil {
		return nil, err
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(readers), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderDictRaw(uint32(id), content))
	if err != nil {
		return nil, err
	}
	known, _ := d.byID.LoadOrStore(id, decoder)
	return known.(*zstd.Decoder), nil
}

// A packer compresses bodies for one generation and kind.
type packer struct {
	dictionary int64
	encoder    *zstd.Encoder
}

type packed struct {
	gen  int64
	kind string
}

// packers are those of a writer. They are forgotten when a transaction fails,
// which may have made the dictionary of one.
type packers map[packed]packer

// pack compresses body with the dictionary of its kind, whose number it
// returns. A short body stays as it is, with number 0.
func (p packers) pack(ctx context.Context, c *connection, gen int64, kind string, body []byte) (int64, []byte, error) {
	if len(body) < compressible {
		return 0, body, nil
	}
	known, ok := p[packed{gen, kind}]
	if !ok {
		var err error
		if known, err = newPacker(ctx, c, gen, kind, body); err != nil {
			return 0, nil, fmt.Errorf("dictionary of %s: %w", kind, err)
		}
		p[packed{gen, kind}] = known
	}
	return known.dictionary, known.encoder.EncodeAll(body, make([]byte, 0, len(body)/4)), nil
}

func newPacker(ctx context.Context, c *connection, gen int64, kind string, body []byte) (packer, error) {
	var p packer
	var content []byte
	err := c.row(ctx, `SELECT id, body FROM dictionary WHERE gen = ? AND kind = ?`, []any{gen, kind}, &p.dictionary, &content)
	if errors.Is(err, sql.ErrNoRows) {
		content = outline(body)
		content = content[:min(len(content), dictionarySize)]
		err = c.row(ctx, `INSERT INTO dictionary (gen, kind, body) VALUES (?, ?, ?) RETURNING id`, []any{gen, kind, content}, &p.dictionary)
	}
	if err != nil {
		return p, err
	}
	p.encoder, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithLowerEncoderMem(true), zstd.WithEncoderDictRaw(uint32(p.dictionary), content))
	return p, err
}
