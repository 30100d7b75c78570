package contract

import (
	"fmt"
	"slices"
)

// timers are the commands that timers of an aggregate carry. What falls due is sent
// by the projector, which may send every command: so a timer reaches the service of
// its aggregate and no other, and of that what is meant to happen later.
var timers = map[Aggregate][]CommandName{
	UploadAggregate:   {ExpireUpload, DeclareITAR},
	BoardAggregate:    {ForgetBoard, DeleteBlobs},
	AssemblyAggregate: {EraseAssemblies},
	CentralAggregate:  {CloseCentral, EraseCentral, QuoteCentral, MoveCentral},
	QuoteAggregate:    {PriceReview, EraseQuotes},
	BuyLinkAggregate:  {KeepBuyLink},
	CheckoutAggregate: {SettlePayment, Sweep, EraseOrders},
	OrderAggregate:    {PlaceOrder, FollowOrder, SettleMoney, Sweep},
}

// TimerCommands lists the commands that timers of an aggregate carry; none if it
// has no timers.
func TimerCommands(a Aggregate) []CommandName { return slices.Clone(timers[a]) }

// CheckTimer refuses a command that timers of an aggregate do not carry.
func CheckTimer(a Aggregate, c CommandName) error {
	if !slices.Contains(timers[a], c) {
		return fmt.Errorf("a timer of %s does not carry %s", a, c)
	}
	return nil
}
