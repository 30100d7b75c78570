package contract_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract"

	"github.com/google/go-cmp/cmp"
)

// Samples of what was ever written lie under testdata: an event of each type and
// format, and a command of each name. They are made by the services' handlers:
//
//	go test boardorder/deploy/standalone/simulation -run TestWriteSamples -update
//
// and never changed: a new format adds files beside the old ones. What they are
// read as lies under testdata/states; -update of this test writes that.
var update = flag.Bool("update", false, "write the states that the samples are read as")

// A reader reads the state of an event, of whatever format.
type reader func(contract.Event) (state any, err error)

func readerOf[S any]() reader {
	return func(e contract.Event) (any, error) {
		snap, err := aggregate.Decode[S](e)
		if !snap.Exists() {
			return nil, err
		}
		return snap.State, err
	}
}

var states = map[contract.Aggregate]reader{
	contract.AccountAggregate:      readerOf[contract.Account](),
	contract.AssemblyAggregate:     readerOf[contract.Assembly](),
	contract.AuditAggregate:        readerOf[contract.AuditEntry](),
	contract.CaseAggregate:         readerOf[contract.Case](),
	contract.BoardAggregate:        readerOf[contract.ReadFiles](),
	contract.BuyLinkAggregate:      readerOf[contract.BuyLink](),
	contract.CentralAggregate:      readerOf[contract.CentralOrder](),
	contract.CheckoutAggregate:     readerOf[contract.Checkout](),
	contract.ConfirmationAggregate: readerOf[contract.Confirmation](),
	contract.CustomerAggregate:     readerOf[contract.Customer](),
	contract.DesignCheckAggregate:  readerOf[contract.DesignCheck](),
	contract.ErasureAggregate:      readerOf[contract.Erasure](),
	contract.InvoiceBookAggregate:  readerOf[contract.InvoiceBook](),
	contract.PartCheckAggregate:    readerOf[contract.PartCheck](),
	contract.OperationAggregate:    readerOf[contract.Operation](),
	contract.OrderAggregate:        readerOf[contract.Order](),
	contract.QuoteAggregate:        readerOf[contract.Quote](),
	contract.QuoteRequestAggregate: readerOf[contract.QuoteWait](),
	contract.UploadAggregate:       readerOf[contract.Upload](),
}

// events are those of each aggregate, beside the ones that any may have.
var events = map[contract.Aggregate][]contract.EventName{
	contract.AccountAggregate: {contract.AccountOpened, contract.AddressSet, contract.KeyCreated, contract.KeyChanged, contract.KeyRevoked},
	contract.AuditAggregate:   {contract.AuditRecorded},
	contract.CaseAggregate:    {contract.CaseTaken, contract.CaseReleased, contract.ApprovalAsked, contract.ApprovalGranted, contract.ApprovalDeclined},
	contract.BoardAggregate:   {contract.BoardRead, contract.BoardCompleted, contract.BoardIncomplete, contract.BoardDrawn, contract.BoardNeeded, contract.BoardChecked, contract.BoardAnswered, contract.BoardForgotten},
	contract.CentralAggregate: {
		contract.CentralSubmitted, contract.CentralInReview, contract.CentralQuoted, contract.CentralAccepted, contract.CentralInProduction,
		contract.CentralShipped, contract.CentralDelivered, contract.CentralCancelled, contract.CentralUpdated, contract.CentralReviewed,
		contract.CentralChecked, contract.CentralFilesDropped,
	},
	contract.CheckoutAggregate: {
		contract.CheckoutBegun, contract.CheckoutOpened, contract.CheckoutPaid, contract.CheckoutClosed, contract.CheckoutDoubled, contract.CheckoutPending,
		contract.RequestRefused, contract.RequestCompleted,
	},
	contract.DesignCheckAggregate: {
		contract.CheckStarted, contract.CheckProgressed, contract.CheckRefused, contract.CheckMade, contract.CheckForgotten,
	},
	contract.BuyLinkAggregate:      {contract.BuyLinkCreated, contract.BuyLinkClosed},
	contract.ConfirmationAggregate: {contract.CodeRequested, contract.CodeTried, contract.CodeVerified, contract.CodeUsed},
	contract.CustomerAggregate:     {contract.CustomerOpened, contract.CustomerSaved},
	contract.OperationAggregate:    {contract.OperationRefused, contract.OperationCompleted},
	contract.OrderAggregate: {
		contract.OrderPaid, contract.OrderScreened, contract.OrderPlacing, contract.OrderPlaced, contract.OrderHeld, contract.OrderInProduction,
		contract.OrderProgressed, contract.OrderShipped, contract.OrderRefundBegun, contract.OrderRefunded, contract.OrderRefundFailed,
		contract.OrderCancelled, contract.OrderDisputed, contract.OrderInvoiced,
	},
	contract.QuoteAggregate: {
		contract.QuotePriced, contract.QuoteReviewNeeded, contract.QuoteReviewRequested, contract.QuoteReviewPriced, contract.QuoteDeliveryChosen,
		contract.QuoteReviewQuestion, contract.QuoteReviewAnswered, contract.QuoteReviewRefused, contract.QuotePartPicked,
	},
	contract.AssemblyAggregate: {
		contract.AssemblyStarted, contract.AssemblyPlanned, contract.AssemblyProgressed, contract.AssemblyRefused, contract.AssemblyMade,
	},
	contract.ErasureAggregate:      {contract.ErasureRequested, contract.ErasurePassed},
	contract.InvoiceBookAggregate:  {contract.InvoiceNumbered, contract.InvoiceFiled},
	contract.PartCheckAggregate:    {contract.PartCheckStarted, contract.PartCheckProgressed, contract.PartCheckRefused, contract.PartCheckMade},
	contract.QuoteRequestAggregate: {contract.QuoteRequestWaiting},
	contract.UploadAggregate:       {contract.UploadCreated, contract.FilesAdded, contract.UploadExpiredEvent, contract.ITARDeclared, contract.UploadDoubted, contract.UploadClosedTo},
}

// ofAny are events that any aggregate may have.
var ofAny = []contract.EventName{contract.Erased}

// asks are what the commands ask for.
var asks = map[contract.CommandName]any{
	contract.OpenAccount: &contract.OpenAccountData{}, contract.SetAddress: &contract.SetAddressData{}, contract.CreateKey: &contract.CreateKeyData{}, contract.ChangeKey: &contract.ChangeKeyData{}, contract.RevokeKey: &contract.RevokeKeyData{}, contract.ReportKey: &contract.ReportKeyData{},
	contract.ReadBoard: &contract.ReadBoardData{}, contract.CompleteBoard: &contract.CompleteBoardData{}, contract.ForgetBoard: &contract.ForgetBoardData{}, contract.DeleteBlobs: &contract.DeleteBlobsData{},
	contract.CheckDesign: &contract.CheckDesignData{}, contract.MeasureDesign: &contract.MeasureDesignData{}, contract.DrawLayers: &contract.DrawLayersData{},
	contract.BeginCheckout: &contract.BeginCheckoutData{}, contract.CardEvent: &contract.CardEventData{}, contract.SettlePayment: &contract.SettlePaymentData{},
	contract.CreateBuyLink: &contract.CreateBuyLinkData{}, contract.CloseBuyLink: &contract.BuyLinkData{}, contract.KeepBuyLink: &contract.BuyLinkData{},
	contract.SendCode: &contract.SendCodeData{}, contract.VerifyCode: &contract.VerifyCodeData{}, contract.PaySaved: &contract.PaySavedData{},
	contract.PlaceOrder: &contract.OrderData{}, contract.FollowOrder: &contract.OrderData{}, contract.Reconcile: &contract.ReconcileData{},
	contract.Sweep: &contract.SweepData{}, contract.RefundOrder: &contract.RefundOrderData{}, contract.CancelOrder: &contract.CancelOrderData{},
	contract.IssueInvoices: &contract.OrderData{}, contract.SettleMoney: &contract.SettleMoneyData{}, contract.ReportOrder: &contract.ReportOrderData{}, contract.SendLetter: &contract.SendLetterData{},
	contract.PriceQuote: &contract.PriceQuoteData{}, contract.ChooseDelivery: &contract.ChooseDeliveryData{},
	contract.RequestReview: &contract.RequestReviewData{}, contract.PriceReview: &contract.PriceReviewData{},
	contract.PickPart: &contract.PickPartData{}, contract.AskCustomer: &contract.AskCustomerData{}, contract.AnswerReview: &contract.AnswerReviewData{}, contract.RefuseReview: &contract.RefuseReviewData{},
	contract.CreateUpload: &contract.UploadData{}, contract.AddFiles: &contract.AddFilesData{}, contract.ExpireUpload: &contract.UploadData{},
	contract.DeclareITAR: &contract.UploadData{},
	contract.TakeCase:    &contract.TakeCaseData{}, contract.AskApproval: &contract.AskApprovalData{}, contract.DecideRequest: &contract.DecideRequestData{},
	contract.EraseCustomer: &contract.EraseCustomerData{}, contract.EraseQuotes: &contract.EraseData{}, contract.EraseOrders: &contract.EraseData{},
	contract.SubmitCentral: &contract.SubmitCentralData{}, contract.QuoteCentral: &contract.QuoteCentralData{}, contract.AcceptCentral: &contract.AcceptCentralData{},
	contract.MoveCentral: &contract.MoveCentralData{}, contract.ReviewCentral: &contract.ReviewCentralData{}, contract.CheckCentral: &contract.CentralOrderData{},
	contract.CloseCentral: &contract.CentralOrderData{}, contract.EraseCentral: &contract.EraseData{},
	contract.HoldEqual: &contract.HoldEqualData{}, contract.DoubtEqual: &contract.HoldEqualData{}, contract.CheckParts: &contract.CheckPartsData{},
	contract.AssembleBoard: &contract.AssembleData{}, contract.EraseAssemblies: &contract.EraseData{},
}

// sampleFiles gives the samples of a kind by their paths below it.
func sampleFiles(t *testing.T, kind string) map[string]bus.Stored {
	t.Helper()
	out := map[string]bus.Stored{}
	root := filepath.Join("testdata", kind)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var s bus.Stored
		name, _ := filepath.Rel(root, path)
		if err := json.Unmarshal(data, &s); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		out[filepath.ToSlash(name)] = s
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Every event that was ever written is read as it was, and nothing of it is lost.
func TestSamplesOfEventsAreRead(t *testing.T) {
	t.Parallel()
	for name, s := range sampleFiles(t, "events") {
		e, err := s.Event()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := fmt.Sprintf("%s/v%d/%s.json", e.Aggregate, e.Format, e.Name); name != want || e.ID == "" || e.At.IsZero() {
			t.Errorf("%s holds %s: %+v", name, want, e)
		}
		state, err := states[e.Aggregate](e)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		compareGolden(t, name, state)
		compareFields(t, name, e, state)
	}
}

func compareGolden(t *testing.T, name string, state any) {
	t.Helper()
	got, err := json.MarshalIndent(state, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	file := filepath.Join("testdata", "states", filepath.FromSlash(name))
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is not read as it was (-was +is):\n%s", name, diff)
	}
}

// compareFields finds what the sample holds, in today's format, and the structs
// do not.
func compareFields(t *testing.T, name string, e contract.Event, state any) {
	t.Helper()
	var body contract.Body[json.RawMessage]
	if err := json.Unmarshal(e.Data, &body); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for _, lost := range findLostFields(t, e.Data, body) {
		t.Errorf("%s: contract.Body has lost %s", name, lost)
	}
	before, err := contract.Upgrade(e.Aggregate, e.Format, body.State)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for _, lost := range findLostFields(t, before, state) {
		t.Errorf("%s: the state has lost %s", name, lost)
	}
}

func TestSamplesOfCommandsAreRead(t *testing.T) {
	t.Parallel()
	for name, s := range sampleFiles(t, "commands") {
		c, err := s.Command()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := fmt.Sprintf("%s/v1/%s.json", c.Name.Service, c.Name.Verb); name != want || c.ID == "" || c.At.IsZero() {
			t.Errorf("%s holds %s: %+v", name, want, c)
		}
		data, ok := asks[c.Name]
		if !ok {
			t.Errorf("%s: no such command", name)
			continue
		}
		if err := json.Unmarshal(c.Data, data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, lost := range findLostFields(t, c.Data, data) {
			t.Errorf("%s: the command has lost %s", name, lost)
		}
	}
}

// findLostFields names the members of stored that v, which was read from it, does not
// have. What is empty may be left out.
func findLostFields(t *testing.T, stored []byte, v any) []string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return missing("", tree(t, stored), tree(t, data))
}

func tree(t *testing.T, data []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func missing(at string, stored, now any) (lost []string) {
	switch s := stored.(type) {
	case map[string]any:
		n, _ := now.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(s)) {
			if v, ok := n[name]; ok {
				lost = append(lost, missing(at+"."+name, s[name], v)...)
			} else if !empty(s[name]) {
				lost = append(lost, at+"."+name)
			}
		}
	case []any:
		n, _ := now.([]any)
		for i := range s {
			if i >= len(n) {
				return append(lost, fmt.Sprintf("%s[%d]", at, i))
			}
			lost = append(lost, missing(fmt.Sprintf("%s[%d]", at, i), s[i], n[i])...)
		}
	default:
		if stored != now {
			lost = append(lost, fmt.Sprintf("%s = %v", at, stored))
		}
	}
	return lost
}

func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return v == "" || v == false || v == json.Number("0")
}

func TestLostFields(t *testing.T) {
	t.Parallel()
	type inner struct {
		A int `json:"a"`
	}
	type state struct {
		Name  string  `json:"name"`
		Inner inner   `json:"inner"`
		List  []inner `json:"list"`
	}
	for name, tt := range map[string]struct {
		stored string
		lost   []string
	}{
		"nothing":     {`{"name":"n","inner":{"a":1},"list":[{"a":2}]}`, nil},
		"left out":    {`{"name":"n","old":"","other":[],"zero":0,"null":null}`, nil},
		"a member":    {`{"name":"n","renamed":1}`, []string{".renamed"}},
		"of a member": {`{"inner":{"a":1,"b":2}}`, []string{".inner.b"}},
		"in a list":   {`{"list":[{"a":1},{"a":2,"b":"x"}]}`, []string{".list[1].b"}},
	} {
		var v state
		if err := json.Unmarshal([]byte(tt.stored), &v); err != nil {
			t.Fatal(err)
		}
		if got := findLostFields(t, []byte(tt.stored), v); !slices.Equal(got, tt.lost) {
			t.Errorf("%s: lost %v, want %v", name, got, tt.lost)
		}
	}
}

// There is a sample of every event in the format that is written today, and of
// every command.
func TestEverythingHasASample(t *testing.T) {
	t.Parallel()
	found := sampleFiles(t, "events")
	for a, names := range events {
		for _, name := range names {
			if file := fmt.Sprintf("%s/v%d/%s.json", a, contract.FormatOf(a), name); found[file].Subject == "" {
				t.Errorf("there is no sample %s", file)
			}
		}
	}
	found = sampleFiles(t, "commands")
	for name := range asks {
		if file := fmt.Sprintf("%s/v1/%s.json", name.Service, name.Verb); found[file].Subject == "" {
			t.Errorf("there is no sample %s", file)
		}
	}
	for _, a := range contract.Aggregates() {
		if states[a] == nil || len(events[a]) == 0 {
			t.Errorf("the tables of this test lack %s", a)
		}
	}
}

// The tables of this test hold all that the package declares.
func TestTablesAreComplete(t *testing.T) {
	t.Parallel()
	listed := map[contract.EventName]bool{}
	for _, names := range events {
		for _, n := range names {
			listed[n] = true
		}
	}
	for _, n := range ofAny {
		listed[n] = true
	}
	eventNames, commands := parseNames(t)
	for name, value := range eventNames {
		if !listed[value] {
			t.Errorf("event %s is in no table", name)
		}
	}
	for name, value := range commands {
		if asks[value] == nil {
			t.Errorf("command %s is in no table", name)
		}
	}
	if len(eventNames) < 30 || len(commands) < 20 {
		t.Errorf("found only %d events and %d commands", len(eventNames), len(commands))
	}
}

// parseNames reads the names of events and commands from the package's source.
func parseNames(t *testing.T) (map[string]contract.EventName, map[string]contract.CommandName) {
	t.Helper()
	eventNames, commands := map[string]contract.EventName{}, map[string]contract.CommandName{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for node := range ast.Preorder(parsed) {
			spec, ok := node.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				continue
			}
			if kind, ok := spec.Type.(*ast.Ident); ok && kind.Name == "EventName" {
				eventNames[spec.Names[0].Name] = contract.EventName(text(t, spec.Values[0]))
			}
			if made, ok := spec.Values[0].(*ast.CompositeLit); ok && fmt.Sprint(made.Type) == "CommandName" {
				commands[spec.Names[0].Name] = contract.CommandName{Service: text(t, made.Elts[0]), Verb: text(t, made.Elts[1])}
			}
		}
	}
	return eventNames, commands
}

func text(t *testing.T, e ast.Expr) string {
	t.Helper()
	value, err := strconv.Unquote(e.(*ast.BasicLit).Value)
	if err != nil {
		t.Fatal(err)
	}
	return value
}
