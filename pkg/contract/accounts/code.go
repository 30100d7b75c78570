package accounts

import (
	"time"

	"boardorder/pkg/contract"
)

// SendSignInCode has a code that an edge made mailed to whoever may sign in with an address.
// It has no outcome: nobody learns whether there is such a member.
var SendSignInCode = contract.CommandName{Service: "console", Verb: "send-sign-in-code"}

// SendSignInCodeData names the code and the address that asked for it.
type SendSignInCodeData struct {
	Code  string `json:"code"` // key of the [SignInCode]
	Email string `json:"email"`
}

// Rules of codes to sign in with.
const (
	SignInCodeTTL   = 10 * time.Minute
	SignInCodeTries = 5 // of one code
)

// SignInCode is what is kept of a code that a browser asked for, in
// [contract.PortalCodesBucket], whether the address is a member's or not.
type SignInCode struct {
	Email    string    `json:"email"`
	Nonce    string    `json:"nonce"` // the code follows from it and the master key
	Hash     string    `json:"hash"`  // keyed, of the code
	Language string    `json:"language,omitempty"`
	At       time.Time `json:"at"`
	Tries    int       `json:"tries,omitempty"` // counted before they are looked at
	Used     bool      `json:"used,omitempty"`
	// Session is which session it proves anew; "" is one that begins one.
	Session string `json:"session,omitempty"`
}

// IsLive reports whether the code may still be entered.
func (c SignInCode) IsLive(now time.Time) bool {
	return !c.Used && c.Tries < SignInCodeTries && now.Before(c.At.Add(SignInCodeTTL))
}
