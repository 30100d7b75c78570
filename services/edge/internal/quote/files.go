package quote

import (
	"context"
	"sync"
	"time"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/web"
)

// files remembers the content of uploads that could be used a moment ago, for
// clients that ask for several prices of one. It decides nothing: whether the
// upload can be used is looked at again when it is priced, and its content when
// a request is taken for an earlier one.
type files struct {
	mu   sync.Mutex
	seen map[string]content // by ref of the upload
}

type content struct {
	digest  string
	test    bool // the upload is a test key's
	expires time.Time
	until   time.Time // to be believed
}

const (
	filesLife = time.Second // at most; a wake-up call ends it before
	filesMost = 10_000
)

func (f *files) get(ref string, test bool, now time.Time) (digest string, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c, ok := f.seen[ref]
	return c.digest, ok && c.test == test && now.Before(c.until) && now.Before(c.expires)
}

func (f *files) put(ref string, c content) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.seen == nil || len(f.seen) >= filesMost {
		f.seen = map[string]content{}
	}
	f.seen[ref] = c
}

// Forget drops what is known of an upload: it has changed.
func (q *Quotes) Forget(ref string) {
	q.files.mu.Lock()
	defer q.files.mu.Unlock()
	delete(q.files.seen, ref)
}

// arrived gives the digest of an upload's files for a request, which waits for those
// that are still being unpacked. What it waited it does not wait for its price.
func (q *Quotes) arrived(c *web.Call, o *order, ref string) (string, error) {
	began := time.Now()
	digest, err := q.digest(c.Context(), c.Caller.Account, ref, o.timeout)
	o.timeout = max(o.timeout-time.Since(began).Truncate(time.Second), 0)
	return digest, err
}

// digest gives the digest of an upload's files as read just now, or says why
// an owner cannot use them. It waits up to a time for those that are being unpacked.
func (q *Quotes) digest(ctx context.Context, owner, ref string, most time.Duration) (string, error) {
	up, err := q.designs().Usable(ctx, owner, ref, most)
	now := q.Now()
	if err != nil {
		q.Forget(ref)
		return "", err
	}
	q.files.put(ref, content{up.Digest, contract.IsTest(owner), up.ExpiresAt, now.Add(filesLife)})
	return up.Digest, nil
}
