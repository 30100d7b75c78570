package feed_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	feedcontract "boardorder/pkg/contract/feed"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/dispatch"
	"boardorder/services/edge/internal/feed"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/wait"
)

// none has no events and calls nobody.
type none struct{}

func (none) PublicAfter(context.Context, string, string, uint64) (feedcontract.Entry, error) {
	return feedcontract.Entry{}, aggregate.ErrNone
}

func (none) FeedState(context.Context) (bus.FeedState, error) { return bus.FeedState{First: 1}, nil }

func (none) WatchChange(contract.Aggregate, string, func(*contract.Event)) (func(), error) {
	return func() {}, nil
}

// open streams to a connection; ended is closed once the stream is.
func open(t *testing.T, check func(context.Context) error) (client net.Conn, waiters *wait.Waiters, ended chan struct{}) {
	t.Helper()
	secrets, err := secret.New(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	waiters = wait.New(10, none{})
	f := feed.New(&dispatch.Client{Waiters: waiters, Secrets: secrets, Now: time.Now}, none{}, limit.NewPlaces(), nil)
	server, client := net.Pipe()
	ended = make(chan struct{})
	go func() {
		defer close(ended)
		f.SendForTest(t.Context(), "acc_1", server, check)
	}()
	t.Cleanup(func() { client.Close(); server.Close() })
	return client, waiters, ended
}

func good(context.Context) error { return nil }

// TestStreamSaysThatItIsThere: a stream without events is not silent for longer than proxies
// take, and ends after its time.
func TestStreamSaysThatItIsThere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, _, ended := open(t, good)
		begun, last, beats := time.Now(), time.Now(), 0
		for in := bufio.NewScanner(client); ; {
			lines := make(chan bool, 1)
			go func() { lines <- in.Scan() }()
			select {
			case more := <-lines:
				if !more {
					t.Fatal("the connection ended before the stream")
				}
				if strings.HasPrefix(in.Text(), ":") {
					beats++
				}
				if silent := time.Since(last); silent > 21*time.Second {
					t.Fatalf("nothing for %s", silent)
				}
				last = time.Now()
				continue
			case <-ended:
			}
			break
		}
		if took := time.Since(begun); beats < 40 || took < 15*time.Minute || took > 16*time.Minute {
			t.Errorf("%d heartbeats in %s, want 40 at least in 15 minutes", beats, took)
		}
		client.Close()
	})
}

// TestSlowReaderIsCut: who takes nothing for half a minute is cut off.
func TestSlowReaderIsCut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, _, ended := open(t, good)
		begun := time.Now()
		<-ended
		if took := time.Since(begun); took != 30*time.Second {
			t.Errorf("cut after %s, want 30 s", took)
		}
	})
}

// TestStreamEndsWithItsKeyAndTheEdge: within five seconds, and at once.
func TestStreamEndsWithItsKeyAndTheEdge(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		revoked := time.Now().Add(time.Minute)
		client, _, ended := open(t, func(context.Context) error {
			if time.Now().After(revoked) {
				return errors.New("revoked")
			}
			return nil
		})
		go func() { _, _ = bufio.NewReader(client).WriteTo(new(bytes.Buffer)) }()
		<-ended
		if late := time.Since(revoked); late < 0 || late > 5*time.Second {
			t.Errorf("ended %s after the key, want 5 s at most", late)
		}
		client.Close()
	})
	synctest.Test(t, func(t *testing.T) {
		client, waiters, ended := open(t, good)
		go func() { _, _ = bufio.NewReader(client).WriteTo(new(bytes.Buffer)) }()
		time.Sleep(7 * time.Second) // the bubble's
		begun := time.Now()
		waiters.Close()
		<-ended
		if took := time.Since(begun); took > 0 {
			t.Errorf("ended %s after the edge, want at once", took)
		}
		client.Close()
	})
}
