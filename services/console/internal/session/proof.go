package session

// A Proof is what an operator signed in with.
type Proof string

// The proofs.
const (
	FirstFactor  Proof = "first factor"      // a password or a link: a second factor is still to be given
	SingleFactor Proof = "single factor"     // a password or a link, where no second factor is asked for
	SecondFactor Proof = "second factor"     // and a second factor
	Provider     Proof = "identity provider" // what the company's identity provider asks for
)
