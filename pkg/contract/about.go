package contract

import "github.com/tidwall/gjson"

// about says, for each command that answers a request, which aggregate the
// request is about and which member of its data names it. The request's outcome,
// granted or refused, is an event of that aggregate.
var about = map[CommandName]struct {
	of   Aggregate
	name string
}{
	CreateUpload:   {UploadAggregate, "ref"},
	AddFiles:       {UploadAggregate, "ref"},
	DeclareITAR:    {UploadAggregate, "ref"},
	PriceQuote:     {QuoteAggregate, "quote"},
	ChooseDelivery: {QuoteAggregate, "quote"},
	RequestReview:  {QuoteAggregate, "quote"},
	PriceReview:    {QuoteAggregate, "quote"},
	PickPart:       {QuoteAggregate, "quote"},
	AskCustomer:    {QuoteAggregate, "quote"},
	AnswerReview:   {QuoteAggregate, "quote"},
	RefuseReview:   {QuoteAggregate, "quote"},
	BeginCheckout:  {CheckoutAggregate, "quote"},
	SettlePayment:  {CheckoutAggregate, "quote"},
	PaySaved:       {CheckoutAggregate, "quote"},
	CreateBuyLink:  {BuyLinkAggregate, "link"},
	CloseBuyLink:   {BuyLinkAggregate, "link"},
	SendCode:       {ConfirmationAggregate, "confirmation"},
	VerifyCode:     {ConfirmationAggregate, "confirmation"},
	ReportOrder:    {OrderAggregate, "quote"},
	RefundOrder:    {OrderAggregate, "quote"},
	CancelOrder:    {OrderAggregate, "quote"},
	DrawLayers:     {BoardAggregate, "digest"},
	OpenAccount:    {AccountAggregate, "id"},
	SetAddress:     {AccountAggregate, "account"},
	CreateKey:      {AccountAggregate, "account"},
	ChangeKey:      {AccountAggregate, "account"},
	RevokeKey:      {AccountAggregate, "account"},
	TakeCase:       {CaseAggregate, "case"},
	AskApproval:    {CaseAggregate, "case"},
	DecideRequest:  {CaseAggregate, "case"},
	SubmitCentral:  {CentralAggregate, "order"},
	QuoteCentral:   {CentralAggregate, "order"},
	AcceptCentral:  {CentralAggregate, "order"},
	MoveCentral:    {CentralAggregate, "order"},
	ReviewCentral:  {CentralAggregate, "order"},
	EraseCustomer:  {ErasureAggregate, "person"},
}

// AggregateOf gives the aggregate that a command's request is about. ok is false for
// a request whose outcome is an operation of its own, such as one that finds
// what is there.
func AggregateOf(c Command) (a Aggregate, id string, ok bool) {
	s, ok := about[c.Name]
	if !ok {
		return "", "", false
	}
	id = gjson.GetBytes(c.Data, s.name).String()
	return s.of, id, ValidToken(id)
}
