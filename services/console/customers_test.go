package console_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/customers"
)

// TestCustomers are listed, found and shown whole to those who may see people; to others
// masked, and found by nothing that says who they are.
func TestCustomers(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	w.furnishFormal()
	page := "/customers/" + customers.Ref(account, "grace@example.com")
	pia, ben := w.signInAs("pia"), w.signInAs("ben")
	for _, path := range []string{"/customers", "/customers?what=hopp", "/customers?what=GRACE@ex", "/customers?account=" + account} {
		pia.get(path).wants(t, http.StatusOK, page, "Grace Hopper", "grace@example.com", "4242")
	}
	for _, path := range []string{"/customers?what=ada", "/customers?account=acc_other", "/customers?what=hopp&account=acc_other"} {
		if a := pia.get(path); a.status != http.StatusOK || strings.Contains(a.body, page) {
			t.Errorf("%s: %d %s, want %d without %s", path, a.status, a.body, http.StatusOK, page)
		}
	}
	pia.get(page).wants(t, http.StatusOK, "/quotes/"+reviewRef, "Grace Hopper", "1 Compiler Way", "BO-2345ABCD", "CO-FORMAL", "4242", "Demo account")
	for _, path := range []string{"/customers", page} {
		a := ben.get(path)
		a.wants(t, http.StatusOK, "g…@e…")
		for _, secret := range []string{"Hopper", "grace@", "Compiler", "CO-CONTROLLED", "stealthwing"} {
			if strings.Contains(a.body, secret) {
				t.Errorf("%s shows %q to a viewer", path, secret)
			}
		}
	}
	if a := ben.get("/customers?what=hopp"); strings.Contains(a.body, page) {
		t.Error("a viewer finds customers by name")
	}
	for name, finds := range map[string]bool{"pia": true, "ben": false} {
		if a := w.signInAs(name).fill("/", "/find", "what", "grace@example"); strings.Contains(a.body, page) != finds {
			t.Errorf("%s finds the customer: %v, want %v", name, !finds, finds)
		}
	}
	for _, name := range []string{"ann", "con", "pia"} { // of them the second is a US person
		if a := w.signInAs(name).get(page); strings.Contains(a.body, "CO-CONTROLLED") {
			t.Errorf("%s sees a controlled order among the customer's", name)
		}
	}
	if a := pia.get("/customers/none"); a.status != http.StatusNotFound {
		t.Errorf("nobody: %d, want 404", a.status)
	}
}

// TestCustomerIsExportedAndErased by those who may, with a record of both.
func TestCustomerIsExportedAndErased(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	w.furnishFormal()
	page := "/customers/" + customers.Ref(account, "grace@example.com")
	exported := func(name string) map[string]bool {
		a := w.signInAs(name).fill(page, page+"/export")
		if a.status != http.StatusOK || !strings.HasPrefix(a.header.Get("Content-Disposition"), "attachment") {
			t.Fatalf("exported by %s: %d, want 200 and an attachment", name, a.status)
		}
		ids := map[string]bool{}
		for line := range strings.Lines(a.body) {
			var held struct{ Aggregate, ID string }
			if err := json.Unmarshal([]byte(line), &held); err != nil {
				t.Fatal(err)
			}
			ids[held.Aggregate+" "+held.ID] = true
		}
		return ids
	}
	if got := exported("ann"); !got["order "+instantRef] || !got["central-order "+formalRef] || got["central-order "+controlledRef] {
		t.Errorf("exported by an admin: %v, want %s and %s, not %s", got, instantRef, formalRef, controlledRef)
	}
	if got := exported("con"); !got["central-order "+controlledRef] {
		t.Errorf("exported by a US person: %v, want %s among it", got, controlledRef)
	}
	ann := w.signInAs("ann")
	ann.fill(page, page+"/erase").wants(t, http.StatusUnprocessableEntity, "please tick the box")
	ann.fill(page, page+"/erase", "sure", "yes").wants(t, http.StatusOK, "being removed")
	bustest.WaitFor(t, "the record of the erasure", func() bool {
		_, err := w.docs.Get(t.Context(), string(contract.ErasureAggregate), contract.PersonRef("grace@example.com"))
		return err == nil
	})
	for action, least := range map[string]int{"exported a customer's data": 2, "erased a customer": 2} {
		entries := w.trail(action)
		if len(entries) < least {
			t.Errorf("%q stands %d times in the trail, want %d at least", action, len(entries), least)
		}
		for _, e := range entries {
			if e.ID != contract.PersonRef("grace@example.com") {
				t.Errorf("the trail says %+v, want the customer as %s", e, contract.PersonRef("grace@example.com"))
			}
		}
	}
	for _, name := range []string{"pia", "fin", "ben"} {
		v := w.signInAs(name)
		form := v.form("/", "/sign-out")
		form.Set("sure", "yes")
		for _, act := range []string{"/export", "/erase"} {
			if a := v.post(page+act, form); a.status != http.StatusForbidden {
				t.Errorf("%s by %s: %d, want 403", act, name, a.status)
			}
		}
	}
}
