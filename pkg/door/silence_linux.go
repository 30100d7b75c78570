package door

import (
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// silence is how long a client may leave what it was sent without acknowledgement: as long as a reply
// may take. One whose power or network is gone says nothing, and would hold its place for a quarter of
// an hour by the system's own count.
const silence = time.Minute

// limitSilence has the system close a connection whose client acknowledges nothing. One that cannot be
// set so goes by the system's own count.
func limitSilence(c net.Conn) {
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		return
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(silence.Milliseconds()))
	})
}
