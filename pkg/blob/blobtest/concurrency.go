package blobtest

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"

	"boardorder/pkg/blob"
)

// concurrent replaces one blob from two stores while others read it: what they
// read is always one of the contents as a whole.
func (s suite) concurrent(t *testing.T) {
	open := s.backend(t)
	stores := []blob.Store{open(), open()}
	content := func(i int) []byte { return bytes.Repeat([]byte{byte('a' + i)}, 100_000+i) }
	put(t, stores[0], "k", content(0))
	var writers, readers sync.WaitGroup
	stop := make(chan struct{})
	for w := range 4 {
		writers.Go(func() {
			for range 5 {
				if _, err := stores[w%2].Put(t.Context(), "k", onlyReader{bytes.NewReader(content(w))}, -1, ""); err != nil {
					t.Errorf("Put = %v", err)
				}
			}
		})
	}
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				data, info, err := read(t, stores[1], "k")
				switch {
				case errors.Is(err, blob.ErrNotFound):
					t.Error("Get finds nothing while the blob is replaced")
				case err == nil && (len(data) == 0 || !bytes.Equal(data, content(int(data[0]-'a'))) || info.Size != int64(len(data))):
					t.Errorf("Get yields a mixture of %d bytes, %+v", len(data), info)
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
	wantKeys(t, stores[0], "", "k")
}

// neighbours puts and deletes blobs side by side, so that folders come and go.
func (s suite) neighbours(t *testing.T) {
	open := s.backend(t)
	stores := []blob.Store{open(), open()}
	var kept []string
	if s.features.Tree {
		kept = []string{"x/y/kept"}
		put(t, stores[0], kept[0], nil)
	}
	var wait sync.WaitGroup
	for w := range 4 {
		wait.Go(func() {
			store, key := stores[w%2], fmt.Sprintf("x/y/%d", w)
			for range 15 {
				if _, err := store.Put(t.Context(), key, bytes.NewReader([]byte(key)), -1, ""); err != nil {
					t.Errorf("Put(%q) = %v", key, err)
					return
				}
				wantContent(t, store, key, []byte(key))
				if err := store.Delete(t.Context(), key); err != nil {
					t.Errorf("Delete(%q) = %v", key, err)
				}
			}
		})
	}
	wait.Wait()
	wantKeys(t, stores[0], "", kept...)
}
