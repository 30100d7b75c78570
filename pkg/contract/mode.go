package contract

import "strings"

// testSide ends the owner's name of what an account's test keys make. An account's
// own id cannot hold it, see [ValidToken].
const testSide = "~test"

// Owner is whose all is that a key makes: the account for a live key, and a side
// of its own for a test key. It stands as the account in every command, event and
// state, so live and test are as separate as two accounts are, in ids that follow
// from the account, in lists, look-ups and guards alike, and whatever follows from
// a state knows its mode. What was made before there were sides is live.
func (k APIKey) Owner(account string) string {
	if k.Live {
		return account
	}
	return account + testSide
}

// IsTest reports whether an owner is the test side of an account. What it owns moves
// no money, and nothing is made or bought for it.
func IsTest(owner string) bool { return strings.HasSuffix(owner, testSide) }

// AccountOf is the account of an owner: the partner, whichever key it used.
func AccountOf(owner string) string { return strings.TrimSuffix(owner, testSide) }

// ListWord is how the standing of something an owner has is listed in the projection:
// the word itself for live, so that whoever lists or counts by it gets live alone,
// and the word with a mark for test.
func ListWord[S ~string](owner string, word S) string {
	if IsTest(owner) && word != "" {
		return string(word) + testSide
	}
	return string(word)
}

// ModeKey lists documents of test keys, by TestMode; what is live has no such key.
const (
	ModeKey  = "mode"
	TestMode = "test"
)
