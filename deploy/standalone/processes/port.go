package processes

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
)

// Ports from which no system that we know picks the near end of a connection:
// a program that was ended finds its port free when it is started again.
const (
	lowestPort  = 20000
	highestPort = 32000
)

// reservations are the ports that this process gave away, as sockets of UDP, whose
// ports are apart from those of TCP: no other process gets one of them meanwhile,
// though nobody listens there while a program is started anew.
var (
	reserving    sync.Mutex
	reservations []net.PacketConn
)

// Addresses finds addresses of this machine where nobody listens, for programs
// that must come back at the same ones. They are this process's until it ends.
func Addresses(n int) ([]string, error) {
	reserving.Lock()
	defer reserving.Unlock()
	var out []string
	for tries := 0; len(out) < n; tries++ {
		if tries > 100*n {
			return nil, fmt.Errorf("no %d free ports from %d to %d", n, lowestPort, highestPort)
		}
		addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(lowestPort+rand.N(highestPort-lowestPort)))
		if reserve(addr) {
			out = append(out, addr)
		}
	}
	return out, nil
}

// reserve takes an address where nobody listens and that nobody else has taken.
func reserve(addr string) bool {
	socket, err := net.ListenPacket("udp", addr)
	if err != nil {
		return false
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		socket.Close()
		return false
	}
	l.Close()
	reservations = append(reservations, socket)
	return true
}
