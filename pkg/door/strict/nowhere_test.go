package strict_test

import (
	"net"
	"time"
)

// nowhere is the part of a connection that the tests have no use for.
type nowhere struct{ net.Conn }

func (nowhere) SetWriteDeadline(time.Time) error { return nil }
