package open_test

import (
	"context"
	"errors"
	"testing"

	"boardorder/pkg/projection"
	"boardorder/pkg/projection/open"
	"boardorder/pkg/tlsfiles"
	"boardorder/pkg/tlsfiles/tlstest"
)

// TestTLS: the server is spoken to only if it and we show what the other asks.
func TestTLS(t *testing.T) {
	t.Parallel()
	ours, foreign := tlstest.NewAuthority(t), tlstest.NewAuthority(t)
	good := ours.Files(t)
	for name, c := range map[string]struct {
		files tlsfiles.Files
		met   bool
	}{
		"good":              {good, true},
		"foreign authority": {tlsfiles.Files{CA: foreign.Files(t).CA, Cert: good.Cert, Key: good.Key}, false},
		"no certificate":    {tlsfiles.Files{CA: good.CA}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address, met := ours.Listen(t)
			store, err := open.Open(t.Context(), "mongodb://"+address+"/boards", open.TLS(c.files))
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			ctx, cancel := context.WithCancel(t.Context())
			pinged := make(chan error, 1)
			go func() { pinged <- store.Ping(ctx) }()
			if err := <-met; (err == nil) != c.met {
				t.Errorf("the server met %v, want a good connection: %v", err, c.met)
			}
			cancel()
			if err := <-pinged; err == nil {
				t.Error("Ping = nil from a server that says nothing")
			}
		})
	}
}

// TestTLSImpostors: no server but the one that is named is sent anything.
func TestTLSImpostors(t *testing.T) {
	t.Parallel()
	ours := tlstest.NewAuthority(t)
	files := ours.Files(t)
	ours.HoldImpostors(t, func(address string) {
		store, err := open.Open(t.Context(), "mongodb://user:secret@"+address+"/boards?serverSelectionTimeoutMS=2000", open.TLS(files))
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		if err := store.Ping(t.Context()); err == nil {
			t.Error("Ping = nil")
		}
	})
}

func TestTLSErrors(t *testing.T) {
	t.Parallel()
	_, err := open.Open(t.Context(), "mongodb://127.0.0.1:1/boards", open.TLS(tlsfiles.Files{CA: "no such file"}))
	if err == nil {
		t.Error("Open without the file of roots = nil, want an error")
	}
}

// TestAway: a server that is not there is unavailable, as late as ctx says.
func TestAway(t *testing.T) {
	t.Parallel()
	store, err := open.Open(t.Context(), "mongodb://127.0.0.1:1/boards?serverSelectionTimeoutMS=50")
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	doc := projection.Document{Kind: "quote", ID: "a", Seq: 1, Body: []byte(`{}`)}
	if err := store.Put(t.Context(), doc); !errors.Is(err, projection.ErrUnavailable) {
		t.Errorf("Put = %v, want that it is unavailable", err)
	}
	if _, err := store.Get(t.Context(), "quote", "a"); !errors.Is(err, projection.ErrUnavailable) {
		t.Errorf("Get = %v, want that it is unavailable", err)
	}
	if _, err := store.Count(t.Context(), "quote", "", ""); !errors.Is(err, projection.ErrUnavailable) {
		t.Errorf("Count = %v, want that it is unavailable", err)
	}
	if err := store.Ping(t.Context()); !errors.Is(err, projection.ErrUnavailable) {
		t.Errorf("Ping = %v, want that it is unavailable", err)
	}
}
