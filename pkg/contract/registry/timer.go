package registry

import (
	"fmt"
	"slices"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
)

// timers are the commands that timers of an aggregate carry. What falls due is sent
// by the projector, which may send every command: so a timer reaches the service of
// its aggregate and no other, and of that what is meant to happen later.
var timers = map[contract.Aggregate][]contract.CommandName{
	contract.UploadAggregate:   {uploads.Expire, uploads.DeclareITAR},
	contract.BoardAggregate:    {boards.Forget, boards.DeleteBlobs},
	contract.AssemblyAggregate: {assemblies.Erase},
	contract.CentralAggregate:  {formal.DropFiles, formal.Erase, formal.IssueQuote, formal.Move},
	contract.QuoteAggregate:    {quotes.PriceReview, quotes.Erase},
	contract.BuyLinkAggregate:  {buylinks.Keep},
	contract.CheckoutAggregate: {checkouts.Settle, orders.Sweep, orders.Erase},
	contract.OrderAggregate:    {orders.Place, orders.Follow, orders.SettleMoney, orders.Sweep},
}

// TimerCommands lists the commands that timers of an aggregate carry; none if it
// has no timers.
func TimerCommands(a contract.Aggregate) []contract.CommandName { return slices.Clone(timers[a]) }

// CheckTimer refuses a command that timers of an aggregate do not carry.
func CheckTimer(a contract.Aggregate, c contract.CommandName) error {
	if !slices.Contains(timers[a], c) {
		return fmt.Errorf("a timer of %s does not carry %s", a, c)
	}
	return nil
}
