package asyncapi

import "boardorder/pkg/contract"

// kind is an aggregate's state and the events that it has, beside those that any may have.
type kind struct {
	state  any
	events []contract.EventName
}

// anyEvents are those that every aggregate may have.
var anyEvents = []contract.EventName{contract.RequestRefused, contract.RequestCompleted, contract.Erased}

var kinds = map[contract.Aggregate]kind{
	contract.AccountAggregate:      {contract.Account{}, []contract.EventName{contract.AccountOpened, contract.AddressSet, contract.KeyCreated, contract.KeyChanged, contract.KeyRevoked}},
	contract.AssemblyAggregate:     {contract.Assembly{}, []contract.EventName{contract.AssemblyStarted, contract.AssemblyPlanned, contract.AssemblyProgressed, contract.AssemblyRefused, contract.AssemblyMade}},
	contract.AuditAggregate:        {contract.AuditEntry{}, []contract.EventName{contract.AuditRecorded}},
	contract.BuyLinkAggregate:      {contract.BuyLink{}, []contract.EventName{contract.BuyLinkCreated, contract.BuyLinkClosed}},
	contract.CaseAggregate:         {contract.Case{}, []contract.EventName{contract.CaseTaken, contract.CaseReleased, contract.ApprovalAsked, contract.ApprovalGranted, contract.ApprovalDeclined}},
	contract.BoardAggregate:        {contract.ReadFiles{}, []contract.EventName{contract.BoardRead, contract.BoardDrawn, contract.BoardNeeded, contract.BoardChecked, contract.BoardForgotten}},
	contract.CentralAggregate:      {contract.CentralOrder{}, []contract.EventName{contract.CentralSubmitted, contract.CentralInReview, contract.CentralQuoted, contract.CentralAccepted, contract.CentralInProduction, contract.CentralShipped, contract.CentralDelivered, contract.CentralCancelled, contract.CentralUpdated, contract.CentralReviewed, contract.CentralChecked, contract.CentralFilesDropped}},
	contract.CheckoutAggregate:     {contract.Checkout{}, []contract.EventName{contract.CheckoutBegun, contract.CheckoutOpened, contract.CheckoutPaid, contract.CheckoutClosed, contract.CheckoutDoubled, contract.CheckoutPending}},
	contract.ConfirmationAggregate: {contract.Confirmation{}, []contract.EventName{contract.CodeRequested, contract.CodeTried, contract.CodeVerified, contract.CodeUsed}},
	contract.CustomerAggregate:     {contract.Customer{}, []contract.EventName{contract.CustomerOpened, contract.CustomerSaved}},
	contract.DesignCheckAggregate:  {contract.DesignCheck{}, []contract.EventName{contract.CheckStarted, contract.CheckProgressed, contract.CheckRefused, contract.CheckMade, contract.CheckForgotten}},
	contract.ErasureAggregate:      {contract.Erasure{}, []contract.EventName{contract.ErasureRequested, contract.ErasurePassed}},
	contract.PartCheckAggregate:    {contract.PartCheck{}, []contract.EventName{contract.PartCheckStarted, contract.PartCheckProgressed, contract.PartCheckRefused, contract.PartCheckMade}},
	contract.OperationAggregate:    {contract.Operation{}, []contract.EventName{contract.OperationRefused, contract.OperationCompleted}},
	contract.InvoiceBookAggregate:  {contract.InvoiceBook{}, []contract.EventName{contract.InvoiceNumbered, contract.InvoiceFiled}},
	contract.OrderAggregate:        {contract.Order{}, []contract.EventName{contract.OrderPaid, contract.OrderScreened, contract.OrderPlacing, contract.OrderPlaced, contract.OrderHeld, contract.OrderInProduction, contract.OrderProgressed, contract.OrderShipped, contract.OrderRefundBegun, contract.OrderRefunded, contract.OrderRefundFailed, contract.OrderCancelled, contract.OrderDisputed, contract.OrderInvoiced}},
	contract.QuoteAggregate:        {contract.Quote{}, []contract.EventName{contract.QuotePriced, contract.QuoteReviewNeeded, contract.QuoteReviewRequested, contract.QuoteReviewPriced, contract.QuotePartPicked, contract.QuoteDeliveryChosen, contract.QuoteReviewQuestion, contract.QuoteReviewAnswered, contract.QuoteReviewRefused}},
	contract.QuoteRequestAggregate: {contract.QuoteWait{}, []contract.EventName{contract.QuoteRequestWaiting}},
	contract.UploadAggregate:       {contract.Upload{}, []contract.EventName{contract.UploadCreated, contract.FilesAdded, contract.UploadExpiredEvent, contract.ITARDeclared, contract.UploadDoubted}},
}

// commands are what each command asks for.
var commands = map[contract.CommandName]any{
	contract.OpenAccount:     contract.OpenAccountData{},
	contract.SetAddress:      contract.SetAddressData{},
	contract.CreateKey:       contract.CreateKeyData{},
	contract.ChangeKey:       contract.ChangeKeyData{},
	contract.RevokeKey:       contract.RevokeKeyData{},
	contract.ReadBoard:       contract.ReadBoardData{},
	contract.ForgetBoard:     contract.ForgetBoardData{},
	contract.DeleteBlobs:     contract.DeleteBlobsData{},
	contract.CheckDesign:     contract.CheckDesignData{},
	contract.MeasureDesign:   contract.MeasureDesignData{},
	contract.DrawLayers:      contract.DrawLayersData{},
	contract.BeginCheckout:   contract.BeginCheckoutData{},
	contract.CardEvent:       contract.CardEventData{},
	contract.SettlePayment:   contract.SettlePaymentData{},
	contract.SendCode:        contract.SendCodeData{},
	contract.VerifyCode:      contract.VerifyCodeData{},
	contract.PaySaved:        contract.PaySavedData{},
	contract.PlaceOrder:      contract.OrderData{},
	contract.FollowOrder:     contract.OrderData{},
	contract.Reconcile:       contract.ReconcileData{},
	contract.Sweep:           contract.SweepData{},
	contract.RefundOrder:     contract.RefundOrderData{},
	contract.CancelOrder:     contract.CancelOrderData{},
	contract.CreateBuyLink:   contract.CreateBuyLinkData{},
	contract.CloseBuyLink:    contract.BuyLinkData{},
	contract.KeepBuyLink:     contract.BuyLinkData{},
	contract.IssueInvoices:   contract.OrderData{},
	contract.SettleMoney:     contract.SettleMoneyData{},
	contract.ReportOrder:     contract.ReportOrderData{},
	contract.SendLetter:      contract.SendLetterData{},
	contract.PriceQuote:      contract.PriceQuoteData{},
	contract.ChooseDelivery:  contract.ChooseDeliveryData{},
	contract.RequestReview:   contract.RequestReviewData{},
	contract.PriceReview:     contract.PriceReviewData{},
	contract.PickPart:        contract.PickPartData{},
	contract.AskCustomer:     contract.AskCustomerData{},
	contract.AnswerReview:    contract.AnswerReviewData{},
	contract.RefuseReview:    contract.RefuseReviewData{},
	contract.CreateUpload:    contract.UploadData{},
	contract.AddFiles:        contract.AddFilesData{},
	contract.ExpireUpload:    contract.UploadData{},
	contract.DeclareITAR:     contract.UploadData{},
	contract.TakeCase:        contract.TakeCaseData{},
	contract.AskApproval:     contract.AskApprovalData{},
	contract.DecideRequest:   contract.DecideRequestData{},
	contract.EraseCustomer:   contract.EraseCustomerData{},
	contract.EraseQuotes:     contract.EraseData{},
	contract.EraseOrders:     contract.EraseData{},
	contract.SubmitCentral:   contract.SubmitCentralData{},
	contract.QuoteCentral:    contract.QuoteCentralData{},
	contract.AcceptCentral:   contract.AcceptCentralData{},
	contract.MoveCentral:     contract.MoveCentralData{},
	contract.ReviewCentral:   contract.ReviewCentralData{},
	contract.CheckCentral:    contract.CentralOrderData{},
	contract.CloseCentral:    contract.CentralOrderData{},
	contract.EraseCentral:    contract.EraseData{},
	contract.HoldEqual:       contract.HoldEqualData{},
	contract.DoubtEqual:      contract.HoldEqualData{},
	contract.CheckParts:      contract.CheckPartsData{},
	contract.AssembleBoard:   contract.AssembleData{},
	contract.EraseAssemblies: contract.EraseData{},
}
