// Package orders is the contract of orders: paid quotes, from the payment to the parcel, with
// refunds and disputes. It knows quotes and checkouts, so the rules over all three stand here.
package orders
