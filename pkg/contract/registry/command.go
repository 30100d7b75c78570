package registry

import (
	"fmt"
	"slices"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/duplicates"
	"boardorder/pkg/contract/emails"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/savings"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/contract/webhooks"

	"github.com/tidwall/gjson"
)

// A Command is all that is declared of one command. Its service, which the name says,
// handles it. Paths are those of gjson in its data.
type Command struct {
	Name contract.CommandName
	Data any // the zero value of what its data is read into

	// Of is the aggregate that a request for it is about, and By the member of the data
	// that names it: the request's outcome, granted or refused, is an event of that
	// aggregate. Without, the outcome is an operation of its own.
	Of contract.Aggregate
	By string

	// Members of the data that say whose it is, and that it is controlled, where they do.
	Person     string // an e-mail address
	Upload     string // ref
	Board      string // digest
	Controlled string // true: only US persons may see it

	// Timers are the aggregates whose timers carry it. What falls due is sent by the
	// projector, which may send every command: so a timer reaches the service of its
	// aggregate and no other, and of that what is meant to happen later.
	Timers []contract.Aggregate

	// Senders are programs that may send it though they send its service nothing else.
	// Who may send a service all of its commands is said in deploy/access.
	Senders []string
}

// commands are all that there are.
var commands = []Command{
	{Name: uploads.Create, Data: uploads.Data{}, Of: contract.UploadAggregate, By: "ref", Upload: "ref"},
	{Name: uploads.AddFiles, Data: uploads.AddFilesData{}, Of: contract.UploadAggregate, By: "ref", Upload: "ref", Senders: []string{"central"}},
	{Name: uploads.Expire, Data: uploads.Data{}, Timers: kinds(contract.UploadAggregate)},
	{Name: uploads.DeclareITAR, Data: uploads.Data{}, Of: contract.UploadAggregate, By: "ref", Timers: kinds(contract.UploadAggregate), Senders: []string{"central"}},
	{Name: uploads.DoubtDuplicate, Data: duplicates.HoldData{}},

	{Name: boards.Read, Data: boards.ReadData{}, Upload: "upload", Board: "digest"},
	{Name: boards.Complete, Data: boards.CompleteData{}, Upload: "upload", Board: "digest"},
	{Name: boards.Forget, Data: boards.ForgetData{}, Board: "digest", Timers: kinds(contract.BoardAggregate)},
	{Name: boards.DeleteBlobs, Data: boards.DeleteBlobsData{}, Timers: kinds(contract.BoardAggregate)},
	{Name: boards.DrawLayers, Data: boards.DrawLayersData{}, Of: contract.BoardAggregate, By: "digest", Board: "digest"},

	{Name: designchecks.Check, Data: contract.CheckDesignData{}, Upload: "upload", Senders: []string{"central"}},
	{Name: designchecks.Measure, Data: designchecks.MeasureData{}, Upload: "upload"},

	{Name: partchecks.Check, Data: partchecks.CheckData{}},

	{Name: assemblies.Assemble, Data: assemblies.AssembleData{}, Upload: "upload", Board: "digest"},
	{Name: assemblies.Erase, Data: erasures.Data{}, Timers: kinds(contract.AssemblyAggregate), Senders: []string{"upload"}},

	{Name: quotes.Price, Data: quotes.PriceData{}, Of: contract.QuoteAggregate, By: "quote", Person: "request.ship_to.email", Upload: "upload", Board: "digest"},
	{Name: pricetables.Price, Data: pricetables.PriceData{}, Of: contract.PriceTableAggregate, By: "table", Upload: "upload"},
	{Name: savings.Find, Data: savings.FindData{}, Of: contract.SavingsAggregate, By: "savings", Upload: "upload"},
	{Name: quotes.ChooseDelivery, Data: quotes.ChooseDeliveryData{}, Of: contract.QuoteAggregate, By: "quote", Person: "ship_to.email"},
	{Name: quotes.RequestReview, Data: quotes.RequestReviewData{}, Of: contract.QuoteAggregate, By: "quote", Person: "ship_to.email"},
	{Name: quotes.PriceReview, Data: quotes.PriceReviewData{}, Of: contract.QuoteAggregate, By: "quote", Timers: kinds(contract.QuoteAggregate)},
	{Name: quotes.PickPart, Data: quotes.PickPartData{}, Of: contract.QuoteAggregate, By: "quote"},
	{Name: quotes.Watch, Data: quotes.WatchData{}},
	{Name: quotes.AskCustomer, Data: quotes.AskCustomerData{}, Of: contract.QuoteAggregate, By: "quote"},
	{Name: quotes.AnswerReview, Data: quotes.AnswerReviewData{}, Of: contract.QuoteAggregate, By: "quote"},
	{Name: quotes.RefuseReview, Data: quotes.RefuseReviewData{}, Of: contract.QuoteAggregate, By: "quote"},
	{Name: quotes.AskApproval, Data: quotes.AskApprovalData{}, Of: contract.QuoteAggregate, By: "quote"},
	{Name: quotes.AnswerApproval, Data: quotes.AnswerApprovalData{}, Of: contract.QuoteAggregate, By: "quote", Person: "email"},
	{Name: quotes.Erase, Data: erasures.Data{}, Timers: kinds(contract.QuoteAggregate), Senders: []string{"upload"}},

	{Name: buylinks.Create, Data: buylinks.CreateData{}, Of: contract.BuyLinkAggregate, By: "link", Upload: "upload"},
	{Name: buylinks.Close, Data: buylinks.Data{}, Of: contract.BuyLinkAggregate, By: "link"},
	{Name: buylinks.Keep, Data: buylinks.Data{}, Timers: kinds(contract.BuyLinkAggregate)},

	{Name: checkouts.Begin, Data: checkouts.BeginData{}, Of: contract.CheckoutAggregate, By: "quote"},
	{Name: checkouts.CardEvent, Data: checkouts.CardEventData{}},
	{Name: checkouts.Settle, Data: checkouts.SettleData{}, Of: contract.CheckoutAggregate, By: "quote", Timers: kinds(contract.CheckoutAggregate)},
	{Name: checkouts.PaySaved, Data: checkouts.PaySavedData{}, Of: contract.CheckoutAggregate, By: "quote"},
	{Name: checkouts.Reconcile, Data: checkouts.ReconcileData{}},

	{Name: confirmations.SendCode, Data: confirmations.SendCodeData{}, Of: contract.ConfirmationAggregate, By: "confirmation", Person: "email"},
	{Name: confirmations.VerifyCode, Data: confirmations.VerifyCodeData{}, Of: contract.ConfirmationAggregate, By: "confirmation"},

	{Name: orders.Place, Data: orders.Data{}, Timers: kinds(contract.OrderAggregate)},
	{Name: orders.Follow, Data: orders.Data{}, Timers: kinds(contract.OrderAggregate)},
	{Name: orders.Sweep, Data: orders.SweepData{}, Timers: kinds(contract.CheckoutAggregate, contract.OrderAggregate)},
	{Name: orders.IssueRefund, Data: orders.IssueRefundData{}, Of: contract.OrderAggregate, By: "quote"},
	{Name: orders.Cancel, Data: orders.CancelData{}, Of: contract.OrderAggregate, By: "quote"},
	{Name: orders.SettleMoney, Data: orders.SettleMoneyData{}, Timers: kinds(contract.OrderAggregate)},
	{Name: orders.ReportStatus, Data: orders.ReportStatusData{}, Of: contract.OrderAggregate, By: "quote"},
	{Name: orders.Erase, Data: erasures.Data{}, Timers: kinds(contract.CheckoutAggregate), Senders: []string{"upload"}},
	{Name: orders.HoldDuplicate, Data: duplicates.HoldData{}, Senders: []string{"upload"}},

	{Name: invoices.Issue, Data: orders.Data{}},

	{Name: formal.Submit, Data: formal.SubmitData{}, Of: contract.FormalAggregate, By: "order", Person: "email", Controlled: "itar"},
	{Name: formal.IssueQuote, Data: formal.IssueQuoteData{}, Of: contract.FormalAggregate, By: "order", Person: "email", Controlled: "itar", Timers: kinds(contract.FormalAggregate)},
	{Name: formal.AcceptQuote, Data: formal.AcceptQuoteData{}, Of: contract.FormalAggregate, By: "order", Controlled: "itar"},
	{Name: formal.Move, Data: formal.MoveData{}, Of: contract.FormalAggregate, By: "order", Controlled: "itar", Timers: kinds(contract.FormalAggregate)},
	{Name: formal.RecordReview, Data: formal.RecordReviewData{}, Of: contract.FormalAggregate, By: "order", Controlled: "itar"},
	{Name: formal.Ask, Data: formal.AskData{}, Of: contract.FormalAggregate, By: "order", Controlled: "itar", Timers: kinds(contract.FormalAggregate)},
	{Name: formal.Answer, Data: formal.AnswerData{}, Of: contract.FormalAggregate, By: "order", Controlled: "itar"},
	{Name: formal.CheckDesign, Data: formal.Data{}},
	{Name: formal.DropFiles, Data: formal.Data{}, Controlled: "itar", Timers: kinds(contract.FormalAggregate)},
	{Name: formal.Erase, Data: erasures.Data{}, Timers: kinds(contract.FormalAggregate)},

	{Name: emails.Send, Data: emails.SendData{}},

	{Name: accounts.Open, Data: accounts.OpenData{}, Of: contract.AccountAggregate, By: "id"},
	{Name: accounts.SetAddress, Data: accounts.SetAddressData{}, Of: contract.AccountAggregate, By: "account"},
	{Name: accounts.SetFabricators, Data: accounts.SetFabricatorsData{}, Of: contract.AccountAggregate, By: "account"},
	{Name: accounts.CreateKey, Data: accounts.CreateKeyData{}, Of: contract.AccountAggregate, By: "account"},
	{Name: accounts.ChangeKey, Data: accounts.ChangeKeyData{}, Of: contract.AccountAggregate, By: "account"},
	{Name: accounts.RevokeKey, Data: accounts.RevokeKeyData{}, Of: contract.AccountAggregate, By: "account"},
	{Name: accounts.CreateOwnKey, Data: accounts.CreateOwnKeyData{}, Of: contract.AccountAggregate, By: "account", Senders: []string{"edge"}},
	{Name: accounts.RevokeOwnKey, Data: accounts.RevokeOwnKeyData{}, Of: contract.AccountAggregate, By: "account", Senders: []string{"edge"}},
	{Name: accounts.ChangeOwnKey, Data: accounts.ChangeOwnKeyData{}, Of: contract.AccountAggregate, By: "account", Senders: []string{"edge"}},
	{Name: accounts.SetOwnDetails, Data: accounts.SetOwnDetailsData{}, Of: contract.AccountAggregate, By: "account", Person: "email", Senders: []string{"edge"}},
	{Name: accounts.NoteEndpointAct, Data: accounts.NoteEndpointActData{}, Senders: []string{"edge"}},
	{Name: accounts.AddMember, Data: accounts.AddMemberData{}, Of: contract.AccountAggregate, By: "account", Person: "email", Senders: []string{"edge"}},
	{Name: accounts.SetRole, Data: accounts.SetRoleData{}, Of: contract.AccountAggregate, By: "account", Senders: []string{"edge"}},
	{Name: accounts.RemoveMember, Data: accounts.RemoveMemberData{}, Of: contract.AccountAggregate, By: "account", Senders: []string{"edge"}},
	{Name: accounts.EndMember, Data: accounts.EndMemberData{}, Of: contract.AccountAggregate, By: "account"},
	{Name: accounts.SendSignInCode, Data: accounts.SendSignInCodeData{}, Person: "email", Senders: []string{"edge"}},
	{Name: accounts.ReportKey, Data: accounts.ReportKeyData{}, Senders: []string{"edge"}},
	{Name: accounts.NoteElsewhere, Data: accounts.NoteElsewhereData{}, Senders: []string{"edge"}},

	{Name: audits.NoteApproval, Data: audits.NoteApprovalData{}, Senders: []string{"pricing"}},

	{Name: cases.Take, Data: cases.TakeData{}, Of: contract.CaseAggregate, By: "case", Controlled: "itar"},
	{Name: cases.AddNote, Data: cases.AddNoteData{}, Of: contract.CaseAggregate, By: "case", Controlled: "itar"},
	{Name: cases.RequestApproval, Data: cases.RequestApprovalData{}, Of: contract.CaseAggregate, By: "case", Controlled: "itar"},
	{Name: cases.Decide, Data: cases.DecideData{}, Of: contract.CaseAggregate, By: "case", Controlled: "itar"},

	{Name: webhooks.Create, Data: webhooks.CreateData{}, Of: contract.WebhookEndpointAggregate, By: "endpoint"},
	{Name: webhooks.Change, Data: webhooks.ChangeData{}, Of: contract.WebhookEndpointAggregate, By: "endpoint"},
	{Name: webhooks.Delete, Data: webhooks.Data{}, Of: contract.WebhookEndpointAggregate, By: "endpoint"},
	{Name: webhooks.Rotate, Data: webhooks.RotateData{}, Of: contract.WebhookEndpointAggregate, By: "endpoint"},
	{Name: webhooks.Test, Data: webhooks.Data{}, Of: contract.WebhookEndpointAggregate, By: "endpoint"},
	{Name: webhooks.Resend, Data: webhooks.ResendData{}, Of: contract.WebhookEndpointAggregate, By: "endpoint"},
	{Name: webhooks.Disable, Data: webhooks.DisableData{}, Of: contract.WebhookEndpointAggregate, By: "endpoint"},

	{Name: erasures.EraseCustomer, Data: erasures.EraseCustomerData{}, Of: contract.ErasureAggregate, By: "person"},
}

func kinds(aggregates ...contract.Aggregate) []contract.Aggregate { return aggregates }

var byName = func() map[contract.CommandName]Command {
	out := map[contract.CommandName]Command{}
	for _, c := range commands {
		out[c.Name] = c
	}
	return out
}()

// Commands lists every command, those about one aggregate together.
func Commands() []Command { return slices.Clone(commands) }

// Services lists the services that take commands, in alphabetical order.
func Services() []string {
	var out []string
	for _, c := range commands {
		out = append(out, c.Name.Service)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// GrantsOf lists the single commands that a program may send to services that it sends
// nothing else.
func GrantsOf(program string) []contract.CommandName {
	var out []contract.CommandName
	for _, c := range commands {
		if slices.Contains(c.Senders, program) {
			out = append(out, c.Name)
		}
	}
	return out
}

// AggregateOf gives the aggregate that a command's request is about. ok is false for
// a request whose outcome is an operation of its own, such as one that finds
// what is there.
func AggregateOf(c contract.Command) (a contract.Aggregate, id string, ok bool) {
	row := byName[c.Name]
	if row.Of == "" {
		return "", "", false
	}
	id = gjson.GetBytes(c.Data, row.By).String()
	return row.Of, id, contract.ValidToken(id)
}

// LabelsOf gives the labels of a command, from its data.
func LabelsOf(c contract.Command) contract.Labels {
	row := byName[c.Name]
	text := func(path string) string {
		if path == "" {
			return ""
		}
		return gjson.GetBytes(c.Data, path).String()
	}
	labels := contract.NewLabels(contract.PersonLabel(text(row.Person)), uploads.Label(text(row.Upload)), boards.Label(text(row.Board)))
	if row.Controlled != "" && gjson.GetBytes(c.Data, row.Controlled).Bool() {
		labels = labels.Union(contract.Labels{contract.ControlledLabel})
	}
	return labels
}

// TimerCommands lists the commands that timers of an aggregate carry; none if it
// has no timers.
func TimerCommands(a contract.Aggregate) []contract.CommandName {
	var out []contract.CommandName
	for _, c := range commands {
		if slices.Contains(c.Timers, a) {
			out = append(out, c.Name)
		}
	}
	return out
}

// CheckTimer refuses a command that timers of an aggregate do not carry.
func CheckTimer(a contract.Aggregate, c contract.CommandName) error {
	if !slices.Contains(byName[c].Timers, a) {
		return fmt.Errorf("a timer of %s does not carry %s", a, c)
	}
	return nil
}
