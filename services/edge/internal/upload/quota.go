package upload

import (
	"context"
	"io"
	"strconv"
	"time"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// Quotas bound what one sender can take of what all share.
type Quotas struct {
	Limiter *limit.Limiter
	Places  *limit.Places
	Network func(*web.Call) string // where a call comes from, in [A-Za-z0-9_-]
}

// sender is whoever sends a form: a key, or the account that handed out a link.
type sender struct {
	id      string // in [A-Za-z0-9_-]
	network string
	limits  map[string]int // of the account, where they differ from the usual
}

// begin takes a place for one form. leave must be called.
func (q Quotas) begin(s sender) (leave func(), err error) {
	most := limit.UploadsInHand.ApplyLimits(s.limits)
	own, ok := q.Places.Enter("upload."+s.id, most.Max)
	if !ok {
		return nil, Busy("You send %d forms at once, which is as many as may be.", most.Max)
	}
	network, ok := q.Places.Enter("upload."+s.network, limit.NetworkUploads.Max)
	if !ok {
		own()
		return nil, Busy("%d forms come from your network at once, which is as many as may be.", limit.NetworkUploads.Max)
	}
	return func() { network(); own() }, nil
}

// Busy refuses what would be too much at once.
func Busy(format string, args ...any) error {
	p := problem.New(contract.RateLimited, format, args...)
	p.Refusal.RetryAfterS = 5
	return p
}

// open counts a new upload.
func (q Quotas) open(ctx context.Context, s sender) error {
	policy := limit.Uploads.ApplyLimits(s.limits)
	state, err := q.Limiter.Take(ctx, policy, s.id)
	return checkQuota(state, err, "The quota of %d uploads in %s is used up for now.")
}

// megabytes counts what is about to be read.
func (q Quotas) megabytes(ctx context.Context, s sender, n int) error {
	state, err := q.Limiter.TakeMany(ctx, limit.UploadMegabytes.ApplyLimits(s.limits), s.id, n)
	if err := checkQuota(state, err, "The quota of %d MB in %s is used up for now."); err != nil {
		return err
	}
	state, err = q.Limiter.TakeMany(ctx, limit.NetworkMegabytes, s.network, n)
	return checkQuota(state, err, "The quota of %d MB in %s from your network is used up for now.")
}

func checkQuota(state limit.State, err error, format string) error {
	switch {
	case err != nil:
		return problem.Unavailable(err)
	case state.Allowed:
		return nil
	}
	hours := strconv.Itoa(int(state.Policy.Window/time.Hour)) + " hours"
	p := problem.New(contract.RateLimited, format, state.Policy.Quota, hours)
	p.Refusal.RetryAfterS = state.RetryAfter()
	return p
}

// metered reads a body as long as its sender may send.
type metered struct {
	r    io.Reader
	take func(megabytes int) error
	left int64
	step int
}

// maxStep is how many megabytes are counted at once; the first are one.
const maxStep = 4

func (m *metered) Read(p []byte) (int, error) {
	if m.left == 0 {
		m.step = min(m.step+1, maxStep)
		if err := m.take(m.step); err != nil {
			return 0, err
		}
		m.left = int64(m.step) << 20
	}
	n, err := m.r.Read(p[:min(int64(len(p)), m.left)])
	m.left -= int64(n)
	return n, err
}
