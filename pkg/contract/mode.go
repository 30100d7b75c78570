package contract

import "strings"

// testSuffix ends the owner's name of what an account's test keys make. An account's
// own id cannot hold it, see [ValidToken].
const testSuffix = "~test"

// TestOwner is whose all is that an account's test keys make.
func TestOwner(account string) string { return account + testSuffix }

// IsTest reports whether an owner is an account in test mode. What it owns moves
// no money, and nothing is made or bought for it.
func IsTest(owner string) bool { return strings.HasSuffix(owner, testSuffix) }

// AccountOf is the account of an owner: the partner, whichever key it used.
func AccountOf(owner string) string { return strings.TrimSuffix(owner, testSuffix) }

// ListWord is how the status of something an owner has is listed in the projection:
// the word itself for live, so that whoever lists or counts by it gets live alone,
// and the word with a suffix for test.
func ListWord[S ~string](owner string, word S) string {
	if IsTest(owner) && word != "" {
		return string(word) + testSuffix
	}
	return string(word)
}

// ModeKey lists documents of test keys, by TestMode; what is live has no such key.
const (
	ModeKey  = "mode"
	TestMode = "test"
)
