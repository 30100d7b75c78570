// Package customer is the edge's part for customers who come back: codes that
// they are mailed, paying with what they saved, and their earlier orders.
//
// Nobody learns here who is a customer. An address that is unknown gets the same
// answers, counts the same, and has the same done for it; only no e-mail follows.
// The one thing that is said, saved_details in a quote's reply, is said to keys of
// the account that the customer paid through.
package customer

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/guess"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/dispatch"
	"boardorder/services/edge/internal/idempotency"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
	"boardorder/services/edge/internal/web"
)

// Customers answers what is asked on behalf of customers.
type Customers struct {
	*dispatch.Client
	Hourly   *guess.Counter // within [contract.CodeAttemptWindow]
	Minutely *guess.Counter // within a minute
}

const (
	timeout  = 25 * time.Second
	maxEmail = 254
	maxToken = 200
)

func (k *Customers) designs() design.Designs {
	return design.Designs{Client: k.Client}
}

// carryOut sends a command and waits for what comes of it. A refusal is an error;
// so is an outcome that takes too long.
func (k *Customers) carryOut(ctx context.Context, name contract.CommandName, request, account string, data any) (*outcome.Outcome, error) {
	cmd, err := contract.NewCommand(name, request, account, k.Now(), data)
	if err != nil {
		return nil, err
	}
	return k.Do(ctx, cmd, timeout)
}

func (k *Customers) counts() counts { return counts{k.Hourly, k.Minutely} }

// begin gives the request that a call is for.
func (k *Customers) begin(c *web.Call, content ...string) (*idempotency.Request, error) {
	return k.Keys.Begin(c, outcome.Outcomes{Docs: k.Docs}, content...)
}

// settle gives what came of a request that has ended.
func settle(c *web.Call, r *idempotency.Request) (*outcome.Outcome, error) {
	r.Mark(c)
	if r.Outcome.Refusal != nil {
		return nil, r.Outcome.Refusal
	}
	return r.Outcome, nil
}

// sending is how long a call that asks for a code takes at most. One that did not send its
// command by then has gone with its edge.
const sending = time.Minute

// await waits for what comes of a request that another call is about to send, or has sent:
// what it counts is not counted again.
func (k *Customers) await(c *web.Call, r *idempotency.Request) (err error) {
	w := k.Waiters.Join(wait.Request(r.ID))
	defer w.Leave()
	r.Outcome, err = outcome.Outcomes{Docs: k.Docs}.Await(c.Context(), w, r.ID, timeout)
	if err == nil && r.Outcome == nil {
		err = idempotency.RefuseInUse()
	}
	return err
}

// mail counts that an account asks for a code before it is asked for, and asks. What was
// asked for by the same key is not asked for again, and counts once.
func (k *Customers) mail(c *web.Call, r *idempotency.Request, email string, data confirmations.SendCodeData) error {
	if err := r.Claim(c.Context()); err != nil {
		return err
	}
	if r.Replayed && !r.HasEnded() && k.Now().Sub(r.At) < sending {
		if err := k.await(c, r); err != nil {
			return err
		}
	}
	if r.HasEnded() {
		_, err := settle(c, r)
		return err
	}
	ctx, n, account, purpose := c.Context(), k.counts(), c.Caller.Account, data.Purpose
	left, err := n.ask(ctx, purpose, account, email)
	switch {
	case err != nil:
		r.Release(ctx)
		return problem.Unavailable(err)
	case left > 0:
		r.Release(ctx)
		p := problem.New(contract.RateLimited, "A code was asked for only just now. For an address, ask for a code of this kind once a minute and five times an hour.")
		p.Refusal.RetryAfterS = int((left + time.Second - 1) / time.Second)
		return p
	}
	full, err := n.mail(ctx, email)
	if err != nil {
		n.unask(ctx, purpose, account, email)
		r.Release(ctx)
		return problem.Unavailable(err)
	}
	if full { // the same is done for nobody, so that neither an answer nor its time tells
		data = decoyCode(account)
	}
	out, err := k.carryOut(ctx, confirmations.SendCode, r.ID, account, data)
	if !full && !sendsMail(out, err) {
		n.unsent(ctx, email)
	}
	if contract.RefusalIn(err) != nil {
		n.unask(ctx, purpose, account, email)
	}
	return err
}

// decoyCode is a code for an address that is no customer's.
func decoyCode(account string) confirmations.SendCodeData {
	email := rand.Text() + "@nobody.invalid"
	return confirmations.SendCodeData{
		Confirmation: confirmations.ID(confirmations.ForHistory, customers.Ref(account, email)), Purpose: confirmations.ForHistory, Email: email,
	}
}

// sendsMail reports whether a mail follows, as far as is known: what took too long
// may have sent one.
func sendsMail(out *outcome.Outcome, err error) bool {
	if err != nil {
		return contract.RefusalIn(err) == nil
	}
	confirmation, err := outcome.Decode[confirmations.Confirmation](out.Doc)
	return err != nil || confirmation.IsKnown()
}

// verify counts a code that was entered, and has it looked at.
func (k *Customers) verify(c *web.Call, r *idempotency.Request, email, id, code string) (confirmations.Confirmation, error) {
	var none confirmations.Confirmation
	if r.HasEnded() {
		out, err := settle(c, r)
		if err != nil {
			return none, err
		}
		confirmed, err := outcome.Decode[confirmations.Confirmation](out.Doc)
		if err == nil && (confirmed.VerifiedAt == nil || confirmed.Nonce != r.Note) { // another code was sent since
			err = problem.New(contract.CodeExpired, "This code is no longer valid. Ask for a new one.")
		}
		return confirmed, err
	}
	left, err := k.counts().try(c.Context(), c.Caller.Account, email)
	switch {
	case err != nil:
		return none, problem.Unavailable(err)
	case left > 0:
		p := problem.New(contract.CodeLocked, "Codes for this address were entered wrongly too often. Wait before you try again.")
		p.Refusal.RetryAfterS = int((left + time.Second - 1) / time.Second)
		return none, p
	}
	known, _, err := outcome.Read[confirmations.Confirmation](c.Context(), k.Docs, string(contract.ConfirmationAggregate), id)
	if err != nil {
		return none, err
	}
	// The code itself is in no message: only whether it is the one whose hash is kept.
	hash := k.Secrets.CodeHash(id, known.Nonce, code)
	if k.Secrets.IsCodeHash(known.Hash, id, known.Nonce, code) {
		hash = known.Hash
	}
	r.Note = known.Nonce
	if err := r.Claim(c.Context()); err != nil {
		return none, err
	}
	r.Mark(c)
	out, err := k.carryOut(c.Context(), confirmations.VerifyCode, r.ID, c.Caller.Account, confirmations.VerifyCodeData{
		Confirmation: id, Nonce: known.Nonce, Hash: hash, Key: c.Caller.Key.ID,
	})
	if err != nil {
		return none, r.Explain(err)
	}
	return outcome.Decode[confirmations.Confirmation](out.Doc)
}

// digits keeps what belongs to a code, however it was read out.
func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// mask shows of an address what its owner knows it by.
func mask(email string) string {
	name, domain, _ := strings.Cut(email, "@")
	host, end := domain, ""
	if i := strings.LastIndexByte(domain, '.'); i >= 0 {
		host, end = domain[:i], domain[i:]
	}
	return initial(name) + "•••@" + initial(host) + "•••" + end
}

func initial(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}

// Sent is the reply to whoever asked for a code.
type Sent struct {
	OK               bool   `json:"ok"`
	SentTo           string `json:"sent_to"`
	ExpiresInMinutes int    `json:"expires_in_minutes"`
	Next             string `json:"next"`

	Notes []string `json:"notes,omitempty"` // what of the request has no effect
}
