package feed

import (
	"bufio"
	"context"
	"net"

	"boardorder/pkg/contract/feed"
)

// SendForTest streams an owner's events over a connection, until check fails.
func (f *Feed) SendForTest(ctx context.Context, owner string, conn net.Conn, check func(context.Context) error) {
	s := &stream{owner: owner, want: func(feed.Type) bool { return true }, check: check, waiter: f.Waiters.Join(subjectOf(owner))}
	defer s.waiter.Leave()
	f.send(ctx, &writer{bufio.NewWriter(conn), conn}, s)
}
