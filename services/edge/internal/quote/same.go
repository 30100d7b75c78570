package quote

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
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

// digest is what makes two requests the same: who asks, where, for what, and
// the content of the files.
func digest(account, endpoint string, body []byte, files string) [32]byte {
	h := sha256.New()
	for _, part := range []string{account, endpoint, string(body), files} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return [32]byte(h.Sum(nil))
}

// requestID names the request with that digest that begins at a time.
func requestID(sum [32]byte, at time.Time) string {
	var id ulid.ULID
	_ = id.SetTime(ulid.Timestamp(at))
	_ = id.SetEntropy(sum[:10])
	return contract.RequestPrefix + id.String()
}

// keyOf is what the claims of a digest hold.
func keyOf(sum [32]byte) string { return hex.EncodeToString(sum[:10]) }

// parseRequest gives the key and the beginning of a request.
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
	bus  *bus.Bus
	name contract.CommandName // of the commands
	now  func() time.Time
}

// sendNamed sends the command of a request that its client named, unless it was sent before.
func (r Requests) sendNamed(ctx context.Context, request string, command func(request string, at time.Time) (contract.Command, error)) (joined bool, err error) {
	key, at, ok := parseRequest(request)
	if !ok {
		return false, fmt.Errorf("send quote request: %q names none", request)
	}
	c, err := command(request, at)
	if err != nil {
		return false, err
	}
	err = r.bus.Claim(ctx, bus.Claim{Command: c, Key: key})
	if errors.Is(err, bus.ErrWrongRevision) {
		return true, nil
	}
	return false, err
}

// claim sends the command as a new request, or finds the request that
// the same content began within the last ten minutes. command makes the command of a request
// that begins at a time. ended reports whether a request has failed in a way that
// may pass, so that a new one must begin.
func (r Requests) claim(ctx context.Context, sum [32]byte, command func(request string, at time.Time) (contract.Command, error), ended func(request string) (bool, error)) (request string, joined bool, err error) {
	var last bus.Claim // whose place is to be taken
	for range claims {
		now := r.now()
		if next := last.At.Add(time.Millisecond); now.Before(next) { // requests of one digest differ by their millisecond
			now = next
		}
		mine := requestID(sum, now)
		err = r.send(ctx, mine, now, sum, last.Seq, command)
		if !errors.Is(err, bus.ErrWrongRevision) {
			return mine, false, err
		}
		theirs, err := r.bus.LatestClaim(ctx, r.name, keyOf(sum))
		if errors.Is(err, bus.ErrNoKey) {
			last = bus.Claim{}
			continue
		}
		if err != nil {
			return "", false, err
		}
		same, err := joins(sum, theirs, now, ended)
		switch {
		case err != nil:
			return "", false, err
		case same:
			return theirs.Request, true, nil
		case theirs.Note != noteOf(sum):
			return r.fresh(ctx, command)
		}
		last = theirs
	}
	return "", false, fmt.Errorf("claim quote request: others claimed it %d times", claims)
}

// noteOf is kept with a claim: its key is only a part of the digest. Releases before this
// one end it with a dot, and find each other's claims by it.
func noteOf(sum [32]byte) string { return hex.EncodeToString(sum[:]) + "." }

// joins reports whether a content belongs to a request that was claimed before.
func joins(sum [32]byte, theirs bus.Claim, now time.Time, ended func(string) (bool, error)) (bool, error) {
	if theirs.Note != noteOf(sum) || now.Sub(theirs.At) >= sameWindow {
		return false, nil
	}
	over, err := ended(theirs.Request)
	return !over, err
}

// fresh names a request by chance, where its own name is another's.
func (r Requests) fresh(ctx context.Context, command func(string, time.Time) (contract.Command, error)) (string, bool, error) {
	now := r.now()
	var other [32]byte
	_, _ = rand.Read(other[:]) // never fails
	request := requestID(other, now)
	return request, false, r.send(ctx, request, now, other, 0, command)
}

func (r Requests) send(ctx context.Context, request string, at time.Time, sum [32]byte, after uint64, command func(string, time.Time) (contract.Command, error)) error {
	c, err := command(request, at)
	if err != nil {
		return err
	}
	return r.bus.Claim(ctx, bus.Claim{Command: c, Key: keyOf(sum), Note: noteOf(sum), Seq: after})
}

// readClaim gives a request as it was claimed.
func (r Requests) readClaim(ctx context.Context, request string) (c contract.Command, found bool, err error) {
	key, _, ok := parseRequest(request)
	if !ok {
		return c, false, nil
	}
	claim, err := r.bus.LatestClaim(ctx, r.name, key)
	if errors.Is(err, bus.ErrNoKey) || err == nil && claim.Request != request {
		return c, false, nil
	}
	return claim.Command, err == nil, err
}
