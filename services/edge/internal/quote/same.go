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
	claims     = 20 // attempts while others claim the same request
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
}

// digest is what makes two requests the same: who asks, where, for what, and
// the content of the files.
func digest(account, endpoint string, data contract.PriceQuoteData, files string) ([32]byte, error) {
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

// claim gives the request of a content: a new one, or the one that the same
// content began at most ten minutes ago. ended tells whether a request has
// failed in a way that may pass, so that a new one must begin.
func (r Requests) claim(ctx context.Context, sum [32]byte, account string, ended func(request string) (bool, error)) (request string, joined bool, err error) {
	key, hash := hex.EncodeToString(sum[:10]), hex.EncodeToString(sum[:])
	for range claims {
		now := r.now()
		mine := claim{Hash: hash, Request: requestID(sum, now), Account: account, At: now.UTC()}
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
		if theirs.Hash != hash {
			return r.fresh(ctx, mine)
		}
		over, err := ended(theirs.Request)
		if err != nil {
			return "", false, err
		}
		if now.Sub(theirs.At) < sameWindow && !over {
			return theirs.Request, true, nil
		}
		if mine.Request == theirs.Request { // within the same millisecond
			return r.fresh(ctx, mine)
		}
		err = r.update(ctx, key, mine, rev)
		if !errors.Is(err, bus.ErrMoved) {
			return mine.Request, false, err
		}
	}
	return "", false, fmt.Errorf("claim quote request: others claimed it %d times", claims)
}

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
