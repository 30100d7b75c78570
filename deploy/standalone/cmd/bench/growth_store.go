package main

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"boardorder/pkg/projection"
	"boardorder/pkg/projection/open"
)

const (
	// batchSize is how many quotes the projector finds waiting under load.
	batchSize = 32
	// quotesOfBoard is how often somebody asks for the same board.
	quotesOfBoard = 3
)

// sample is the state of a quote as pricing writes it.
//
//go:embed testdata/quote.json
var sample []byte

// growStore puts n quotes with the outcomes of their requests into an embedded
// store, and reads each once, as whoever asked for it does.
func growStore(ctx context.Context, n int, show func(stage)) error {
	dir, err := os.MkdirTemp("", "bench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	url := "sqlite:" + filepath.Join(dir, "docs.db")
	store, err := open.Open(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }() // the one that is open in the end
	made := &maker{random: rand.New(rand.NewPCG(1, 2))}
	for range tenths {
		s, err := fillTenth(ctx, store, made, n/tenths)
		if err != nil {
			return err
		}
		if err := store.Close(); err != nil {
			return err
		}
		if s.disk, err = size(dir); err != nil {
			return err
		}
		begun := time.Now()
		if store, err = open.Open(ctx, url); err != nil {
			return err
		}
		if _, err := store.Get(ctx, "quote", made.last); err != nil {
			return err
		}
		s.restart = time.Since(begun)
		show(s)
	}
	return nil
}

func fillTenth(ctx context.Context, store projection.Store, made *maker, n int) (stage, error) {
	f, err := loadWhile(ctx, 1, times(n/batchSize), cpuTime, func(ctx context.Context, _, _ int) error {
		docs := made.batch()
		if err := store.Put(ctx, docs...); err != nil {
			return err
		}
		for _, d := range docs {
			if _, err := store.Get(ctx, d.Kind, d.ID); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return stage{}, err
	}
	f.rate, f.cpu = f.rate*batchSize, f.cpu/batchSize
	resident, err := resident(os.Getpid())
	return stage{stored: made.quotes, figure: f, resident: resident}, err
}

// A maker makes quotes that differ in every number and name.
type maker struct {
	random *rand.Rand
	quotes int
	last   string // the id of the last quote
}

func (m *maker) batch() []projection.Document {
	docs := make([]projection.Document, 0, 2*batchSize)
	for range batchSize {
		m.quotes++
		request, at := fmt.Sprintf("req_%026d", m.quotes), time.Now()
		name, board := sha256.Sum256([]byte(request)), sha256.Sum256(fmt.Append(nil, m.quotes/quotesOfBoard))
		m.last = strings.ToLower(base32.StdEncoding.EncodeToString(name[:20]))
		docs = append(docs, projection.Document{
			Kind: "quote", ID: m.last, Seq: 1, At: at, Body: m.body(m.last, request),
			Keys:  map[string]string{"account": fmt.Sprint("acc_", m.quotes%50), "status": "quote_ready", "digest": fmt.Sprintf("%x", board)},
			Terms: []string{m.last, request, fmt.Sprint("project ", m.quotes)},
		}, projection.Document{
			Kind: "operation", ID: request, Seq: 1, At: at,
			Body:  fmt.Appendf(nil, `{"request":%q,"account":"acc_%d","aggregate":"quote","id":%q,"at":%q}`, request, m.quotes%50, m.last, at.Format(time.RFC3339Nano)),
			Terms: []string{request},
		})
	}
	return docs
}

// body is the sample with its names, and every digit another.
func (m *maker) body(ref, request string) json.RawMessage {
	body := make([]byte, len(sample))
	for i, c := range sample {
		if c >= '0' && c <= '9' {
			c = '1' + byte(m.random.IntN(9)) // no number begins with 0
		}
		body[i] = c
	}
	return fmt.Appendf(nil, `{"id":%q,"by":%q,%s`, ref, request, body[1:])
}
