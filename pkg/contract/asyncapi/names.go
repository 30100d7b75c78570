package asyncapi

import "reflect"

// schemaNames are the names of schemas whose Go types are called otherwise in their
// packages. Readers make code of the document, so a schema keeps its name when its type
// gets another.
var schemaNames = map[string]string{
	"accounts.OpenData":        "OpenAccountData",
	"assemblies.Choices":       "PartChoices",
	"assemblies.Fit":           "PartFit",
	"assemblies.Part":          "AssemblyPart",
	"assemblies.Plan":          "AssemblyPlan",
	"assemblies.Price":         "AssemblyPrice",
	"audits.Entry":             "AuditEntry",
	"boards.Board":             "BoardFile",
	"boards.CompleteData":      "CompleteBoardData",
	"boards.ForgetData":        "ForgetBoardData",
	"boards.ReadData":          "ReadBoardData",
	"buylinks.CreateData":      "CreateBuyLinkData",
	"buylinks.Data":            "BuyLinkData",
	"cases.DecideData":         "DecideRequestData",
	"cases.TakeData":           "TakeCaseData",
	"checkouts.BeginData":      "BeginCheckoutData",
	"checkouts.SettleData":     "SettlePaymentData",
	"designchecks.Finding":     "CheckFinding",
	"designchecks.MeasureData": "MeasureDesignData",
	"designchecks.Place":       "CheckPlace",
	"duplicates.HoldData":      "HoldDuplicateData",
	"erasures.Data":            "EraseData",
	"erasures.Request":         "ErasureRequest",
	"formal.AcceptQuoteData":   "AcceptCentralData",
	"formal.Acceptance":        "CentralAcceptance",
	"formal.Check":             "CentralCheck",
	"formal.Data":              "CentralOrderData",
	"formal.Dates":             "CentralDates",
	"formal.File":              "CentralFile",
	"formal.Finding":           "CentralFinding",
	"formal.IssueQuoteData":    "QuoteCentralData",
	"formal.Moment":            "CentralMoment",
	"formal.MoveData":          "MoveCentralData",
	"formal.Option":            "CentralOption",
	"formal.Order":             "CentralOrder",
	"formal.Quote":             "CentralQuote",
	"formal.RecordReviewData":  "ReviewCentralData",
	"formal.Review":            "CentralReview",
	"formal.Services":          "CentralServices",
	"formal.SubmitData":        "SubmitCentralData",
	"invoices.Book":            "InvoiceBook",
	"emails.SendData":          "SendEmailData",
	"orders.CancelData":        "CancelOrderData",
	"orders.Data":              "OrderData",
	"orders.Dispute":           "OrderDispute",
	"orders.IssueRefundData":   "RefundOrderData",
	"orders.Refund":            "OrderRefund",
	"orders.Report":            "OrderReport",
	"orders.ReportStatusData":  "ReportOrderData",
	"partchecks.CheckData":     "CheckPartsData",
	"partchecks.Found":         "PartFound",
	"partchecks.InStock":       "PartInStock",
	"partchecks.Line":          "PartLine",
	"partchecks.Property":      "PartProperty",
	"partchecks.Report":        "PartReport",
	"partchecks.Summary":       "PartSummary",
	"prices.LeftOut":           "LeftOutOfPrice",
	"quotes.PriceData":         "PriceQuoteData",
	"quotes.Reply":             "QuoteReply",
	"quotes.Request":           "QuoteRequest",
	"quotes.Wait":              "QuoteWait",
	"uploads.Data":             "UploadData",
	"uploads.File":             "UploadFile",
}

// nameOf is what the schema of a named type is called.
func nameOf(t reflect.Type) string {
	if name, ok := schemaNames[t.String()]; ok {
		return name
	}
	return t.Name()
}
