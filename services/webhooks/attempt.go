package webhooks

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	contractwebhooks "boardorder/pkg/contract/webhooks"
	"boardorder/services/webhooks/internal/lane"
	"boardorder/services/webhooks/internal/outbound"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"go.uber.org/zap"
)

// result is what came of an attempt.
type result struct {
	lane  contractwebhooks.Lane
	of    contractwebhooks.Delivery // less how it ended
	gone  bool                      // the event is not kept any more, or not wanted
	err   error                     // the event system's: nothing was sent
	reply outbound.Reply
}

// attempt sends one event and says what came of it.
func (r *runner) attempt(ctx context.Context, to endpoint, client *outbound.Client, l contractwebhooks.Lane, pooled bool) {
	res := r.send(ctx, to, client, l)
	if pooled {
		<-r.pool
	}
	r.results <- res
}

func (r *runner) send(ctx context.Context, to endpoint, client *outbound.Client, l contractwebhooks.Lane) result {
	e, err := r.sender.feed.ReadAt(ctx, to.Account, cmp.Or(l.Object, l.Key), l.Seq)
	if errors.Is(err, aggregate.ErrNone) || err == nil && l.Object == "" && !e.IsFor(to) {
		return result{lane: l, gone: true}
	}
	if err != nil {
		return result{lane: l, err: err}
	}
	body, err := json.Marshal(e.Public(r.cfg.PublicURL, r.keys.QuoteIDOf))
	if err != nil {
		return result{lane: l, err: err}
	}
	header, err := r.sign(to, e.ID, body)
	if err != nil {
		return result{lane: l, err: err}
	}
	of := contractwebhooks.Delivery{Event: e.ID, Type: string(e.Type), Object: e.Data.Reference(), Attempt: l.Attempts + 1, At: r.now().UTC(), URL: to.URL}
	reply := client.Post(ctx, to.URL, header, body)
	if reply.IsDelivered() && l.Attempts == 0 {
		r.measures.delay.Observe(r.now().Sub(e.Stored).Seconds())
	}
	return result{lane: l, of: of, reply: reply}
}

// sign makes the headers of a delivery, with a signature by each secret of the endpoint.
func (r *runner) sign(to endpoint, id string, body []byte) (http.Header, error) {
	at := r.now()
	var signatures []string
	for _, s := range to.Secrets {
		if !s.IsValid(at) {
			continue
		}
		signature, err := r.signWith(s, to, id, at, body)
		if err != nil {
			return nil, err
		}
		signatures = append(signatures, signature)
	}
	return http.Header{
		"Content-Type": {"application/json"}, "User-Agent": {"boardorder-webhooks/1"},
		// As the specification spells them.
		standardwebhooks.HeaderWebhookID: {id}, standardwebhooks.HeaderWebhookTimestamp: {strconv.FormatInt(at.Unix(), 10)},
		standardwebhooks.HeaderWebhookSignature: {strings.Join(signatures, " ")},
	}, nil
}

// signWith gives the signature by one secret. Those by ed25519 are not in the library.
func (r *runner) signWith(s contractwebhooks.Secret, to endpoint, id string, at time.Time, body []byte) (string, error) {
	gone := fmt.Errorf("the master key %s, of which a secret of %s was made, is not there any more", s.Master, to.ID)
	if to.Signature == contractwebhooks.Ed25519 {
		pair, ok := r.keys.WebhookSigningKey(s.Master, to.ID, s.Generation)
		if !ok {
			return "", gone
		}
		text := fmt.Appendf(nil, "%s.%d.%s", id, at.Unix(), body)
		return string(contractwebhooks.Ed25519) + "," + base64.StdEncoding.EncodeToString(ed25519.Sign(pair, text)), nil
	}
	key, ok := r.keys.WebhookSecret(s.Master, to.ID, s.Generation)
	if !ok {
		return "", gone
	}
	w, err := standardwebhooks.NewWebhookRaw(key)
	if err != nil {
		return "", err
	}
	return w.Sign(id, at, body)
}

// settle takes in what came of an attempt.
func (r *runner) settle(ctx context.Context, res result) error {
	key, now := res.lane.Key, r.now()
	r.dirty = true
	if res.err != nil {
		r.measures.attempts.WithLabelValues("postponed").Inc()
		r.log.Warn("a delivery waits", zap.String("endpoint", r.id), zap.Error(res.err))
		r.window.Postpone(key, now.Add(5*time.Second))
		return nil
	}
	switch {
	case res.gone:
	case res.reply.IsDelivered():
		r.measures.attempts.WithLabelValues("delivered").Inc()
		r.window.Succeed(now)
		r.record(ctx, res, contractwebhooks.Delivered, time.Time{})
	default:
		r.measures.attempts.WithLabelValues("failed").Inc()
		exhausted := r.window.Fail(key, now, failureOf(res.reply))
		ends, err := r.giveUp(ctx, res.reply.Status == http.StatusGone)
		if err != nil {
			return err
		}
		if !exhausted {
			next := r.window.AttemptAt(key)
			if ends { // none follows until the endpoint is enabled again
				next = time.Time{}
			}
			r.record(ctx, res, contractwebhooks.Failed, next)
			return nil
		}
		r.measures.attempts.WithLabelValues("given_up").Inc()
		r.record(ctx, res, contractwebhooks.GivenUp, time.Time{})
	}
	return r.pass(ctx, res.lane)
}

// record writes an attempt down, without making the next wait. What cannot be written is not in the
// list that the endpoint's owner sees. next is zero where there is none.
func (r *runner) record(ctx context.Context, res result, outcome contractwebhooks.Outcome, next time.Time) {
	r.number++
	d := res.of
	d.Number, d.Outcome, d.Millis = r.number, outcome, res.reply.Took.Milliseconds()
	d.Status, d.Problem, d.Reply = res.reply.Status, res.reply.Problem, res.reply.Body
	if !next.IsZero() {
		d.NextAt = &next
	}
	ctx = context.WithoutCancel(ctx)
	r.logs.Go(func() {
		if err := r.source.LogDelivery(ctx, r.id, d); err != nil {
			r.log.Warn("a delivery is not in its endpoint's list", zap.String("endpoint", r.id), zap.Error(err))
		}
	})
}

// pass goes on with an object, where more of it was looked at already.
func (r *runner) pass(ctx context.Context, l contractwebhooks.Lane) error {
	if l.Object != "" {
		r.window.Pass(l.Key, 0)
		return nil
	}
	for after := l.Seq; ; {
		e, err := r.sender.feed.ReadNext(ctx, r.endpoint.Account, l.Key, after, r.window.Seq)
		switch {
		case errors.Is(err, aggregate.ErrNone):
			r.window.Pass(l.Key, 0)
			return nil
		case err != nil:
			r.window.Postpone(l.Key, r.now()) // it is sent once more
			return err
		case r.wants(e):
			r.window.Pass(l.Key, e.Seq)
			return nil
		}
		after = e.Seq
	}
}

func failureOf(reply outbound.Reply) lane.Failure {
	switch reply.Status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusGatewayTimeout:
		return lane.Failure{RetryAfter: reply.RetryAfter, Throttle: true}
	}
	return lane.Failure{RetryAfter: reply.RetryAfter}
}
