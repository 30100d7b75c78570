package processes

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
)

// Ports from which no system that we know picks the near end of a connection:
// a program that was ended finds its port free when it is started again.
const (
	lowestPort  = 20000
	highestPort = 32000
)

// Addresses finds addresses of this machine where nobody listens, for programs
// that must come back at the same ones.
func Addresses(n int) ([]string, error) {
	var out []string
	var held []net.Listener
	defer func() {
		for _, l := range held {
			l.Close()
		}
	}()
	for tries := 0; len(out) < n; tries++ {
		if tries > 100*n {
			return nil, fmt.Errorf("no %d free ports from %d to %d", n, lowestPort, highestPort)
		}
		addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(lowestPort+rand.N(highestPort-lowestPort)))
		if l, err := net.Listen("tcp", addr); err == nil {
			out, held = append(out, addr), append(held, l)
		}
	}
	return out, nil
}
