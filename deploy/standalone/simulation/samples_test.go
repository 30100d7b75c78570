package simulation

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/designchecks"
	emailscontract "boardorder/pkg/contract/emails"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/savings"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"
	"boardorder/services/console"
	"boardorder/services/notify"

	"go.uber.org/zap"
)

var update = flag.Bool("update", false, "write samples of the events and commands that are missing to pkg/contract/testdata")

// TestWriteSamples has the services' own handlers make an event of every type
// and a command of every name, and keeps those of which there is no sample yet:
// a sample that there is stands for what an earlier release wrote.
func TestWriteSamples(t *testing.T) {
	if !*update {
		t.Skip("writes files; run with -update")
	}
	w, err := newWorld(1, simbus.Faults{})
	if err != nil {
		t.Fatal(err)
	}
	w.tour(t)
	keep(t, w)
	for seed := range uint64(40) { // what takes an accident
		if w, _, err = live(seed + 1); err != nil {
			t.Fatal(err)
		}
		keep(t, w)
	}
}

const samples = "../../../pkg/contract/testdata"

func keep(t *testing.T, w *world) {
	t.Helper()
	for _, a := range contract.Aggregates() {
		for _, e := range w.Events(a) {
			file := fmt.Sprintf("events/%s/v%d/%s.json", a, max(e.Format, 1), e.Name)
			keepSample(t, file, bus.EncodeEvent("sample", e))
		}
	}
	for name, c := range w.Commands() {
		if name != sweepAll && name != deliverEvent {
			keepSample(t, fmt.Sprintf("commands/%s/v1/%s.json", name.Service, name.Verb), bus.EncodeCommand("sample", c))
		}
	}
}

func keepSample(t *testing.T, name string, s bus.Stored) {
	t.Helper()
	file := filepath.Join(samples, filepath.FromSlash(name))
	if _, err := os.Stat(file); err == nil {
		return
	}
	data, err := json.MarshalIndent(s, "", "\t")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o755)
	}
	if err == nil {
		err = os.WriteFile(file, append(data, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// tour does everything once that people do.
func (w *world) tour(t *testing.T) {
	w.openAccount(t)
	upload := w.send("board.zip", sampleZip)
	for !w.hasFiles(upload) { // they are not read yet
		w.pass(time.Millisecond)
	}
	quote := w.askForQuote(upload, quotes.Request{Quantity: 10, StandardForUnstated: true})
	w.ask(pricetables.Price, pricetables.PriceData{Upload: upload, Request: quotes.Request{StandardForUnstated: true}, Quantities: []int{5, 10}, Destinations: []shipments.ShipTo{{Country: "US", State: "TX"}, {Country: "DE"}}})
	w.ask(savings.Find, savings.FindData{Quote: quote, Upload: upload, Version: 1})
	w.ask(designchecks.Check, contract.CheckDesignData{Upload: upload, CopperOz: 1, ThicknessMM: 1.6})
	w.ask(designchecks.Check, contract.CheckDesignData{Upload: w.send("notes.zip", zipWithNote(t, nil)), CopperOz: 1, ThicknessMM: 1.6})
	w.ask(designchecks.Check, contract.CheckDesignData{Upload: "none", CopperOz: 1, ThicknessMM: 1.6})
	w.pass(time.Minute)
	w.draw(t, upload)
	w.checkParts(partchecks.CheckData{Boards: 10, Asked: true, Parts: []partchecks.Line{{Reference: "R1", Value: "10k"}, {Reference: "U1", MPN: "NE555"}}})
	w.pass(time.Minute)
	w.checkParts(partchecks.CheckData{Boards: 10, Asked: true, BOM: "no list"})
	w.pay(t, quote, func() {})
	link := buylinks.Prefix + "sample"
	w.ask(buylinks.Create, buylinks.CreateData{Link: link, Upload: upload, Key: "key", Request: quotes.Request{StandardForUnstated: true}, SourceURL: "https://example.com/lamp"})
	w.pass(time.Minute)
	w.command(buylinks.Keep, buylinks.Data{Link: link})
	w.pass(time.Minute)
	w.ask(buylinks.Close, buylinks.Data{Link: link})
	w.pass(time.Minute)
	for range 16 { // whatever the bank says
		w.payWithSaved(upload)
	}
	for _, n := range []int{10, 12, 14} { // with a price, with a part that nobody sells, without a list
		w.askForQuote(upload, quotes.Request{Quantity: n, StandardForUnstated: true, Assembly: true})
		w.pass(time.Minute)
	}
	w.watch()
	w.watchParts(t, upload)
	w.approveParts(t, upload)
	w.review(t, upload)
	w.pick(t, upload)
	other := w.send("other.zip", zipWithNote(t, sampleZip))
	w.pass(time.Minute)
	held := w.askForQuote(other, quotes.Request{Quantity: 10, StandardForUnstated: true})
	w.pass(time.Minute)
	w.pay(t, held, func() { // its files have gone when it is placed
		w.ask(uploads.DeclareITAR, uploads.Data{Ref: other})
		w.pass(time.Minute)
	})
	w.pass(3 * 24 * time.Hour)
	w.ask(orders.ReportStatus, orders.ReportStatusData{Quote: quote, Operator: "operator", Status: orders.Shipped, Note: "Delivered."})
	w.ask(orders.Cancel, orders.CancelData{Quote: held, Operator: "operator", Why: "The files have gone."})
	w.returnMoney(quote)
	again := *w.cards.payments[0]
	again.ID, again.CreatedAt = "pi_again", w.Now()
	w.cards.payments = append(w.cards.payments, &again)
	w.reconcile()
	w.pass(time.Hour)
	w.command(orders.Sweep, orders.SweepData{Aggregate: contract.OrderAggregate, Key: "status", Value: string(orders.Paid)})
	w.team(t, quote)
	w.write(t)
	keep(t, w) // what the erasure removes
	w.ask(erasures.EraseCustomer, erasures.EraseCustomerData{Person: contract.PersonRef(home.Email), Operator: "operator"})
	for range 30 {
		w.pass(24 * time.Hour)
		w.sweep()
	}
}

// team does what the operators do among themselves: taking a case, asking for a
// second operator, deciding.
func (w *world) team(t *testing.T, quote string) {
	t.Helper()
	for _, leave := range []bool{false, true} {
		w.ask(cases.Take, cases.TakeData{Case: quote, Person: contract.PersonRef("ada@example.com"), Operator: "operator", Leave: leave})
		w.pass(time.Second)
	}
	w.ask(cases.AddNote, cases.AddNoteData{Case: quote, Person: contract.PersonRef("ada@example.com"), Operator: "operator", Text: "She prefers to be called in the morning."})
	w.pass(time.Second)
	for _, approve := range []bool{true, false} {
		data, err := json.Marshal(orders.IssueRefundData{Quote: quote, Operator: "operator", Cents: 100, Why: "A scratch."})
		if err != nil {
			t.Fatal(err)
		}
		request := w.ask(cases.RequestApproval, cases.RequestApprovalData{
			Case: quote, Operator: "operator", Kind: cases.ApproveRefund, Cents: 100, Currency: "USD", Command: data,
		})
		w.pass(time.Second)
		w.ask(cases.Decide, cases.DecideData{Case: quote, Approval: request, Operator: "another", Approve: approve})
		w.pass(time.Minute)
	}
	if err := console.NewTrail(w, w.Now).Record(t.Context(), audits.Record{
		Operator: "operator", Action: "refund", Kind: "order", ID: quote, Account: account, Request: "req_sample", Outcome: "asked",
		Before: map[string]string{"refunded": "$0.00"}, After: map[string]string{"refunded": "$1.00"},
	}); err != nil {
		t.Fatal(err)
	}
}

// pass lets time go by.
func (w *world) pass(d time.Duration) {
	w.Run(w.Now().Add(d))
	w.Advance(d)
}

func (w *world) openAccount(t *testing.T) {
	t.Helper()
	key := accounts.APIKey{
		ID: "sample", Name: "Production", Prefix: "bo_live_sample", Hash: contract.DeriveID("key"), Scopes: accounts.DefaultScopes(), Live: true, CreatedAt: w.Now(),
	}
	w.ask(accounts.Open, accounts.OpenData{ID: account, Name: "Sample Partner", Limits: map[string]int{"quotes": 1000}, Operator: "operator"})
	w.pass(time.Second)
	w.ask(accounts.SetAddress, accounts.SetAddressData{Account: account, Email: "partner@sample.example", Operator: "operator"})
	w.pass(time.Second)
	w.ask(accounts.SetFabricators, accounts.SetFabricatorsData{Account: account, Rule: &accounts.FabricatorRule{Kind: accounts.Preferred, Fabricator: "near_by", Percent: 10}, SeesOffers: true, Operator: "operator"})
	w.pass(time.Second)
	w.Handle(flow.Handlers{emailscontract.Send: func(context.Context, contract.Command) error { return nil }}) // to owners
	w.ask(accounts.CreateKey, accounts.CreateKeyData{Account: account, Key: key, Operator: "operator"})
	w.pass(time.Second)
	w.workAsMember(key)
	end, networks := w.Now().AddDate(1, 0, 0), []string{"192.0.2.0/24"}
	w.ask(accounts.ChangeKey, accounts.ChangeKeyData{Account: account, KeyID: key.ID, Scopes: []string{accounts.ScopeQuotes}, ExpiresAt: &end, Networks: &networks, Operator: "operator"})
	w.pass(time.Second)
	w.command(accounts.NoteElsewhere, accounts.NoteElsewhereData{Account: account, KeyID: key.ID, Network: "203.0.113.7"})
	w.pass(time.Second)
	w.ask(accounts.RevokeKey, accounts.RevokeKeyData{Account: account, KeyID: key.ID, Operator: "operator"})
	w.ask(accounts.Open, accounts.OpenData{ID: account, Name: "Another"})
	w.pass(time.Second)
	w.ask(accounts.RevokeKey, accounts.RevokeKeyData{Account: account, KeyID: key.ID})
	w.pass(time.Second)
}

// workAsMember does what a member of the account does in the portal.
func (w *world) workAsMember(key accounts.APIKey) {
	by := accounts.By{Account: account, Member: accounts.MemberID(account, "partner@sample.example"), From: "192.0.2.9"}
	until := w.Now().AddDate(0, 0, 7)
	own := key
	own.ID, own.Prefix, own.Hash = "own", "bo_live_own", contract.DeriveID("own key")
	w.ask(accounts.CreateOwnKey, accounts.CreateOwnKeyData{By: by, Key: own, Replaces: key.ID, Until: &until})
	w.pass(time.Second)
	w.ask(accounts.ChangeOwnKey, accounts.ChangeOwnKeyData{By: by, KeyID: own.ID, Name: "Till", Scopes: []string{accounts.ScopeQuotes}, ExpiresAt: &until, Networks: []string{"192.0.2.0/24"}})
	w.pass(time.Second)
	w.ask(accounts.SetOwnDetails, accounts.SetOwnDetailsData{By: by, Name: "Sample & Sons", Email: "boards@sample.example"})
	w.pass(time.Second)
	w.ask(accounts.RevokeOwnKey, accounts.RevokeOwnKeyData{By: by, KeyID: own.ID})
	w.pass(time.Second)
	w.command(accounts.NoteEndpointAct, accounts.NoteEndpointActData{By: by, Endpoint: "we_sample", Verb: "create-endpoint"})
	w.pass(time.Second)
	for _, email := range []string{"dev@sample.example", "books@sample.example"} {
		w.ask(accounts.AddMember, accounts.AddMemberData{By: by, Email: email, Role: accounts.Viewer})
		w.pass(time.Second)
	}
	dev := accounts.MemberID(account, "dev@sample.example")
	w.ask(accounts.SetRole, accounts.SetRoleData{By: by, Subject: dev, Role: accounts.Developer})
	w.pass(time.Second)
	w.ask(accounts.RemoveMember, accounts.RemoveMemberData{By: by, Subject: dev})
	w.pass(time.Second)
	w.ask(accounts.EndMember, accounts.EndMemberData{Account: account, Subject: accounts.MemberID(account, "books@sample.example"), Operator: "operator"})
	w.pass(time.Second)
}

// send makes an upload of one file, and does not wait for it.
func (w *world) send(name string, data []byte) (ref string) {
	ref = contract.SecretRef(contract.UploadPrefix + name)
	key := uploads.StagingPrefix + contract.DeriveID(name)
	w.blobs.kept[key] = kept{data, blob.Info{Key: key, Size: int64(len(data)), ModTime: w.Now()}}
	w.ask(uploads.Create, uploads.Data{Ref: ref})
	w.ask(uploads.AddFiles, uploads.AddFilesData{Ref: ref, Files: []uploads.StagedFile{{Name: name, Size: int64(len(data)), SHA256: contract.DeriveID(name), Key: key}}})
	return ref
}

func (w *world) hasFiles(upload string) bool {
	u, err := state[uploads.Upload](w, contract.UploadAggregate, upload)
	return err == nil && len(u.Files) > 0
}

// zipWithNote gives a zip of a note, and of what is in another one.
func zipWithNote(t *testing.T, other []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	f, err := z.Create("notes.txt")
	if err == nil {
		_, err = f.Write([]byte("There is no board in this file.\n"))
	}
	if err == nil && other != nil {
		var in *zip.Reader
		if in, err = zip.NewReader(bytes.NewReader(other), int64(len(other))); err == nil {
			for _, f := range in.File {
				err = errors.Join(err, z.Copy(f))
			}
		}
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// askForQuote asks for a quote and gives its ref.
func (w *world) askForQuote(upload string, r quotes.Request) (ref string) {
	request := w.ask(quotes.Price, quotes.PriceData{Upload: upload, Request: r})
	return contract.SecretRef(w.keys.QuoteID(request))
}

func (w *world) draw(t *testing.T, upload string) {
	t.Helper()
	u, err := state[uploads.Upload](w, contract.UploadAggregate, upload)
	if err != nil {
		t.Fatal(err)
	}
	w.ask(boards.DrawLayers, boards.DrawLayersData{Digest: u.Digest})
	w.pass(time.Minute)
}

// pay chooses a delivery, tries an old price, and pays; before the processor says
// so it does what comes between.
func (w *world) pay(t *testing.T, quote string, between func()) {
	t.Helper()
	w.ask(quotes.ChooseDelivery, quotes.ChooseDeliveryData{Quote: quote, ShipTo: home})
	w.pass(time.Minute)
	q, err := state[quotes.Quote](w, contract.QuoteAggregate, quote)
	if err != nil || q.Delivery == nil {
		t.Fatalf("quote %s is %+v, %v; want a delivery", quote, q, err)
	}
	w.ask(checkouts.Begin, checkouts.BeginData{Quote: quote, Version: q.Version + 1})
	w.ask(checkouts.Begin, checkouts.BeginData{Quote: quote, Version: q.Version, SaveDetails: true, Acknowledgement: q.AcknowledgementHash()})
	w.pass(time.Minute)
	for _, s := range w.open() {
		w.cards.decline(s.ID)
		w.notify(checkouts.CardEventData{EventID: "evt_declined_" + s.ID, Type: "checkout.session.updated", Session: s.ID, Quote: s.Reference})
		w.pass(time.Second)
		w.cards.pay(s.ID)
		between()
		w.tell(s)
	}
	w.pass(time.Minute)
}

// payWithSaved pays a new quote with the details that were saved.
func (w *world) payWithSaved(upload string) {
	quote := w.askForQuote(upload, quotes.Request{Quantity: 10, StandardForUnstated: true})
	w.pass(time.Minute)
	w.ask(quotes.ChooseDelivery, quotes.ChooseDeliveryData{Quote: quote, ShipTo: home})
	for range 8 {
		w.pass(time.Minute)
		w.stepOfSaved(quote)
	}
}

// returnMoney gives a part back, has another part fail, and disputes the rest.
func (w *world) returnMoney(quote string) {
	w.ask(orders.IssueRefund, orders.IssueRefundData{Quote: quote, Operator: "operator", Cents: 100, Why: "One board less."})
	w.pass(time.Hour)
	p := w.cards.payments[0]
	byHand := w.cards.refundByHand(p, 50)
	failed := w.cards.refunds[byHand]
	failed.Status = card.RefundFailed
	w.cards.refunds[byHand] = failed
	p.RefundedCents -= failed.Cents
	w.command(orders.SettleMoney, orders.SettleMoneyData{Quote: quote})
	w.pass(time.Hour)
	w.cards.disputes = append(w.cards.disputes, card.Dispute{
		ID: "dp_1", PaymentIntent: p.ID, Reference: quote, Cents: 1000, Status: card.DisputeOpen, Reason: "product_not_received", CreatedAt: w.Now(),
	})
	w.command(orders.SettleMoney, orders.SettleMoneyData{Quote: quote, Poll: 1})
	w.pass(time.Hour)
}

// command sends one that nobody waits for.
func (w *world) command(name contract.CommandName, data any) {
	c, err := contract.NewCommand(name, "", account, w.Now(), data)
	if err != nil {
		panic(err)
	}
	c.ID = contract.DeriveID(name.String(), w.Now().String())
	w.order(c)
}

// review has the team price what has no instant price.
func (w *world) review(t *testing.T, upload string) {
	t.Helper()
	notes := "Please use a peelable mask."
	quote := w.askForQuote(upload, quotes.Request{Quantity: 20, StandardForUnstated: true, SpecialRequirements: true, SpecialNotes: &notes})
	w.pass(time.Minute)
	w.ask(quotes.RequestReview, quotes.RequestReviewData{Quote: quote, ShipTo: home, Note: "By June."})
	w.pass(time.Minute)
	w.converse(t, quote)
	w.ask(quotes.PriceReview, quotes.PriceReviewData{
		Quote: quote, Operator: "operator", Lines: []prices.PricedLine{
			{Line: prices.Line{Label: "Boards", Cents: 12_000}, For: prices.Boards}, {Line: prices.Line{Label: "Shipping", Cents: 2500}, For: prices.Shipping},
		}, TaxCents: 900, LeftOut: []prices.LeftOut{{Part: prices.Duty, Words: "Import duty"}}, BuildDays: 5, TransitMin: 3, TransitMax: 5, Below: true, Note: "With the peelable mask.",
	})
	w.pass(time.Minute)
	declined := w.askForQuote(upload, quotes.Request{Quantity: 30, StandardForUnstated: true, SpecialRequirements: true, SpecialNotes: &notes})
	w.pass(time.Minute)
	w.ask(quotes.RequestReview, quotes.RequestReviewData{Quote: declined, ShipTo: home})
	w.pass(time.Minute)
	w.ask(quotes.RefuseReview, quotes.RefuseReviewData{Quote: declined, Operator: "operator", Why: "We have no peelable mask."})
	w.pass(time.Minute)
}

// pick has the team choose the part of a line that names none.
func (w *world) pick(t *testing.T, upload string) {
	t.Helper()
	quote := w.askForQuote(upload, quotes.Request{Quantity: 36, StandardForUnstated: true, Assembly: true, StaffPicksParts: true})
	w.pass(time.Minute)
	w.ask(quotes.RequestReview, quotes.RequestReviewData{Quote: quote, ShipTo: home})
	w.pass(time.Minute)
	w.ask(quotes.PickPart, quotes.PickPartData{Quote: quote, Operator: "operator", Reference: "J1", MPN: "B2B-PH-K-S"})
	w.pass(time.Minute)
	q, err := state[quotes.Quote](w, contract.QuoteAggregate, quote)
	if err != nil || len(q.Reply.PickedParts) != 1 || q.Reply.PickedParts[0].PickedBy != "operator" {
		t.Fatalf("quote %s is %+v, %v; want one part picked by operator", quote, q, err)
	}
}

// watchParts has suppliers asked again about the parts of a quote: R1 is sold out and J1 dearer, and
// later there is R1 again.
func (w *world) watchParts(t *testing.T, upload string) {
	t.Helper()
	quote := w.askForQuote(upload, quotes.Request{Quantity: 16, StandardForUnstated: true, Assembly: true})
	w.pass(time.Minute)
	for _, soldOut := range []bool{true, false} {
		w.soldOut = soldOut
		w.command(quotes.Watch, quotes.WatchData{Quote: quote, Since: w.Now()})
		w.pass(time.Minute)
	}
	q, err := state[quotes.Quote](w, contract.QuoteAggregate, quote)
	if err != nil || q.Watched == nil || len(q.Watched.Low) > 0 || q.Watched.Price == nil {
		t.Fatalf("quote %s is watched as %+v, %v; want another price and nothing scarce", quote, q.Watched, err)
	}
}

// approveParts has a customer asked about the alternatives of two quotes: of one a part is approved, and priced.
func (w *world) approveParts(t *testing.T, upload string) {
	t.Helper()
	for n, quantity := range []int{15, 18} {
		quote := w.askForQuote(upload, quotes.Request{Quantity: quantity, StandardForUnstated: true, Assembly: true})
		w.pass(time.Minute)
		approval := quotes.ApprovalPrefix + strconv.Itoa(n)
		w.ask(quotes.AskApproval, quotes.AskApprovalData{Quote: quote, Approval: approval, Key: "key", Network: "203.0.113.7", Lines: []quotes.AskedLine{{Reference: "U1", MPNs: []string{"NE555DR"}}}})
		w.pass(time.Minute)
		w.answerParts(quote, []string{"NE555DR", ""}[n])
		w.pass(time.Minute)
		q, err := state[quotes.Quote](w, contract.QuoteAggregate, quote)
		if err != nil || len(q.Approvals) != 1 || q.Approvals[0].Answer == nil {
			t.Fatalf("quote %s has the approvals %+v, %v; want one that is answered", quote, q.Approvals, err)
		}
		if n == 0 {
			w.ask(quotes.Price, quotes.PriceData{Upload: upload, Digest: q.Digest, From: quote, Approval: approval, Request: q.Request})
			w.pass(time.Minute)
		}
	}
}

// answerParts answers what a quote's customer was asked first.
func (w *world) answerParts(quote, mpn string) {
	q, err := state[quotes.Quote](w, contract.QuoteAggregate, quote)
	if err != nil || len(q.Approvals) == 0 {
		return
	}
	shown, err := q.DigestOf(q.Approvals[0])
	if err != nil {
		panic(err)
	}
	w.ask(quotes.AnswerApproval, quotes.AnswerApprovalData{
		Quote: quote, Approval: q.Approvals[0].ID, Shown: shown, OpenedAt: w.Now(), Chosen: []string{mpn}, Name: "Ada Lovelace", Position: "Owner", Email: home.Email, Network: "198.51.100.7", Language: "en",
	})
}

// converse has the team ask something, and the customer answer.
func (w *world) converse(t *testing.T, quote string) {
	t.Helper()
	w.ask(quotes.AskCustomer, quotes.AskCustomerData{Quote: quote, Operator: "operator", Text: "On which side shall the mask be?"})
	w.pass(time.Minute)
	q, err := state[quotes.Quote](w, contract.QuoteAggregate, quote)
	if err != nil || q.OpenQuestion() == nil {
		t.Fatalf("quote %s is %+v, %v; want an open question", quote, q, err)
	}
	w.ask(quotes.AnswerReview, quotes.AnswerReviewData{Quote: quote, Question: q.OpenQuestion().ID, Text: "On the top."})
	w.pass(time.Minute)
}

// write has the e-mails written that the orders call for.
func (w *world) write(t *testing.T) {
	t.Helper()
	emails, err := notify.New(notify.Config{PublicURL: "https://shop", ConsoleURL: "https://console", Team: "team@example.com"},
		w.Sim, w.keys, notify.Ports{}, zap.NewNop(), w.Now)
	if err != nil {
		t.Fatal(err)
	}
	done := func(context.Context, contract.Command) error { return nil }
	w.Handle(flow.Handlers{emailscontract.Send: done, accounts.SendSignInCode: done})
	w.command(accounts.SendSignInCode, accounts.SendSignInCodeData{Code: "code", Email: home.Email})
	if err := emails.HandleEvents(t.Context(), w.Events(contract.OrderAggregate)); err != nil {
		t.Fatal(err)
	}
}
