package customer

import (
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/guess"
)

// What one account asks for and tries is no other account's concern; the mails
// that an address gets are counted over all of them.
func TestAccountsDoNotBlockEachOther(t *testing.T) {
	t.Parallel()
	ctx, now := t.Context(), time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	bucket, err := bustest.Start(t).Bucket(ctx, contract.CodeAttemptsBucket)
	if err != nil {
		t.Fatal(err)
	}
	clock := func() time.Time { return now }
	n := counts{guess.New(bucket, contract.CodeAttemptWindow, clock), guess.New(bucket, time.Minute, clock)}
	const ada = "ada@example.com"
	requested := func(account string, want bool) {
		t.Helper()
		if wait, err := n.ask(ctx, confirmations.ForHistory, account, ada); err != nil || want != (wait == 0) {
			t.Errorf("%s asks: wait %s, %v", account, wait, err)
		}
	}
	requested("acc_1", true)
	requested("acc_1", false) // within the minute
	if wait, err := n.ask(ctx, confirmations.ForPayment, "acc_1", ada); err != nil || wait > 0 {
		t.Errorf("a code to pay, just after one to see orders: wait %s, %v", wait, err)
	}
	requested("acc_2", true)
	n.unask(ctx, confirmations.ForHistory, "acc_2", ada)
	requested("acc_2", true) // what was refused does not count
	for range asksAnHour - 1 {
		now = now.Add(time.Minute)
		requested("acc_1", true)
	}
	now = now.Add(time.Minute)
	requested("acc_1", false) // within the hour
	requested("acc_2", true)

	for range triesAnHour {
		if wait, err := n.try(ctx, "acc_1", ada); err != nil || wait > 0 {
			t.Fatalf("a try: wait %s, %v", wait, err)
		}
	}
	if wait, err := n.try(ctx, "acc_1", ada); err != nil || wait == 0 {
		t.Errorf("one try too many: wait %s, %v", wait, err)
	}
	if wait, err := n.try(ctx, "acc_2", ada); err != nil || wait > 0 {
		t.Errorf("another account's try: wait %s, %v", wait, err)
	}

	for range 3 * mailsAnHour { // decoys
		if full, err := n.mail(ctx, ada); err != nil || full {
			t.Fatalf("a mail: full %v, %v", full, err)
		}
		n.unsent(ctx, ada)
	}
	for range mailsAnHour {
		if full, err := n.mail(ctx, ada); err != nil || full {
			t.Fatalf("a mail: full %v, %v", full, err)
		}
	}
	if full, err := n.mail(ctx, ada); err != nil || !full {
		t.Errorf("one mail too many: full %v, %v", full, err)
	}
}
