package factor

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/secret"
)

// TestRFC6238 has the test vectors of appendix B for SHA-1.
func TestRFC6238(t *testing.T) {
	t.Parallel()
	key := []byte("12345678901234567890")
	for at, want := range map[int64]string{
		59: "94287082", 1111111109: "07081804", 1111111111: "14050471", 1234567890: "89005924", 2000000000: "69279037", 20000000000: "65353130",
	} {
		if got := code(key, step(time.Unix(at, 0)), 8); got != want {
			t.Errorf("at %d: %s, want %s", at, got, want)
		}
	}
}

// TestRFC4226 has the test values of appendix D.
func TestRFC4226(t *testing.T) {
	t.Parallel()
	for i, want := range []string{"755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"} {
		if got := code([]byte("12345678901234567890"), uint64(i), digits); got != want {
			t.Errorf("counter %d: %s, want %s", i, got, want)
		}
	}
}

func open(t *testing.T) (*Factors, *atomic.Int64) {
	t.Helper()
	keys, err := secret.New(make([]byte, secret.MinMaster))
	if err != nil {
		t.Fatal(err)
	}
	var at atomic.Int64
	at.Store(1_800_000_000)
	f, err := Open(t.Context(), bustest.Start(t), keys, func() time.Time { return time.Unix(at.Load(), 0) })
	if err != nil {
		t.Fatal(err)
	}
	return f, &at
}

// Code is what an authenticator with a secret shows.
func codeOf(t *testing.T, shown string, at int64) string {
	t.Helper()
	raw, err := text.DecodeString(shown)
	if err != nil {
		t.Fatal(err)
	}
	return code(raw, step(time.Unix(at, 0)), digits)
}

func TestFactor(t *testing.T) {
	t.Parallel()
	f, now := open(t)
	ctx := t.Context()
	if err := f.Check(ctx, "ann", "123456"); !errors.Is(err, ErrNone) {
		t.Errorf("before enrolment: %v", err)
	}
	shown, err := f.Begin(ctx, "ann")
	again, err2 := f.Begin(ctx, "ann")
	if err != nil || err2 != nil || shown != again || len(shown) != 32 {
		t.Fatalf("Begin = %q, %v, then %q, %v; want the same of 32 characters", shown, err, again, err2)
	}
	if s, _ := f.State(ctx, "ann"); s.Enrolled {
		t.Error("enrolled before a code was typed")
	}
	if _, err := f.Confirm(ctx, "ann", "000000"); !errors.Is(err, ErrCode) {
		t.Errorf("a wrong first code: %v", err)
	}
	first := codeOf(t, shown, now.Load())
	codes, err := f.Confirm(ctx, "ann", first[:3]+" "+first[3:])
	if err != nil || len(codes) != RecoveryCodes {
		t.Fatalf("Confirm = %v, %v", codes, err)
	}
	want := func(why, typed string, want error) {
		t.Helper()
		if err := f.Check(ctx, "ann", typed); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", why, err, want)
		}
	}
	want("the code that enrolled", first, ErrCode)
	now.Add(60)
	next := codeOf(t, shown, now.Load())
	want("a code", next, nil)
	want("the same code", next, ErrCode)
	now.Add(30)
	want("the code before, which was used", next, ErrCode)
	now.Add(30)
	want("the code of the next period", codeOf(t, shown, now.Load()+30), nil)
	now.Add(300)
	want("an old code", codeOf(t, shown, now.Load()-90), ErrCode)
	want("a recovery code", strings.ToUpper(codes[3]), nil)
	want("it again", codes[3], ErrCode)
	if err := f.Check(ctx, "ben", codes[4]); !errors.Is(err, ErrNone) {
		t.Errorf("another's recovery code: %v", err)
	}
	if s, err := f.State(ctx, "ann"); err != nil || !s.Enrolled || s.Recovery != RecoveryCodes-1 {
		t.Errorf("State = %+v, %v", s, err)
	}
	if _, err := f.Begin(ctx, "ann"); !errors.Is(err, ErrEnrolled) {
		t.Errorf("enrolling twice: %v", err)
	}
	value, _, err := f.bucket.Get(ctx, keyOf("ann"))
	if err != nil || strings.Contains(string(value), shown) || strings.Contains(string(value), codes[5]) {
		t.Errorf("the bucket keeps secrets as they are: %s, %v", value, err)
	}
	if err := f.Remove(ctx, "ann"); err != nil {
		t.Fatal(err)
	}
	want("after it was taken away", codeOf(t, shown, now.Load()), ErrNone)
}

// TestACodeIsGoodOnce: also for those who come at the same moment.
func TestACodeIsGoodOnce(t *testing.T) {
	t.Parallel()
	f, now := open(t)
	shown, err := f.Begin(t.Context(), "ann")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Confirm(t.Context(), "ann", codeOf(t, shown, now.Load())); err != nil {
		t.Fatal(err)
	}
	now.Add(60)
	typed := codeOf(t, shown, now.Load())
	results := make(chan error, 6)
	for range cap(results) {
		go func() { results <- f.Check(t.Context(), "ann", typed) }()
	}
	good := 0
	for range cap(results) {
		if <-results == nil {
			good++
		}
	}
	if good != 1 {
		t.Errorf("a code was taken %d times, want 1", good)
	}
}
