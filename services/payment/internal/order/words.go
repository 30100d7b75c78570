package order

import (
	"fmt"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/fabricator"
)

// plain makes words from outside fit for one line of ours.
func plain(s string) string { return untrusted.CutBytes(untrusted.CleanLine(s), 300) }

func cleanReason(why string) string {
	if why = plain(why); why != "" {
		return why
	}
	return "it does not say why"
}

// ReasonGone says to the team that the order's fabricator cannot be asked, since the
// configuration has it no more.
func ReasonGone(o orders.Order) string {
	return fmt.Sprintf("its fabricator, %q, is no longer configured, and nobody else may build it at its price: configure it again, or report by hand how the order comes along",
		o.Fabricator.Name)
}

// HoldReason says to the team what the fabricator's error means for an order that was
// not taken; empty for an error after which it may be asked again.
func HoldReason(err error) string {
	switch fabricator.KindOf(err) {
	case fabricator.Refused:
		return "the fabricator refuses it: " + plain(err.Error())
	case fabricator.Review:
		return "the fabricator wants to price it by hand: " + plain(err.Error())
	case fabricator.Files:
		return "the fabricator cannot use the files: " + plain(err.Error())
	case fabricator.Shipment:
		return "the fabricator cannot ship it like this: " + plain(err.Error())
	case fabricator.PriceMoved:
		return "the fabricator's price has risen: " + plain(err.Error())
	}
	return ""
}
