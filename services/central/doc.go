// Package central keeps formal orders: what a customer sent, the quotes that the
// team issues for it, the acceptance of one, and what became of it.
//
// An order is known by its account and its request_id, so it is made once however
// often it is sent. An acceptance is decided on the order's own stream, guarded by
// its last sequence: a quote that is issued at the same moment is either before it,
// and then nothing is accepted, or after it, and then it is refused.
package central
