package central_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/contract/uploads"
)

// TestOneOrderHoweverOftenItIsSent: requests of one request_id race; there is one order,
// each request has an outcome, and only the files of that order are kept.
func TestOneOrderHoweverOftenItIsSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var commands []contract.Command
	for range 8 {
		commands = append(commands, w.command(formal.Submit, w.form("po-1")))
	}
	var racing sync.WaitGroup
	errs := make([]error, len(commands))
	for i, c := range commands {
		racing.Go(func() { errs[i] = w.try(c) })
	}
	racing.Wait()
	for i, err := range errs {
		if err != nil {
			t.Fatalf("submit %d: %v", i, err)
		}
	}
	key := formal.Key(account, "po-1")
	o := w.order(key)
	if !strings.HasPrefix(o.ID, "ord_") || !strings.HasPrefix(o.Ref, "CO-") || len(o.Files) != 2 || len(o.Timeline) != 1 {
		t.Errorf("order %+v, want an id of ord_, a reference of CO-, 2 files, one step", o)
	}
	completed, err := w.bus.RequestsOf(t.Context(), contract.FormalAggregate, key)
	if err != nil || len(completed) != len(commands) {
		t.Errorf("%d of %d requests have an outcome: %v", len(completed), len(commands), err)
	}
	var kept []string
	for _, f := range o.Files {
		kept = append(kept, f.Key)
	}
	slices.Sort(kept)
	if got := w.keys(""); !slices.Equal(got, kept) {
		t.Errorf("files %v, want %v", got, kept)
	}
}

// TestSubmitAndDieAnywhere: the process dies at each effect, the command comes again.
func TestSubmitAndDieAnywhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for n := 0; ; n++ {
		data := w.form(fmt.Sprint("po-", n))
		c := w.command(formal.Submit, data)
		w.fuse = n
		died := w.try(c) != nil
		w.fuse = -1
		for range 2 { // once more than is needed
			if err := w.try(c); err != nil {
				t.Fatalf("crash %d: %v", n, err)
			}
		}
		o := w.order(data.Order)
		for _, f := range o.Files {
			if info, err := w.blobs.Stat(t.Context(), f.Key); err != nil || info.Size != f.Size {
				t.Errorf("crash %d: %s: %v", n, f.Key, err)
			}
		}
		if len(o.Files) != 2 || len(w.keys(uploads.StagingPrefix)) > 0 || w.timers[o.Key+" files"].Due.IsZero() ||
			!slices.ContainsFunc(w.queue, func(c contract.Command) bool { return c.Name == formal.CheckDesign }) {
			t.Fatalf("crash %d: order %+v, staged %v, timers %v, sent %v; want 2 files, none, one for the files, %s", n, o, w.keys(uploads.StagingPrefix), w.timers, w.queue, formal.CheckDesign)
		}
		if !died {
			t.Logf("%d effects", n)
			return
		}
	}
}

// TestIncompleteOrderHeals: the staged files went before the command came; the same
// request_id sent again makes the order.
func TestIncompleteOrderHeals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	data := w.form("po-1")
	if err := w.blobs.Delete(t.Context(), data.Files[1].Key); err != nil {
		t.Fatal(err)
	}
	lost := w.command(formal.Submit, data)
	if r := contract.RefusalIn(w.try(lost)); r == nil || r.Code != contract.FormalIncomplete {
		t.Fatalf("refused %v, want %q", r, contract.FormalIncomplete)
	}
	if len(w.keys(uploads.StagingPrefix)) > 0 {
		t.Errorf("staged files are left: %v", w.keys(""))
	}
	if code := w.do(formal.Submit, w.form("po-1")); code != "" || w.order(data.Order).Status != formal.Submitted {
		t.Errorf("sent again: %s, %+v; want it granted, %s", code, w.order(data.Order), formal.Submitted)
	}
	_ = w.try(lost) // a late redelivery
	w.pass(25 * time.Hour)
	if err := w.svc.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := w.keys(formal.Prefix); len(got) != 2 {
		t.Errorf("files after the sweep: %v, want 2", got)
	}
}

// TestForgedKeyIsNoOrder: a command cannot name an order that is not its request's.
func TestForgedKeyIsNoOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	data := w.form("po-1")
	data.Order = formal.Key("acc_other", "po-1")
	if err := w.try(w.command(formal.Submit, data)); err == nil || contract.RefusalIn(err) != nil || w.order(data.Order).ID != "" {
		t.Errorf("err %v, order %+v; want an error that is no refusal, no order", err, w.order(data.Order))
	}
	key := w.submitOrder("po-2")
	c := w.command(formal.Move, formal.MoveData{Order: key, Operator: "ann", Status: formal.InReview})
	c.Account = "acc_other"
	if r := contract.RefusalIn(w.try(c)); r == nil || r.Code != contract.OrderNotFound {
		t.Errorf("another account's word: %v, want %q", r, contract.OrderNotFound)
	}
}

func quoteOf(key string, cents int64, validUntil time.Time) formal.IssueQuoteData {
	return formal.IssueQuoteData{
		Order: key, Operator: "ann", ValidUntil: validUntil,
		Options: []formal.Option{{Fabricator: "Example Circuits", LeadTimeDays: 15, TotalCents: cents, Lines: []prices.Line{{Label: "Boards", Cents: cents}}}},
	}
}

func acceptOf(o formal.Order) formal.AcceptQuoteData {
	return formal.AcceptQuoteData{Order: o.Key, Approved: true, Key: "key1", Terms: formal.Terms{
		OptionID: o.Quote.Options[0].ID, QuoteNumber: o.Quote.Number, IssuedAt: o.Quote.IssuedAt, TotalCents: o.Quote.Options[0].TotalCents,
	}}
}

// TestAcceptanceRacesANewQuote: of the two exactly one wins, whatever the other saw.
func TestAcceptanceRacesANewQuote(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	won := map[string]int{}
	for i := range 40 {
		key := w.submitOrder(fmt.Sprint("po-", i))
		if code := w.do(formal.IssueQuote, quoteOf(key, 1000, w.currentTime().Add(time.Hour))); code != "" {
			t.Fatalf("quote order %s: %s, want it granted", key, code)
		}
		accept := w.command(formal.AcceptQuote, acceptOf(w.order(key)))
		quote := w.command(formal.IssueQuote, quoteOf(key, 2000, w.currentTime().Add(time.Hour)))
		var accepted, quoted error
		var racing sync.WaitGroup
		racing.Go(func() { accepted = w.try(accept) })
		racing.Go(func() { quoted = w.try(quote) })
		racing.Wait()
		o := w.order(key)
		switch a, q := contract.RefusalIn(accepted), contract.RefusalIn(quoted); {
		case accepted == nil && q != nil && q.Code == contract.Conflict && o.Accepted != nil && o.Accepted.TotalCents == 1000 && o.Issued == 1:
			won["acceptance"]++
		case quoted == nil && a != nil && a.Code == contract.QuoteNotAccepted && o.Accepted == nil && o.Quote.Options[0].TotalCents == 2000:
			won["quote"]++
		default:
			t.Fatalf("accepted %v, quoted %v: %+v, want one of them to win, the other refused", accepted, quoted, o)
		}
	}
	t.Log(won)
}

// TestAcceptanceIsRecorded: who reported the approval, when, of what; once, however often
// the same is sent.
func TestAcceptanceIsRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.submitOrder("po-1")
	w.do(formal.IssueQuote, quoteOf(key, 1000, w.currentTime().Add(time.Hour)))
	data := acceptOf(w.order(key))
	other := data
	other.TotalCents++
	for _, step := range []struct {
		data formal.AcceptQuoteData
		want contract.Code
	}{{other, contract.QuoteNotAccepted}, {data, ""}, {data, ""}, {other, contract.QuoteNotAccepted}} {
		if code := w.do(formal.AcceptQuote, step.data); code != step.want {
			t.Errorf("accept = %q, want %q", code, step.want)
		}
	}
	o := w.order(key)
	if a := o.Accepted; a.Key != "key1" || a.Request == "" || !a.AcceptedAt.Equal(w.currentTime()) || a.Terms != data.Terms || o.Status != formal.Accepted {
		t.Errorf("recorded %+v, want it by key1 and a request, at %s, on terms %+v, the order %s", a, w.currentTime(), data.Terms, formal.Accepted)
	}
	if n := len(o.Timeline); n != 3 {
		t.Errorf("timeline %+v, want 3 steps", o.Timeline)
	}
}

// TestQuoteEnds: until the last moment of its time a formal quote is accepted, from its end
// on it is not, whatever terms are sent, and a new one is accepted again.
func TestQuoteEnds(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		left time.Duration
		want contract.Code
	}{
		"a second before its end": {time.Second, ""},
		"at its end":              {0, contract.QuoteNotAccepted},
		"a day after its end":     {-24 * time.Hour, contract.QuoteNotAccepted},
	} {
		w := newWorld(t)
		key := w.submitOrder("po-1")
		end := w.currentTime().Add(48 * time.Hour).Truncate(time.Second)
		w.do(formal.IssueQuote, quoteOf(key, 1000, end))
		w.pass(end.Add(-tt.left).Sub(w.currentTime()))
		data := acceptOf(w.order(key))
		refusal := contract.RefusalIn(w.try(w.command(formal.AcceptQuote, data)))
		if (refusal == nil) != (tt.want == "") || refusal != nil && refusal.Code != tt.want {
			t.Errorf("%s: %v, want %q", name, refusal, tt.want)
		}
		o := w.order(key)
		if accepted := o.Status == formal.Accepted && o.Accepted != nil; accepted != (tt.want == "") {
			t.Errorf("%s: the order is %s, accepted %+v, want it accepted: %t", name, o.Status, o.Accepted, tt.want == "")
		}
		if tt.want == "" {
			continue
		}
		for _, message := range []string{o.Quote.Number, end.Format("2006-01-02 15:04 UTC"), o.Ref, "another request_id"} {
			if !strings.Contains(refusal.Message, message) {
				t.Errorf("%s: %q does not name %q", name, refusal.Message, message)
			}
		}
		w.do(formal.IssueQuote, quoteOf(key, 1200, w.currentTime().Add(time.Hour)))
		if code := w.do(formal.AcceptQuote, acceptOf(w.order(key))); code != "" {
			t.Errorf("%s: a new quote: %q, want it granted", name, code)
		}
	}
}

// TestFilesGo when nothing happens for long, and stay as long as something does.
func TestFilesGo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.submitOrder("po-1")
	w.pass(364 * 24 * time.Hour)
	w.do(formal.Move, formal.MoveData{Order: key, Operator: "ann", Status: formal.InReview})
	w.pass(2 * 24 * time.Hour)
	if got := w.keys(formal.Prefix); len(got) != 2 {
		t.Fatalf("files %v, want 2", got)
	}
	lost := w.timers[key+" files"]
	delete(w.timers, key+" files")
	w.pass(365 * 24 * time.Hour) // the timer was lost: the sweep asks
	w.queue = nil
	if err := w.svc.Sweep(t.Context()); err != nil || len(w.queue) != 1 || w.queue[0].Name != formal.DropFiles {
		t.Fatalf("sweep: %v, sent %v; want no error, %s", err, w.queue, formal.DropFiles)
	}
	for _, c := range []contract.Command{w.queue[0], lost.Command} {
		if err := w.try(c); err != nil {
			t.Fatal(err)
		}
	}
	if o := w.order(key); len(w.keys(formal.Prefix)) > 0 || o.Files[0].Key != "" || o.Files[0].Name != "board.zip" || !o.FilesUntil.IsZero() {
		t.Errorf("files %v, order %+v; want none, their names kept, no end", w.keys(formal.Prefix), o)
	}
}

// TestCustomerIsErased from orders, with the files.
func TestCustomerIsErased(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.submitOrder("po-1")
	data := erasures.Data{Person: contract.PersonRef("ADA@example.com")}
	for range 2 {
		if code := w.do(formal.Erase, data); code != "" {
			t.Fatalf("erase %+v: %s, want it granted, also a second time", data, code)
		}
	}
	o := w.order(key)
	if o.Email != "" || o.Name != "" || o.Qty != 50 || o.ID == "" || len(o.Files) > 0 || len(w.keys(formal.Prefix)) > 0 {
		t.Errorf("order %+v, files %v; want nobody named, its quantity and id kept, no files", o, w.keys(""))
	}
	record, err := aggregate.At[erasures.Erasure](w.bus, contract.ErasureAggregate, data.Person).Load(t.Context())
	if err != nil || record.State.Erased[contract.FormalAggregate] == 0 || w.timers[data.Person+" erase"].Due.IsZero() {
		t.Errorf("record %+v, %v, timers %v; want it erased there, no error, a timer", record.State, err, w.timers)
	}
}

// checking gives the command that has an order's design checked.
func (w *world) checking(key string) contract.Command {
	w.t.Helper()
	for _, c := range w.queue {
		if c.Name == formal.CheckDesign && strings.Contains(string(c.Data), key) {
			return c
		}
	}
	w.t.Fatal("no check was asked for")
	return contract.Command{}
}

// findLastSent gives the last command of a name.
func (w *world) findLastSent(name contract.CommandName) contract.Command {
	w.t.Helper()
	for _, c := range slices.Backward(w.queue) {
		if c.Name == name {
			return c
		}
	}
	w.t.Fatalf("%s was not sent", name)
	return contract.Command{}
}

// TestDesignIsChecked by the services that check any design.
func TestDesignIsChecked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.submitOrder("po-1")
	check := w.checking(key)
	wait := func(what string) {
		if err := w.try(check); err == nil || contract.RefusalIn(err) != nil || w.order(key).Check != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	wait("the files are handed over")
	add := w.findLastSent(uploads.AddFiles)
	if len(w.keys(uploads.StagingPrefix)) != 1 || add.Request != add.ID {
		t.Fatalf("handed over %+v, staged %v; want one file, a request of the command's own", add, w.keys(uploads.StagingPrefix))
	}
	ref := contract.DeriveID("central-upload", key)
	w.put(contract.UploadAggregate, ref, uploads.EventFilesAdded, add.Request, map[string]any{"state": uploads.Upload{Ref: ref, Status: uploads.Open, Digest: "d1", ExpiresAt: w.currentTime().Add(time.Hour)}})
	wait("the check is asked for")
	ask := w.findLastSent(designchecks.Check)
	w.put(contract.OperationAggregate, ask.Request, contract.OperationCompleted, ask.Request, map[string]any{"state": contract.Operation{Request: ask.Request, Aggregate: contract.DesignCheckAggregate, ID: "c1"}})
	w.put(contract.DesignCheckAggregate, "c1", designchecks.EventStarted, "", map[string]any{"state": designchecks.DesignCheck{ID: "c1", Status: designchecks.Running}})
	wait("the check runs")
	finding := designchecks.Finding{Finding: contract.Finding{Level: "must_fix", Check: "outline", What: "The outline is open."}}
	w.put(contract.DesignCheckAggregate, "c1", designchecks.EventChecked, "", map[string]any{"state": designchecks.DesignCheck{
		ID: "c1", Digest: "d1", Board: "main", Status: designchecks.MustFix, Findings: slices.Repeat([]designchecks.Finding{finding}, 60), MoreFindings: 1,
	}})
	for range 2 {
		if err := w.try(check); err != nil {
			t.Fatal(err)
		}
	}
	if c := w.order(key).Check; c == nil || c.Status != designchecks.MustFix || len(c.Findings) != 50 || c.MoreFindings != 11 || c.Findings[0].What != "The outline is open." {
		t.Errorf("check %+v, want %s, 50 findings and 11 more, the first that the outline is open", c, designchecks.MustFix)
	}
}

// TestDesignThatCannotBeChecked says why.
func TestDesignThatCannotBeChecked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := w.submitOrder("po-1")
	check := w.checking(key)
	if err := w.try(check); err == nil {
		t.Fatal("the files were not waited for")
	}
	ref := contract.DeriveID("central-upload", key)
	w.put(contract.UploadAggregate, ref, contract.RequestRefused, w.findLastSent(uploads.AddFiles).Request, map[string]any{
		"state": nil, "refusal": contract.Refuse(contract.UnreadableArchive, "The archive cannot be unpacked."),
	})
	if err := w.try(check); err != nil {
		t.Fatal(err)
	}
	if c := w.order(key).Check; c == nil || c.Status != formal.NotRun || c.Why != "The archive cannot be unpacked." {
		t.Errorf("check %+v, want %s because the archive cannot be unpacked", c, formal.NotRun)
	}

	slow := w.submitOrder("po-2")
	if err := w.try(w.checking(slow)); err == nil {
		t.Fatal("the files were not waited for")
	}
	w.pass(2 * time.Hour)
	if err := w.try(w.checking(slow)); err != nil || w.order(slow).Check.Status != formal.NotRun {
		t.Errorf("given up: %v, %+v; want no error, %s", err, w.order(slow).Check, formal.NotRun)
	}
}

// TestControlledDesignsGoNowhere: an ITAR order is handed to nobody, and all that tells
// of it is labelled.
func TestControlledDesignsGoNowhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	data := w.form("po-1")
	data.ITAR = true
	if code := w.do(formal.Submit, data); code != contract.ITAROrigin {
		t.Fatalf("from anywhere: %s, want %q", code, contract.ITAROrigin)
	}
	data = w.form("po-1")
	data.ITAR, data.BoardOrigin = true, formal.USOrigin
	c := w.command(formal.Submit, data)
	if err := w.try(c); err != nil {
		t.Fatal(err)
	}
	if len(w.queue) > 0 {
		t.Errorf("sent %v, want nothing", w.queue)
	}
	forced := w.command(formal.CheckDesign, formal.Data{Order: data.Order})
	forced.Request = ""
	if err := w.try(forced); err != nil || len(w.queue) > 0 || w.order(data.Order).Check != nil {
		t.Errorf("a check that was asked for all the same: %v, sent %v, check %+v; want no error, nothing, none", err, w.queue, w.order(data.Order).Check)
	}
	last, err := w.bus.Last(context.Background(), contract.FormalAggregate, data.Order)
	if err != nil || !last.Labels.IsControlled() || !registry.LabelsOf(c).IsControlled() {
		t.Errorf("labels %v and %v, %v", last.Labels, registry.LabelsOf(c), err)
	}
}
