package registry

import (
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"

	"github.com/tidwall/gjson"
)

// about says, for each command that answers a request, which aggregate the
// request is about and which member of its data names it. The request's outcome,
// granted or refused, is an event of that aggregate.
var about = map[contract.CommandName]struct {
	of   contract.Aggregate
	name string
}{
	uploads.Create:           {contract.UploadAggregate, "ref"},
	uploads.AddFiles:         {contract.UploadAggregate, "ref"},
	uploads.DeclareITAR:      {contract.UploadAggregate, "ref"},
	quotes.Price:             {contract.QuoteAggregate, "quote"},
	quotes.ChooseDelivery:    {contract.QuoteAggregate, "quote"},
	quotes.RequestReview:     {contract.QuoteAggregate, "quote"},
	quotes.PriceReview:       {contract.QuoteAggregate, "quote"},
	quotes.PickPart:          {contract.QuoteAggregate, "quote"},
	quotes.AskCustomer:       {contract.QuoteAggregate, "quote"},
	quotes.AnswerReview:      {contract.QuoteAggregate, "quote"},
	quotes.RefuseReview:      {contract.QuoteAggregate, "quote"},
	checkouts.Begin:          {contract.CheckoutAggregate, "quote"},
	checkouts.Settle:         {contract.CheckoutAggregate, "quote"},
	checkouts.PaySaved:       {contract.CheckoutAggregate, "quote"},
	buylinks.Create:          {contract.BuyLinkAggregate, "link"},
	buylinks.Close:           {contract.BuyLinkAggregate, "link"},
	confirmations.SendCode:   {contract.ConfirmationAggregate, "confirmation"},
	confirmations.VerifyCode: {contract.ConfirmationAggregate, "confirmation"},
	orders.ReportStatus:      {contract.OrderAggregate, "quote"},
	orders.IssueRefund:       {contract.OrderAggregate, "quote"},
	orders.Cancel:            {contract.OrderAggregate, "quote"},
	boards.DrawLayers:        {contract.BoardAggregate, "digest"},
	accounts.Open:            {contract.AccountAggregate, "id"},
	accounts.SetAddress:      {contract.AccountAggregate, "account"},
	accounts.CreateKey:       {contract.AccountAggregate, "account"},
	accounts.ChangeKey:       {contract.AccountAggregate, "account"},
	accounts.RevokeKey:       {contract.AccountAggregate, "account"},
	cases.Take:               {contract.CaseAggregate, "case"},
	cases.AskApproval:        {contract.CaseAggregate, "case"},
	cases.Decide:             {contract.CaseAggregate, "case"},
	formal.Submit:            {contract.CentralAggregate, "order"},
	formal.IssueQuote:        {contract.CentralAggregate, "order"},
	formal.AcceptQuote:       {contract.CentralAggregate, "order"},
	formal.Move:              {contract.CentralAggregate, "order"},
	formal.RecordReview:      {contract.CentralAggregate, "order"},
	erasures.EraseCustomer:   {contract.ErasureAggregate, "person"},
}

// AggregateOf gives the aggregate that a command's request is about. ok is false for
// a request whose outcome is an operation of its own, such as one that finds
// what is there.
func AggregateOf(c contract.Command) (a contract.Aggregate, id string, ok bool) {
	s, ok := about[c.Name]
	if !ok {
		return "", "", false
	}
	id = gjson.GetBytes(c.Data, s.name).String()
	return s.of, id, contract.ValidToken(id)
}
