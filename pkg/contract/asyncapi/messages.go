package asyncapi

import (
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/equals"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/letters"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
)

// kind is an aggregate's state and the events that it has, beside those that any may have.
type kind struct {
	state  any
	events []contract.EventName
}

// anyEvents are those that every aggregate may have.
var anyEvents = []contract.EventName{contract.RequestRefused, contract.RequestCompleted, contract.Erased}

var kinds = map[contract.Aggregate]kind{
	contract.AccountAggregate:      {accounts.Account{}, []contract.EventName{accounts.EventOpened, accounts.EventAddressSet, accounts.EventKeyCreated, accounts.EventKeyChanged, accounts.EventKeyRevoked}},
	contract.AssemblyAggregate:     {assemblies.Assembly{}, []contract.EventName{assemblies.EventStarted, assemblies.EventPlanned, assemblies.EventProgressed, assemblies.EventRefused, assemblies.EventSourced}},
	contract.AuditAggregate:        {audits.Entry{}, []contract.EventName{audits.EventRecorded}},
	contract.BuyLinkAggregate:      {buylinks.BuyLink{}, []contract.EventName{buylinks.EventCreated, buylinks.EventClosed}},
	contract.CaseAggregate:         {cases.Case{}, []contract.EventName{cases.EventTaken, cases.EventReleased, cases.EventApprovalAsked, cases.EventApprovalGranted, cases.EventApprovalDeclined}},
	contract.BoardAggregate:        {boards.ReadFiles{}, []contract.EventName{boards.EventRead, boards.EventCompleted, boards.EventIncomplete, boards.EventDrawn, boards.EventNeeded, boards.EventChecked, boards.EventAnswered, boards.EventForgotten}},
	contract.CentralAggregate:      {formal.Order{}, []contract.EventName{formal.EventSubmitted, formal.EventInReview, formal.EventQuoted, formal.EventAccepted, formal.EventInProduction, formal.EventShipped, formal.EventDelivered, formal.EventCancelled, formal.EventUpdated, formal.EventReviewed, formal.EventChecked, formal.EventFilesDropped}},
	contract.CheckoutAggregate:     {checkouts.Checkout{}, []contract.EventName{checkouts.EventBegun, checkouts.EventOpened, checkouts.EventPaid, checkouts.EventClosed, checkouts.EventDoubled, checkouts.EventPending}},
	contract.ConfirmationAggregate: {confirmations.Confirmation{}, []contract.EventName{confirmations.EventRequested, confirmations.EventTried, confirmations.EventVerified, confirmations.EventUsed}},
	contract.CustomerAggregate:     {customers.Customer{}, []contract.EventName{customers.EventOpened, customers.EventSaved}},
	contract.DesignCheckAggregate:  {designchecks.DesignCheck{}, []contract.EventName{designchecks.EventStarted, designchecks.EventProgressed, designchecks.EventRefused, designchecks.EventChecked, designchecks.EventForgotten}},
	contract.ErasureAggregate:      {erasures.Erasure{}, []contract.EventName{erasures.EventRequested, erasures.EventPassed}},
	contract.PartCheckAggregate:    {partchecks.PartCheck{}, []contract.EventName{partchecks.EventStarted, partchecks.EventProgressed, partchecks.EventRefused, partchecks.EventChecked}},
	contract.OperationAggregate:    {contract.Operation{}, []contract.EventName{contract.OperationRefused, contract.OperationCompleted}},
	contract.InvoiceBookAggregate:  {invoices.Book{}, []contract.EventName{invoices.EventNumbered, invoices.EventFiled}},
	contract.OrderAggregate:        {orders.Order{}, []contract.EventName{orders.EventPaid, orders.EventScreened, orders.EventPlacing, orders.EventPlaced, orders.EventHeld, orders.EventInProduction, orders.EventProgressed, orders.EventShipped, orders.EventRefundBegun, orders.EventRefunded, orders.EventRefundFailed, orders.EventCancelled, orders.EventDisputed, orders.EventInvoiced}},
	contract.QuoteAggregate:        {quotes.Quote{}, []contract.EventName{quotes.EventPriced, quotes.EventReviewNeeded, quotes.EventReviewRequested, quotes.EventReviewPriced, quotes.EventPartPicked, quotes.EventDeliveryChosen, quotes.EventReviewQuestion, quotes.EventReviewAnswered, quotes.EventReviewRefused}},
	contract.QuoteRequestAggregate: {quotes.Wait{}, []contract.EventName{quotes.EventWaiting}},
	contract.UploadAggregate:       {uploads.Upload{}, []contract.EventName{uploads.EventCreated, uploads.EventFilesAdded, uploads.EventExpired, uploads.EventITARDeclared, uploads.EventDoubted, uploads.EventClosedTo}},
}

// commands are what each command asks for.
var commands = map[contract.CommandName]any{
	accounts.Open:            accounts.OpenData{},
	accounts.SetAddress:      accounts.SetAddressData{},
	accounts.CreateKey:       accounts.CreateKeyData{},
	accounts.ChangeKey:       accounts.ChangeKeyData{},
	accounts.RevokeKey:       accounts.RevokeKeyData{},
	accounts.ReportKey:       accounts.ReportKeyData{},
	boards.Read:              boards.ReadData{},
	boards.Complete:          boards.CompleteData{},
	boards.Forget:            boards.ForgetData{},
	boards.DeleteBlobs:       boards.DeleteBlobsData{},
	designchecks.Check:       contract.CheckDesignData{},
	designchecks.Measure:     designchecks.MeasureData{},
	boards.DrawLayers:        boards.DrawLayersData{},
	checkouts.Begin:          checkouts.BeginData{},
	checkouts.CardEvent:      checkouts.CardEventData{},
	checkouts.Settle:         checkouts.SettleData{},
	confirmations.SendCode:   confirmations.SendCodeData{},
	confirmations.VerifyCode: confirmations.VerifyCodeData{},
	checkouts.PaySaved:       checkouts.PaySavedData{},
	orders.Place:             orders.Data{},
	orders.Follow:            orders.Data{},
	checkouts.Reconcile:      checkouts.ReconcileData{},
	orders.Sweep:             orders.SweepData{},
	orders.IssueRefund:       orders.IssueRefundData{},
	orders.Cancel:            orders.CancelData{},
	buylinks.Create:          buylinks.CreateData{},
	buylinks.Close:           buylinks.Data{},
	buylinks.Keep:            buylinks.Data{},
	invoices.Issue:           orders.Data{},
	orders.SettleMoney:       orders.SettleMoneyData{},
	orders.ReportStatus:      orders.ReportStatusData{},
	letters.Send:             letters.SendData{},
	quotes.Price:             quotes.PriceData{},
	quotes.ChooseDelivery:    quotes.ChooseDeliveryData{},
	quotes.RequestReview:     quotes.RequestReviewData{},
	quotes.PriceReview:       quotes.PriceReviewData{},
	quotes.PickPart:          quotes.PickPartData{},
	quotes.AskCustomer:       quotes.AskCustomerData{},
	quotes.AnswerReview:      quotes.AnswerReviewData{},
	quotes.RefuseReview:      quotes.RefuseReviewData{},
	uploads.Create:           uploads.Data{},
	uploads.AddFiles:         uploads.AddFilesData{},
	uploads.Expire:           uploads.Data{},
	uploads.DeclareITAR:      uploads.Data{},
	cases.Take:               cases.TakeData{},
	cases.AskApproval:        cases.AskApprovalData{},
	cases.Decide:             cases.DecideData{},
	erasures.EraseCustomer:   erasures.EraseCustomerData{},
	quotes.Erase:             erasures.Data{},
	orders.Erase:             erasures.Data{},
	formal.Submit:            formal.SubmitData{},
	formal.IssueQuote:        formal.IssueQuoteData{},
	formal.AcceptQuote:       formal.AcceptQuoteData{},
	formal.Move:              formal.MoveData{},
	formal.RecordReview:      formal.RecordReviewData{},
	formal.CheckDesign:       formal.Data{},
	formal.DropFiles:         formal.Data{},
	formal.Erase:             erasures.Data{},
	orders.HoldEqual:         equals.HoldData{},
	uploads.DoubtEqual:       equals.HoldData{},
	partchecks.Check:         partchecks.CheckData{},
	assemblies.Assemble:      assemblies.AssembleData{},
	assemblies.Erase:         erasures.Data{},
}
