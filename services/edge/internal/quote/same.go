package quote

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"

	"github.com/oklog/ulid/v2"
)

const (
	// sameWindow is how long the same body is the same request.
	sameWindow = 10 * time.Minute
	// keyWindow is how long an Idempotency-Key names the same request.
	keyWindow = 24 * time.Hour
	claims    = 20 // attempts while others claim the same request
)

// RequestBucket is where the requests of the last day are known by their
// content.
func RequestBucket() bus.BucketConfig {
	return bus.BucketConfig{Name: "QUOTE_REQUESTS", About: "quote requests by the digest of their content", TTL: 24 * time.Hour, Bytes: 256 << 20}
}

// A claim says which request a content belongs to.
type claim struct {
	Hash    string    `json:"hash"`
	Request string    `json:"request_id"`
	Account string    `json:"account"`
	At      time.Time `json:"at"`
	Body    string    `json:"body,omitempty"` // digest of what an Idempotency-Key was first sent with
}

// A wish is what a request is known by: the digest of its content, or that of
// the key that the client gave it.
type wish struct {
	sum     [32]byte
	account string
	window  time.Duration // how long the same wish is the same request
	body    string        // digest of the content, where a key stands for it
}

// digest is what makes two requests the same: who asks, where, for what, and
// the content of the files.
func digest(account, endpoint string, data *contract.PriceQuoteData, files string) ([32]byte, error) {
	body, err := json.Marshal(data)
	if err != nil {
		return [32]byte{}, fmt.Errorf("digest quote request: %w", err)
	}
	h := sha256.New()
	for _, part := range []string{account, endpoint, string(body), files} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return [32]byte(h.Sum(nil)), nil
}

// requestID names the request with that digest that begins at a time.
func requestID(sum [32]byte, at time.Time) string {
	var id ulid.ULID
	_ = id.SetTime(ulid.Timestamp(at))
	_ = id.SetEntropy(sum[:10])
	return contract.RequestPrefix + id.String()
}

// parseRequest gives the bucket key and the beginning of a request.
func parseRequest(request string) (key string, at time.Time, ok bool) {
	text, found := strings.CutPrefix(request, contract.RequestPrefix)
	id, err := ulid.ParseStrict(text)
	if !found || err != nil || id.String() != text {
		return "", time.Time{}, false
	}
	return hex.EncodeToString(id.Entropy()), ulid.Time(id.Time()).UTC(), true
}

// Requests finds the request that a content belongs to, across replicas.
type Requests struct {
	bucket *bus.Bucket
	now    func() time.Time
}

// claim gives the request of a wish: a new one, or the one that the same wish
// began within its window. ended tells whether a request has failed in a way
// that may pass, so that a new one must begin. errKeyReused says that the key
// was sent with another content.
func (r Requests) claim(ctx context.Context, w *wish, ended func(request string) (bool, error)) (request string, joined bool, err error) {
	key, hash := hex.EncodeToString(w.sum[:10]), hex.EncodeToString(w.sum[:])
	for range claims {
		now := r.now()
		mine := claim{Hash: hash, Request: requestID(w.sum, now), Account: w.account, At: now.UTC(), Body: w.body}
		err = r.create(ctx, key, mine)
		if !errors.Is(err, bus.ErrMoved) {
			return mine.Request, false, err
		}
		theirs, rev, err := r.read(ctx, key)
		if errors.Is(err, bus.ErrNoKey) {
			continue
		}
		if err != nil {
			return "", false, err
		}
		same, err := w.joins(theirs, hash, now, ended)
		switch {
		case err != nil:
			return "", false, err
		case same:
			return theirs.Request, true, nil
		case theirs.Hash != hash, mine.Request == theirs.Request: // another's, or within the same millisecond
			return r.fresh(ctx, mine)
		}
		err = r.update(ctx, key, mine, rev)
		if !errors.Is(err, bus.ErrMoved) {
			return mine.Request, false, err
		}
	}
	return "", false, fmt.Errorf("claim quote request: others claimed it %d times", claims)
}

// joins tells whether the wish belongs to a request that was claimed before.
func (w *wish) joins(theirs claim, hash string, now time.Time, ended func(string) (bool, error)) (bool, error) {
	if theirs.Hash != hash || now.Sub(theirs.At) >= w.window {
		return false, nil
	}
	if theirs.Body != w.body {
		return false, errKeyReused
	}
	over, err := ended(theirs.Request)
	return !over, err
}

var errKeyReused = errors.New("the key was sent with another content")

// fresh names a request by chance, where its own name is another's.
func (r Requests) fresh(ctx context.Context, c claim) (string, bool, error) {
	var sum [32]byte
	_, _ = rand.Read(sum[:]) // never fails
	c.Request = requestID(sum, c.At)
	return c.Request, false, r.create(ctx, hex.EncodeToString(sum[:10]), c)
}

func (r Requests) create(ctx context.Context, key string, c claim) error {
	value, err := json.Marshal(c)
	if err != nil {
		return err
	}
	_, err = r.bucket.Create(ctx, key, value)
	return err
}

func (r Requests) update(ctx context.Context, key string, c claim, rev uint64) error {
	value, err := json.Marshal(c)
	if err != nil {
		return err
	}
	_, err = r.bucket.Update(ctx, key, value, rev)
	return err
}

func (r Requests) read(ctx context.Context, key string) (c claim, rev uint64, err error) {
	value, rev, err := r.bucket.Get(ctx, key)
	if err != nil {
		return claim{}, 0, err
	}
	if err := json.Unmarshal(value, &c); err != nil {
		return claim{}, 0, fmt.Errorf("decode quote request claim: %w", err)
	}
	return c, rev, nil
}

// owner gives the account that a request was claimed for.
func (r Requests) owner(ctx context.Context, request string) (account string, found bool, err error) {
	key, _, ok := parseRequest(request)
	if !ok {
		return "", false, nil
	}
	c, _, err := r.read(ctx, key)
	if errors.Is(err, bus.ErrNoKey) || err == nil && c.Request != request {
		return "", false, nil
	}
	return c.Account, err == nil, err
}
