package customer

import (
	"context"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/guess"
)

// How often an account asks for codes of one e-mail address and tries them, and
// how many mails the address gets over all accounts.
const (
	asksAnHour  = 5
	mailsAnHour = 5
	triesAnHour = 20
)

// counts bounds codes by address, those for each purpose by themselves. What an account asks for counts for the account
// alone, so that no account keeps another's customer from a code, or learns from
// a refusal that somebody else asked. The address itself is spared too many mails,
// which counts the mails that were sent and shows in no answer.
type counts struct {
	hourly   *guess.Counter // within [contract.CodeAttemptWindow]
	minutely *guess.Counter // within a minute
}

func asks(purpose string, account, email string) (minute, hour guess.Bound) {
	subject := "ask:" + purpose + ":" + account + ":" + contract.PersonRef(email)
	return guess.Bound{Subject: "minute " + subject, Max: 1}, guess.Bound{Subject: subject, Max: asksAnHour}
}

func mailsTo(email string) guess.Bound {
	return guess.Bound{Subject: "mail:" + contract.PersonRef(email), Max: mailsAnHour}
}

// ask counts a request for a code; wait is how long until there may be one.
func (n counts) ask(ctx context.Context, purpose string, account, email string) (wait time.Duration, err error) {
	minute, hour := asks(purpose, account, email)
	wait, err = n.minutely.Begin(ctx, minute)
	if err == nil && wait == 0 {
		if wait, err = n.hourly.Begin(ctx, hour); err != nil || wait > 0 {
			_ = n.minutely.Undo(ctx, minute)
		}
	}
	return wait, err
}

// unask takes a request back that was refused.
func (n counts) unask(ctx context.Context, purpose string, account, email string) {
	minute, hour := asks(purpose, account, email)
	_ = n.minutely.Undo(ctx, minute)
	_ = n.hourly.Undo(ctx, hour)
}

// mail counts a mail before it may be sent; full says that the address got
// enough of them.
func (n counts) mail(ctx context.Context, email string) (full bool, err error) {
	wait, err := n.hourly.Begin(ctx, mailsTo(email))
	return wait > 0, err
}

// unsent takes a mail back that nobody was sent.
func (n counts) unsent(ctx context.Context, email string) { _ = n.hourly.Undo(ctx, mailsTo(email)) }

// try counts a code that an account enters.
func (n counts) try(ctx context.Context, account, email string) (wait time.Duration, err error) {
	return n.hourly.Begin(ctx, guess.Bound{Subject: "code:" + account + ":" + contract.PersonRef(email), Max: triesAnHour})
}
