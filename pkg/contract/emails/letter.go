package emails

import (
	"encoding/json"
	"slices"
	"time"
)

// A Letter is an e-mail that was handed to the mail server: what the histories that it is a
// step of say about it, and neither its text nor its address.
type Letter struct {
	ID      string    `json:"id"`
	Kind    Kind      `json:"kind"`
	To      Recipient `json:"to"`
	At      time.Time `json:"at"`
	Subject string    `json:"subject,omitempty"`
	Outcome Outcome   `json:"outcome"`
}

// A Recipient is whom an e-mail goes to.
type Recipient string

// The recipients.
const (
	ToCustomer Recipient = "customer"
	ToTeam     Recipient = "team"
	ToAccount  Recipient = "account" // the partner
)

// Recipient is whom e-mails of a kind go to, unless they are of tests.
func (k Kind) Recipient() Recipient {
	switch k {
	case OrderHeld, OrderWaiting, OrderMoney, ReviewRequest, ReviewAnswered, FormalTeam, FormalAnswered:
		return ToTeam
	case KeyRevoked, Declared, SignInCode, MemberAdded, EndpointOff, KeyMade, DetailsSet:
		return ToAccount
	}
	return ToCustomer
}

// An Outcome is what the mail server said. What becomes of a mail behind it nobody tells.
type Outcome string

// The outcomes.
const (
	Taken    Outcome = "taken"
	Rejected Outcome = "rejected" // the address or the content, for good
)

// MaxLetters is how many e-mails about one thing are remembered, the newest.
const MaxLetters = 100

// LettersKey is where the e-mails about something are listed, beside what says of each by its
// id that it was sent.
func LettersKey(about string) string { return "about." + about }

// AddLetter adds an e-mail to a list, in place of what was said of it before.
func AddLetter(list []byte, l Letter) ([]byte, error) {
	all, err := ReadLetters(list)
	if err != nil {
		return nil, err
	}
	all = append(slices.DeleteFunc(all, func(one Letter) bool { return one.ID == l.ID }), l)
	return json.Marshal(all[max(0, len(all)-MaxLetters):])
}

// ReadLetters reads a list; nothing is an empty one.
func ReadLetters(list []byte) (all []Letter, err error) {
	if len(list) == 0 {
		return nil, nil
	}
	err = json.Unmarshal(list, &all)
	return all, err
}
