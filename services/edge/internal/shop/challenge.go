package shop

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/language"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/problem"
)

const (
	challengePurpose = "shop-challenge"
	// challengeTTL is how long a challenge can be answered; [limit.ShopChallenge] remembers
	// the answered ones for as long.
	challengeTTL = time.Hour
	// workBits is how many leading bits of the answer's digest are zero: some hundred
	// thousand digests, a second of a phone's time.
	workBits = 17
	// slowWait is how old a challenge must be whose sender did not work for it.
	slowWait = 5 * time.Second // as a refusal says
	maxWork  = 20              // characters of an answer
)

// challenges keep robots from filling the storage. Whoever sends files either has worked for
// it, which the page's script does, or has waited.
type challenges struct {
	secrets *secret.Keyring
	limiter *limit.Limiter
	now     func() time.Time
}

// issue makes a challenge. It is kept nowhere: whichever edge gets the answer knows by the
// signature that it is ours.
func (g challenges) issue() string {
	var random [12]byte
	_, _ = rand.Read(random[:]) // never fails
	return g.secrets.Link(challengePurpose, hex.EncodeToString(random[:]), g.now().Add(challengeTTL))
}

// check refuses an answer that does not hold; slow says that it took waiting instead of work.
func (g challenges) check(challenge, answer string) (id string, slow bool, err error) {
	id, expires, err := g.secrets.OpenLink(challengePurpose, challenge, g.now())
	switch {
	case errors.Is(err, secret.ErrExpired):
		return "", false, forbid(language.Key("This page was open for more than an hour. Please choose your files again and send them."))
	case err != nil:
		return "", false, forbid(language.Key("The form was incomplete. Please choose your files again and send them from this page."))
	case answer != "" && isWork(challenge, answer):
		return id, false, nil
	case answer != "":
		return "", false, forbid(language.Key("Your browser's answer was wrong. Please choose your files again and send them."))
	case g.now().Sub(expires.Add(-challengeTTL)) < slowWait:
		return "", true, forbid(language.Key("That was too quick for a person: please wait 5 seconds, choose your files again and send them."))
	}
	return id, true, nil
}

// forbid refuses a form in words that pages have in each language.
func forbid(words string) error { return problem.New(contract.Forbidden, "%s", words) }

// spend lets a challenge be answered once, at whichever edge.
func (g challenges) spend(ctx context.Context, id string) error {
	state, err := g.limiter.Take(ctx, limit.ShopChallenge, id)
	switch {
	case err != nil:
		return problem.Unavailable(err)
	case !state.Allowed:
		return forbid(language.Key("This form was sent already. To send other files, please choose them again."))
	}
	return nil
}

// isWork reports whether an answer took the work that a challenge asks for.
func isWork(challenge, answer string) bool {
	if n, err := strconv.ParseUint(answer, 10, 64); err != nil || strconv.FormatUint(n, 10) != answer || len(answer) > maxWork {
		return false
	}
	return workOf(challengeKey(challenge), answer) >= workBits
}

// challengeKey stands for a challenge, so that one digest is one block of SHA-256.
func challengeKey(challenge string) string {
	sum := sha256.Sum256([]byte(challenge))
	return hex.EncodeToString(sum[:16])
}

// workOf is how many leading bits are zero.
func workOf(key, answer string) int {
	sum := sha256.Sum256([]byte(strings.Join([]string{key, answer}, ".")))
	zeros := 0
	for _, b := range sum {
		zeros += bits.LeadingZeros8(b)
		if b != 0 {
			break
		}
	}
	return zeros
}
