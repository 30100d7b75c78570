// Package idempotency has a header of the client's name one request for a day, as the IETF's
// draft of Idempotency-Key does: sent again it makes nothing a second time, whichever edge
// it comes to. What is kept beside a key is the name by which the request is carried out,
// and never a reply: commands of one name have one outcome, and whoever comes again is
// answered with that.
//
// Nothing is locked. A key is claimed before the first command is sent, so an edge that
// ends between the two leaves a name that nothing was done by, and whoever comes again
// sends the command.
package idempotency

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"

	"github.com/oklog/ulid/v2"
)

// Header is what clients name their requests with.
const Header = "Idempotency-Key"

const (
	// Window is how long a key names the same request.
	Window  = 24 * time.Hour
	maxKey  = 255
	races   = 10 // attempts while others claim the same key
	purpose = "idempotency"
)

// Keys are the keys of all accounts. An account's live and test keys are two owners, so
// neither sees the other's.
type Keys struct {
	Bucket  Bucket
	Secrets *secret.Keyring
	Now     func() time.Time
}

// Bucket is where keys are claimed, together with all edges: a [bus.Bucket].
type Bucket interface {
	Get(ctx context.Context, key string) (value []byte, rev uint64, err error)
	Create(ctx context.Context, key string, value []byte) (rev uint64, err error)
	Update(ctx context.Context, key string, value []byte, rev uint64) (uint64, error)
	DeleteAt(ctx context.Context, key string, rev uint64) error
}

// record is what is kept of a key.
type record struct {
	Request string `json:"request"`
	Content string `json:"content"`        // a keyed hash
	Note    string `json:"note,omitempty"` // [Request.Note]
}

// A Request is what a call asks for, by the name that its commands have.
type Request struct {
	ID string
	At time.Time // when it was named
	// Note is what the first call told those that come again, on one line and no secret.
	// It is set before Claim.
	Note string
	// Replayed: an earlier call named it. What that call did may be all, a part, or nothing.
	Replayed bool
	// Outcome is what came of it; nil while nothing did.
	Outcome *outcome.Outcome

	keys    *Keys
	name    string   // of the key in the bucket; "" = the client sent none
	content []string // what was sent with the key
	place   uint64   // revision of the record whose place it takes
	held    uint64   // that of its own record, where this call claimed the key
}

// IsNamed reports whether the client named the request.
func (r *Request) IsNamed() bool { return r != nil && r.name != "" }

// HasEnded reports whether it is known what came of the request.
func (r *Request) HasEnded() bool { return r != nil && r.Outcome != nil }

// Begin gives the request that a call is for: a new one, or the one that its key names.
// content is what the call asks for, of which another one with the same key is refused: the
// endpoint, and the body. Nothing is claimed yet, so what is refused before Claim leaves the
// key free.
func (k *Keys) Begin(c *web.Call, outcomes outcome.Outcomes, content ...string) (*Request, error) {
	key, err := keyOf(c)
	if err != nil {
		return nil, err
	}
	return k.BeginNamed(c.Context(), c.Caller.Account, key, outcomes, content...)
}

// BeginNamed is Begin for a key of one of our own pages; "" is none.
func (k *Keys) BeginNamed(ctx context.Context, account, key string, outcomes outcome.Outcomes, content ...string) (*Request, error) {
	r := &Request{keys: k, content: append([]string{purpose, account}, content...)}
	if key != "" {
		r.name = nameOf(account, key)
	}
	if err := r.load(ctx); err != nil {
		return nil, err
	}
	if !r.Replayed {
		return r, nil
	}
	out, err := outcomes.Find(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	if out != nil && out.Refusal != nil && problem.Passing(out.Refusal.Code) {
		r.rename() // nothing was made, and the same may well be granted now
		return r, nil
	}
	r.Outcome = out
	return r, nil
}

// Look gives the request that a call's key names, whatever the call asks for, and its note;
// "" where it names none.
func (k *Keys) Look(c *web.Call) (request, note string, err error) {
	key, err := keyOf(c)
	if err != nil || key == "" {
		return "", "", nil // what is wrong with a key is said by whoever heeds it
	}
	was, _, err := k.read(c.Context(), nameOf(c.Caller.Account, key))
	return was.Request, was.Note, err
}

func nameOf(account, key string) string { return contract.DeriveID(purpose, account, key) }

// read gives what is kept of a key, nothing where that is older than a day, and the
// revision whose place another takes.
func (k *Keys) read(ctx context.Context, name string) (was record, revision uint64, err error) {
	value, revision, err := k.Bucket.Get(ctx, name)
	if errors.Is(err, bus.ErrNoKey) {
		return record{}, 0, nil
	}
	if err == nil {
		err = json.Unmarshal(value, &was)
	}
	if err != nil {
		return record{}, 0, problem.Unavailable(fmt.Errorf("idempotency key: %w", err))
	}
	if k.Now().Sub(timeOf(was.Request)) >= Window {
		was = record{}
	}
	return was, revision, nil
}

// load takes over what is kept of the key, or names a new request.
func (r *Request) load(ctx context.Context) error {
	r.Replayed, r.place = false, 0
	if r.name == "" {
		r.rename()
		return nil
	}
	was, revision, err := r.keys.read(ctx, r.name)
	if err != nil {
		return err
	}
	r.place = revision
	if was.Request == "" {
		r.rename()
		return nil
	}
	if !r.keys.Secrets.IsCodeHash(was.Content, r.content...) {
		return problem.New(contract.IdempotencyKeyReused, "This Idempotency-Key was sent with another body, or to another address. A key stands for one request.")
	}
	r.ID, r.At, r.Note, r.Replayed = was.Request, timeOf(was.Request), was.Note, true
	return nil
}

func (r *Request) rename() {
	now := r.keys.Now()
	r.ID, r.Note, r.Replayed = contract.NewID(contract.RequestPrefix, now), "", false
	r.At = timeOf(r.ID)
}

func timeOf(request string) time.Time {
	id, err := ulid.ParseStrict(strings.TrimPrefix(request, contract.RequestPrefix))
	if err != nil {
		return time.Time{}
	}
	return ulid.Time(id.Time()).UTC()
}

// Claim binds the key to the request, before its first command is sent. Where another call
// was first, the request is that one's from then on.
func (r *Request) Claim(ctx context.Context) error {
	for range races {
		if r.name == "" || r.Replayed {
			return nil
		}
		value, err := json.Marshal(record{r.ID, r.keys.Secrets.CodeHash(r.content...), r.Note})
		if err != nil {
			return fmt.Errorf("encode idempotency key: %w", err)
		}
		var revision uint64
		if r.place == 0 {
			revision, err = r.keys.Bucket.Create(ctx, r.name, value)
		} else {
			revision, err = r.keys.Bucket.Update(ctx, r.name, value, r.place)
		}
		if err == nil {
			r.held = revision
			return nil
		}
		if !errors.Is(err, bus.ErrWrongRevision) {
			return problem.Unavailable(fmt.Errorf("claim idempotency key: %w", err))
		}
		note := r.Note
		if err := r.load(ctx); err != nil {
			return err
		}
		if !r.Replayed {
			r.Note = note
		}
	}
	return RefuseInUse()
}

// Release frees a key that this call has claimed, where it turns out that nothing will be
// asked for. What cannot be freed just now is sent under the same name by whoever comes again.
func (r *Request) Release(ctx context.Context) {
	if r.held != 0 {
		_ = r.keys.Bucket.DeleteAt(ctx, r.name, r.held)
	}
}

// Mark says in the reply that an earlier call named the request.
func (r *Request) Mark(c *web.Call) {
	if r.Replayed {
		c.Set(web.Replayed, "true")
	}
}

// Explain gives the error of a request that was carried out: where its outcome takes long
// and an earlier call asked for it, that one is still in progress.
func (r *Request) Explain(err error) error {
	if err == nil || !r.Replayed || problem.Find(err).Refusal.Code != contract.Unavailable {
		return err
	}
	return RefuseInUse()
}

// RefuseInUse says that the request that a key names is still in progress.
func RefuseInUse() error {
	p := problem.New(contract.IdempotencyKeyInUse, "The request that this Idempotency-Key names is still being carried out. Send it again in a moment, and the answer is that request's.")
	p.Refusal.RetryAfterS = 2
	return p
}

// keyOf reads the header, bare or quoted as a string of a structured field.
func keyOf(c *web.Call) (string, error) {
	headers := c.Headers(Header)
	if len(headers) == 0 {
		return "", nil
	}
	key, ok := parse(headers[0])
	if ok && len(headers) == 1 {
		return key, nil
	}
	message := fmt.Sprintf("Idempotency-Key stands once, and has 1 to %d printable characters.", maxKey)
	if c.Route.Detail {
		return "", &problem.Problem{Status: http.StatusBadRequest, Detail: []problem.Detail{{Loc: []any{"header", Header}, Msg: message, Type: "value_error"}}}
	}
	p := problem.New(contract.InvalidRequest, "%s", message).Answering(http.StatusBadRequest)
	p.Refusal.Fields = []contract.FieldProblem{{Field: Header, Problem: "malformed", Message: message, Allowed: map[string]int{"max_length": maxKey}}}
	return "", p
}

func parse(header string) (key string, ok bool) {
	key = strings.TrimSpace(header)
	if n := len(key); n >= 2 && key[0] == '"' && key[n-1] == '"' {
		key = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(key[1 : n-1])
	}
	printable := strings.IndexFunc(key, func(r rune) bool { return r < ' ' || r > '~' }) < 0
	return key, key != "" && len(key) <= maxKey && printable
}
