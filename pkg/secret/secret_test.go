package secret_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/secret"
)

func ring(t *testing.T, fill byte) *secret.Keyring {
	t.Helper()
	k, err := secret.New(bytes.Repeat([]byte{fill}, secret.MinMaster))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestQuoteID(t *testing.T) {
	t.Parallel()
	a, b := ring(t, 1), ring(t, 2)
	id := a.QuoteID("req_1")
	if len(id) != 64 || strings.Trim(id, "0123456789abcdef") != "" {
		t.Errorf("QuoteID = %q, want 64 hex characters", id)
	}
	if id != a.QuoteID("req_1") || id == a.QuoteID("req_2") || id == b.QuoteID("req_1") {
		t.Errorf("quote ids of req_1, req_2 and of another key are %q, %q, %q, and of req_1 %q before; want them to follow from request and master key, and from nothing else", a.QuoteID("req_1"), a.QuoteID("req_2"), b.QuoteID("req_1"), id)
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	k, now := ring(t, 1), time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	token := k.Link("upload", "abc", now.Add(time.Hour))
	for _, tt := range []struct {
		name, purpose, token string
		at                   time.Time
		want                 error
	}{
		{"as made", "upload", token, now, nil},
		{"another purpose", "picture", token, now, secret.ErrLink},
		{"another subject", "upload", "abd" + token[3:], now, secret.ErrLink},
		{"a part", "upload", token[:len(token)-1], now, secret.ErrLink},
		{"nothing", "upload", "", now, secret.ErrLink},
		{"another spelling", "upload", token[:len(token)-1] + string(token[len(token)-1]+1), now, secret.ErrLink},
		{"padding", "upload", token + "=", now, secret.ErrLink},
		{"without its key", "upload", "abc" + token[3:strings.LastIndexByte(token[:strings.LastIndexByte(token, '.')], '.')] + token[strings.LastIndexByte(token, '.'):], now, secret.ErrLink},
		{"too late", "upload", token, now.Add(time.Hour), secret.ErrExpired},
	} {
		subject, _, err := k.OpenLink(tt.purpose, tt.token, tt.at)
		if !errors.Is(err, tt.want) || err == nil && subject != "abc" {
			t.Errorf("%s: OpenLink = %q, %v; want %v", tt.name, subject, err, tt.want)
		}
	}
	if _, _, err := ring(t, 2).OpenLink("upload", token, now); !errors.Is(err, secret.ErrLink) {
		t.Errorf("another master key opens the link: %v", err)
	}
}

func TestMasterKey(t *testing.T) {
	t.Parallel()
	zeros, ones := strings.Repeat("0", 64), strings.Repeat("1", 64)
	for _, bad := range []string{
		"", "zz", strings.Repeat("0", 62), "# no key\n", "a b:" + zeros, ":" + zeros, "a:" + zeros + "\na:" + ones, zeros + "\n" + zeros,
		strings.Repeat("x", 17) + ":" + zeros, strings.Repeat(zeros+"\n", 17),
	} {
		if _, err := secret.Parse(bad); err == nil {
			t.Errorf("Parse(%q) gave a keyring", bad)
		}
	}
	for _, good := range []string{zeros + "\n", "# made in May\n\n2026b:" + zeros + "\r\n2026a: " + ones, zeros + "\nold:" + ones, "new:" + zeros + ",old:" + ones} {
		if _, err := secret.Parse(good); err != nil {
			t.Errorf("Parse(%q): %v", good, err)
		}
	}
}

// TestRotation: what an older key made is known beside a new one, and not
// without it; what is new is made with the first key.
func TestRotation(t *testing.T) {
	t.Parallel()
	first, second := strings.Repeat("0a", 32), strings.Repeat("0b", 32)
	parse := func(text string) *secret.Keyring {
		t.Helper()
		k, err := secret.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	now := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	before, after, both := parse(first), parse(second), parse(second+"\n"+first)
	link, hash, ref := before.Link("upload", "abc", now.Add(time.Hour)), before.CodeHash("code", "1"), contract.SecretRef(before.QuoteID("req_1"))
	for _, tt := range []struct {
		name string
		ring *secret.Keyring
		want bool
	}{{"the same key", before, true}, {"both", both, true}, {"the new key alone", after, false}} {
		if _, _, err := tt.ring.OpenLink("upload", link, now); (err == nil) != tt.want {
			t.Errorf("%s: link: %v", tt.name, err)
		}
		if got := tt.ring.IsCodeHash(hash, "code", "1"); got != tt.want {
			t.Errorf("%s: code: %v, want %v", tt.name, got, tt.want)
		}
		if got := tt.ring.QuoteIDOf("req_1", ref) == before.QuoteID("req_1"); got != tt.want {
			t.Errorf("%s: quote: %v, want %v", tt.name, got, tt.want)
		}
	}
	if _, _, err := after.OpenLink("upload", both.Link("upload", "abc", now.Add(time.Hour)), now); err != nil {
		t.Errorf("a link made beside an older key: %v", err)
	}
	if both.QuoteID("req_1") != after.QuoteID("req_1") || both.CodeHash("a") != after.CodeHash("a") || both.IsCodeHash(hash, "code", "2") {
		t.Errorf("with both keys a quote has the id %q and a code the hash %q, want %q and %q, as the newer key makes them", both.QuoteID("req_1"), both.CodeHash("a"), after.QuoteID("req_1"), after.CodeHash("a"))
	}
	if refs := both.QuoteRefs("req_1"); len(refs) != 2 || refs[1] != ref {
		t.Errorf("QuoteRefs = %v, want two, the second %s", refs, ref)
	}
}

func TestAPIKeys(t *testing.T) {
	t.Parallel()
	for _, live := range []bool{true, false} {
		k := secret.NewAPIKey(live)
		got, err := secret.ParseAPIKey(k.Text)
		if err != nil || got != k {
			t.Fatalf("ParseAPIKey(%q) = %+v, %v", k.Text, got, err)
		}
		if !got.Matches(k.Hash()) || secret.NewAPIKey(live).Matches(k.Hash()) {
			t.Error("a key matches its own hash and no other")
		}
		if want := "bo_test_" + k.ID; !live && k.Prefix() != want {
			t.Errorf("Prefix = %q, want %q", k.Prefix(), want)
		}
		typo := []byte(k.Text)
		typo[20] ^= 1
		if _, err := secret.ParseAPIKey(string(typo)); err == nil {
			t.Error("a typing error passed the checksum")
		}
	}
}

func FuzzParseAPIKey(f *testing.F) {
	f.Add(secret.NewAPIKey(true).Text)
	f.Add("bo_live_")
	f.Fuzz(func(t *testing.T, text string) {
		if k, err := secret.ParseAPIKey(text); err == nil && k.Text != text {
			t.Errorf("ParseAPIKey(%q) = %+v, want its text unchanged", text, k)
		}
	})
}

func TestUploadIDs(t *testing.T) {
	t.Parallel()
	k, other := ring(t, 1), ring(t, 2)
	id := k.NewUploadID()
	if len(id) > 64 || !strings.HasPrefix(id, contract.UploadPrefix) || id == k.NewUploadID() || !k.HasMadeUploadID(id) || other.HasMadeUploadID(id) {
		t.Errorf("NewUploadID = %q, want 64 characters at most, of the prefix %s, another each time, known to its own keys alone", id, contract.UploadPrefix)
	}
	for _, bad := range []string{"", "up_", "up_x", strings.ToUpper(id), id[:len(id)-1] + "a", "xx" + id[2:], id + "a", other.NewUploadID(), "up_" + strings.Repeat("a", 48)} {
		if bad != id && k.HasMadeUploadID(bad) {
			t.Errorf("HasMadeUploadID(%q) = true, want false", bad)
		}
	}
}
