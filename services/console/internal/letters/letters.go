// Package letters reads which e-mails were sent about something.
package letters

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract/emails"
	"boardorder/services/console/internal/format"
)

// A Box keeps the lists of e-mails, as notify writes them.
type Box interface {
	Get(ctx context.Context, key string) (value []byte, rev uint64, err error) // bus.ErrNoKey
}

// A Letter is an e-mail with whom it went to, in words.
type Letter struct {
	emails.Letter
	Who   string
	About string
}

// Read gives the e-mails about some things, oldest first. The customer is named as the
// operator may see them.
func Read(ctx context.Context, from Box, customer string, abouts ...string) ([]Letter, error) {
	var all []Letter
	for _, about := range abouts {
		list, _, err := from.Get(ctx, emails.LettersKey(about))
		if errors.Is(err, bus.ErrNoKey) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("e-mails about %s: %w", about, err)
		}
		found, err := emails.ReadLetters(list)
		if err != nil {
			return nil, fmt.Errorf("e-mails about %s: %w", about, err)
		}
		for _, l := range found {
			all = append(all, Letter{l, recipient(l.To, customer), about})
		}
	}
	slices.SortStableFunc(all, func(a, b Letter) int { return a.At.Compare(b.At) })
	return all, nil
}

func recipient(to emails.Recipient, customer string) string {
	switch {
	case to == emails.ToTeam:
		return "the team"
	case to == emails.ToAccount:
		return "the account"
	case customer == "":
		return "the customer"
	}
	return customer
}

// words are the kinds whose names say too little.
var words = map[emails.Kind]string{
	emails.FormalQuote: "formal quote", emails.FormalParcel: "formal order is on its way", emails.FormalTeam: "formal order", emails.FormalQuestion: "question", emails.FormalAnswered: "customer has answered", emails.GivenBack: "refund", emails.SentBack: "refund did not arrive",
	emails.Refunded: "second payment refunded", emails.OrderMoney: "payment needs a look", emails.Code: "code", emails.Shipped: "order is on its way",
	emails.OrderWaiting: "fabricator asks", emails.ReviewRequest: "price needed", emails.ReviewReceived: "we have your request", emails.FormalReceived: "we have your formal order", emails.ReviewPriced: "price is ready", emails.ReviewQuestion: "question",
	emails.ReviewAnswered: "customer has answered", emails.ReviewRefused: "no price", emails.OnHold: "order is looked at", emails.Cancelled: "order is cancelled",
}

// Title is what was sent to whom.
func (l Letter) Title() string {
	word := words[l.Kind]
	if word == "" {
		word = format.Words(l.Kind)
	}
	return fmt.Sprintf("E-mail to %s: %s", l.Who, word)
}

// Standing is what the mail server said. Whether somebody read it nobody knows.
func (l Letter) Standing() string {
	if l.Outcome == emails.Rejected {
		return "refused by the mail server"
	}
	return "taken by the mail server"
}
