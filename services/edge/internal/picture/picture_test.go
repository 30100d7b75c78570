package picture

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/blob"
	blobopen "boardorder/pkg/blob/open"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/projection"
	docopen "boardorder/pkg/projection/open"
	"boardorder/services/edge/internal/wait"
)

// changes says that an aggregate has changed as soon as somebody waits for it, after do.
type changes struct{ do func() }

func (c changes) WatchChange(_ contract.Aggregate, _ string, wake func(*contract.Event)) (func(), error) {
	go func() {
		if c.do != nil {
			c.do()
			wake(nil)
		}
	}()
	return func() {}, nil
}

// TestPicturesThatAreBeingMade are waited for; those of a reading that is complete, or
// of no board, are not.
func TestPicturesThatAreBeingMade(t *testing.T) {
	t.Parallel()
	const key = "boards/d/0/0-top.png"
	making, made := boards.ReadFiles{Reader: "1", Rest: boards.RestMaking}, boards.ReadFiles{Reader: "1"}
	failed, gone := boards.ReadFiles{Reader: "1", Rest: boards.RestFailed}, boards.ReadFiles{Rest: boards.RestMaking, Gone: true}
	for _, tt := range []struct {
		name    string
		key     string
		before  *boards.ReadFiles // as the projection has it
		after   *boards.ReadFiles // once somebody waits
		there   bool              // the picture, before
		arrives bool              // and after
		leaves  bool              // the client, while it waits
		want    error
	}{
		{name: "there already", key: key, before: &making, there: true},
		{name: "made while it is waited for", key: key, before: &making, after: &made, arrives: true},
		{name: "quoted before the reading is projected", key: key, after: &made, arrives: true},
		{name: "left out", key: key, before: &making, after: &made, want: blob.ErrNotFound},
		{name: "could not be made", key: key, before: &making, after: &failed, want: blob.ErrNotFound},
		{name: "of a complete reading", key: key, before: &made, want: blob.ErrNotFound},
		{name: "forgotten before it was made", key: key, before: &making, after: &gone, want: blob.ErrNotFound},
		{name: "of no board", key: "central/x.png", want: blob.ErrNotFound},
		{name: "the client leaves", key: key, before: &making, leaves: true, want: context.Canceled},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			blobs, err := blobopen.Open(t.Context(), "file:"+t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			docs, err := docopen.Open(t.Context(), "sqlite:"+t.TempDir()+"/docs.db")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = docs.Close() })
			seq := uint64(0)
			put := func(picture bool, state *boards.ReadFiles) {
				if picture {
					if _, err := blobs.Put(t.Context(), key, strings.NewReader("png"), 3, "image/png"); err != nil {
						t.Errorf("put the picture %s: %v", key, err)
					}
				}
				if state == nil {
					return
				}
				seq++
				body, err := json.Marshal(state)
				if err == nil {
					err = docs.Put(t.Context(), projection.Document{Kind: string(contract.BoardAggregate), ID: "d", Seq: seq, At: time.Now(), Body: body})
				}
				if err != nil {
					t.Error(err)
				}
			}
			put(tt.there, tt.before)
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			change := changes{}
			switch {
			case tt.leaves:
				change.do = leave
			case tt.after != nil:
				change.do = func() { put(tt.arrives, tt.after) }
			}
			err = New(blobs, docs, wait.New(10, change)).await(ctx, tt.key, func() error {
				_, err := blobs.Stat(t.Context(), tt.key)
				return err
			})
			if !errors.Is(err, tt.want) {
				t.Errorf("ended with %v, want %v", err, tt.want)
			}
		})
	}
}
