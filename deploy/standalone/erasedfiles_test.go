package standalone_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/simulator/shopper"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	orderscontract "boardorder/pkg/contract/orders"
	"boardorder/pkg/projection"
)

// spellings are the ways in which a file may hold a text, in lower case.
func spellings(text string) [][]byte {
	spelt := map[string]bool{
		text: true, url.QueryEscape(text): true, url.PathEscape(text): true,
		strings.ReplaceAll(text, "@", `\u0040`): true, strings.ReplaceAll(text, "@", "&#64;"): true,
	}
	for shift := range 3 { // base64 of more text has it at one of three places
		for _, form := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			whole := form.EncodeToString([]byte(strings.Repeat(" ", shift) + text))
			spelt[whole[(shift*8+5)/6:len(whole)-1]] = true // less what depends on the neighbours
		}
	}
	var out [][]byte
	for s := range spelt {
		out = append(out, []byte(strings.ToLower(s)))
	}
	return out
}

// filesWith gives the files below the data folder that hold a text, however spelt,
// or have it in their names: all but the simulator's, which is the world outside.
func (s *searched) filesWith(t *testing.T, text string) (found []string) {
	t.Helper()
	forms := spellings(text)
	err := filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it went meanwhile
		}
		if err == nil && path == filepath.Join(s.dir, "simulator") {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		data = bytes.ToLower(append(data, path...))
		for _, form := range forms {
			if n := bytes.Count(data, form); n > 0 {
				found = append(found, fmt.Sprintf("%s holds %q %d times", strings.TrimPrefix(path, s.dir), form, n))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestSpellings(t *testing.T) {
	t.Parallel()
	const address = "ada@example.com"
	for name, file := range map[string]string{
		"plain": "to " + address, "capitals": "ADA@Example.com", "in a URL": "?email=ada%40example.com", "in JSON": `"ada\u0040example.com"`,
		"base64":               base64.StdEncoding.EncodeToString([]byte(`{"to":"` + address + `"}`)),
		"base64, one further":  base64.StdEncoding.EncodeToString([]byte(`{"to": "` + address + `"}`)),
		"base64, two further":  base64.URLEncoding.EncodeToString([]byte(`{"to":  "` + address + `"}`)),
		"base64, of it alone":  base64.StdEncoding.EncodeToString([]byte(address)),
		"somebody else's (no)": "grace@example.com",
	} {
		found := false
		for _, form := range spellings(address) {
			found = found || bytes.Contains(bytes.ToLower([]byte(file)), form)
		}
		if want := !strings.HasSuffix(name, "(no)"); found != want {
			t.Errorf("%s, %s: found %t, want %t", name, file, found, want)
		}
	}
}

// TestErasedIsGoneFromTheDisk: of a customer who changed their address more often
// than a stream keeps states, paid, and came back by a code, no file of the broker,
// the projection or the store of files holds the address once they are erased.
func TestErasedIsGoneFromTheDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("files hold what was erased until the broker rewrites them, a minute later")
	}
	t.Parallel()
	s := startSearched(t)
	const email = "ada.lovelace@analytical.example"
	upload := s.upload(t, s.sample(t))
	s.buy(t, upload, email, 10, shopper.Pays)
	ask := func() reply {
		return s.call(t, "/v1/quotes?wait_s=60", fmt.Sprintf(`{"upload_id":%q,"quantity":20,"standard_for_unstated":true,"ship_to":{"email":%q}}`, upload, email))
	}
	var back reply
	bustest.WaitFor(t, "saved details", func() bool { back = ask(); return back.m["saved_details"] == true })
	if r := s.call(t, "/v1/quotes/"+back.str("quote_id")+"/saved/code", `{}`); r.status != http.StatusOK {
		t.Fatalf("ask for a code of quote %s: %d %s, want 200", back.str("quote_id"), r.status, r.text)
	}
	for _, guess := range []string{"000000", "000001", "000002", "000003"} {
		s.call(t, "/v1/quotes/"+back.str("quote_id")+"/saved/pay", fmt.Sprintf(`{"code":%q}`, guess))
	}
	q := s.quote(t, fmt.Sprintf(`{"upload_id":%q,"quantity":30,"standard_for_unstated":true}`, upload), http.StatusCreated)
	for i := range 40 {
		fields := url.Values{}
		maps.Copy(fields, home)
		fields["email"], fields["line1"] = []string{email}, []string{fmt.Sprint(i+1, " Main St")}
		s.open(t, q.CheckoutURL).send(t, "update", fields)
	}
	events, err := s.bus.History(t.Context(), contract.QuoteAggregate, contract.SecretRef(q.QuoteID), 0, 100)
	if err != nil || events[len(events)-1].Version <= 32 {
		t.Fatalf("the quote has %d states, %v: too few for the broker to drop any", len(events), err)
	}
	if len(s.filesWith(t, email)) == 0 {
		t.Fatal("no file holds the address in the first place")
	}
	bustest.WaitFor(t, "shipped", func() bool {
		orders, _, err := s.docs.List(t.Context(), string(contract.OrderAggregate), "", "", projection.Page{})
		var o orderscontract.Order
		return err == nil && len(orders) == 1 && json.Unmarshal(orders[0].Body, &o) == nil && o.Status == orderscontract.Shipped
	})
	s.erase(t, email)
	s.awaitGone(t, email)
	s.awaitFilesWithout(t, email)
}

// awaitFilesWithout waits as long as the handbook says that files hold what was erased.
func (s *searched) awaitFilesWithout(t *testing.T, text string) {
	t.Helper()
	began := time.Now()
	var left []string
	for end := began.Add(5 * time.Minute); time.Now().Before(end); time.Sleep(time.Second) {
		if left = s.filesWith(t, text); len(left) == 0 {
			t.Log("gone after", time.Since(began))
			return
		}
	}
	for _, file := range left {
		t.Errorf("%s still holds %q after %s, want it gone", file, text, time.Since(began))
	}
}
