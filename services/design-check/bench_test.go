package designcheck

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/board/testkit/faulty"
	"boardorder/pkg/board/upload"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/worker"

	"go.uber.org/zap"
)

// BenchmarkFacts is the reading of a small board, with its pictures and package:
// in this process, and in a worker.
func BenchmarkFacts(b *testing.B) {
	files := faulty.Base().KiCad()
	b.Run("here", func(b *testing.B) {
		for b.Loop() {
			readHere(b, files)
		}
	})
	b.Run("worker", func(b *testing.B) {
		pool, err := worker.Open(worker.Config{Unconfined: true})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(pool.Close)
		readThere(b, pool, files)
		for b.Loop() {
			readThere(b, pool, files)
		}
	})
}

func readHere(b *testing.B, files []upload.File) {
	put := func(_, _ string, write func(io.Writer) error) error { return write(io.Discard) }
	m := &maker{files: files, put: put, log: zap.NewNop()}
	if r, err := m.read(b.Context()); err != nil || len(r.Boards) != 1 {
		b.Fatalf("%d boards, %v", len(r.Boards), err)
	}
}

func readThere(b *testing.B, pool *worker.Pool, files []upload.File) {
	var r boards.ReadFiles
	o := worker.Order{Task: readTask, Timeout: time.Minute, Result: &r, Put: func(_, _ string, r io.Reader) error {
		_, err := io.Copy(io.Discard, r)
		return err
	}}
	for _, f := range files {
		o.Files = append(o.Files, worker.Source{Name: f.Name, Size: int64(len(f.Data)), Open: func(context.Context) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(string(f.Data))), nil
		}})
	}
	if err := pool.Run(b.Context(), o); err != nil || len(r.Boards) != 1 {
		b.Fatalf("%d boards, %v", len(r.Boards), err)
	}
}
