package factor

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/secret"
)

// Errors of second factors.
var (
	ErrCode     = errors.New("the code is wrong, old, or was used before")
	ErrEnrolled = errors.New("there is a second factor already")
	ErrNone     = errors.New("there is no second factor")
)

// RecoveryCodes is how many an operator gets.
const RecoveryCodes = 10

const purpose = "console-factor"

// record is what the bucket keeps of an operator.
type record struct {
	Secret   string    `json:"secret,omitempty"`  // sealed; empty until it was confirmed
	Pending  string    `json:"pending,omitempty"` // sealed, until a code of it was typed
	Last     uint64    `json:"last,omitempty"`    // the period of the last code that was taken
	Recovery []string  `json:"recovery,omitempty"`
	Since    time.Time `json:"since,omitzero"`
}

// Factors keeps the operators' second factors. All consoles share them.
type Factors struct {
	bucket *bus.Bucket
	keys   *secret.Keyring
	now    func() time.Time
}

// Open opens the bucket.
func Open(ctx context.Context, b *bus.Bus, keys *secret.Keyring, now func() time.Time) (*Factors, error) {
	bucket, err := b.Bucket(ctx, contract.ConsoleFactorsBucket)
	return &Factors{bucket, keys, now}, err
}

// State is what an operator may know of the own second factor.
type State struct {
	Enrolled bool
	Since    time.Time
	Recovery int // codes that are left
}

// State says whether an operator has a second factor.
func (f *Factors) State(ctx context.Context, operator string) (State, error) {
	r, _, err := f.load(ctx, operator)
	return State{r.Secret != "", r.Since, len(r.Recovery)}, err
}

// Begin gives the secret that an operator shall put into an authenticator, in
// base32: the same until a code of it was typed.
func (f *Factors) Begin(ctx context.Context, operator string) (string, error) {
	var shown string
	err := f.change(ctx, operator, func(r *record) error {
		if r.Secret != "" {
			return ErrEnrolled
		}
		if r.Pending != "" {
			plain, err := f.keys.Unseal(purpose, operator, r.Pending)
			shown = text.EncodeToString(plain)
			if err == nil {
				return errSame
			}
		}
		fresh := make([]byte, secretLen)
		_, _ = rand.Read(fresh) // never fails
		r.Pending, shown = f.keys.Seal(purpose, operator, fresh), text.EncodeToString(fresh)
		return nil
	})
	return shown, err
}

// Confirm ends the enrolment with a first code and gives the recovery codes,
// which are shown once.
func (f *Factors) Confirm(ctx context.Context, operator, typed string) (codes []string, err error) {
	err = f.change(ctx, operator, func(r *record) error {
		if r.Secret != "" {
			return ErrEnrolled
		}
		if r.Pending == "" {
			return ErrNone
		}
		plain, err := f.keys.Unseal(purpose, operator, r.Pending)
		if err != nil {
			return err
		}
		at, ok := matching(plain, tidy(typed), f.now(), 0)
		if !ok {
			return ErrCode
		}
		codes = codes[:0]
		r.Recovery = nil
		for range RecoveryCodes {
			c := strings.ToLower(rand.Text()[:10])
			codes = append(codes, c[:5]+"-"+c[5:])
			r.Recovery = append(r.Recovery, f.keys.CodeHash("console-recovery", operator, c))
		}
		r.Secret, r.Pending, r.Last, r.Since = r.Pending, "", at, f.now().UTC()
		return nil
	})
	if err != nil {
		return nil, err
	}
	return codes, nil
}

// Check takes a code of the authenticator, or a recovery code, which is used up.
func (f *Factors) Check(ctx context.Context, operator, typed string) error {
	typed = tidy(typed)
	return f.change(ctx, operator, func(r *record) error {
		if r.Secret == "" {
			return ErrNone
		}
		plain, err := f.keys.Unseal(purpose, operator, r.Secret)
		if err != nil {
			return err
		}
		if at, ok := matching(plain, typed, f.now(), r.Last); ok {
			r.Last = at
			return nil
		}
		i := slices.IndexFunc(r.Recovery, func(hash string) bool { return f.keys.IsCodeHash(hash, "console-recovery", operator, typed) })
		if i < 0 {
			return ErrCode
		}
		r.Recovery = slices.Delete(slices.Clone(r.Recovery), i, i+1)
		return nil
	})
}

// Remove takes an operator's second factor away: for one who has lost it.
func (f *Factors) Remove(ctx context.Context, operator string) error {
	if err := f.bucket.Delete(ctx, keyOf(operator)); err != nil {
		return fmt.Errorf("second factor: %w", err)
	}
	return nil
}

// tidy takes out what people type between digits.
func tidy(typed string) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "-", "", "\u00a0", "").Replace(typed))
}

func keyOf(operator string) string { return contract.DeriveID("factor", operator) }

func (f *Factors) load(ctx context.Context, operator string) (r record, rev uint64, err error) {
	value, rev, err := f.bucket.Get(ctx, keyOf(operator))
	if errors.Is(err, bus.ErrNoKey) {
		return r, 0, nil
	}
	if err == nil {
		err = json.Unmarshal(value, &r)
	}
	if err != nil {
		return r, 0, fmt.Errorf("second factor: %w", err)
	}
	return r, rev, nil
}

// errSame says that nothing is to be changed.
var errSame = errors.New("nothing changed")

// change writes a record by compare-and-set, so that of two uses of one code at
// the same moment one is taken.
func (f *Factors) change(ctx context.Context, operator string, do func(*record) error) error {
	for range 10 {
		r, rev, err := f.load(ctx, operator)
		if err != nil {
			return err
		}
		if err := do(&r); errors.Is(err, errSame) {
			return nil
		} else if err != nil {
			return err
		}
		value, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if rev == 0 {
			_, err = f.bucket.Create(ctx, keyOf(operator), value)
		} else {
			_, err = f.bucket.Update(ctx, keyOf(operator), value, rev)
		}
		if !errors.Is(err, bus.ErrWrongRevision) {
			if err != nil {
				return fmt.Errorf("second factor: %w", err)
			}
			return nil
		}
	}
	return errors.New("second factor: it changes all the time")
}
