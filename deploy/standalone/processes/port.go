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

// Address finds an address of this machine where nobody listens, for a program
// that must come back at the same one.
func Address() (string, error) {
	for range 200 {
		addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(lowestPort+rand.N(highestPort-lowestPort)))
		if l, err := net.Listen("tcp", addr); err == nil {
			return addr, l.Close()
		}
	}
	return "", fmt.Errorf("no free port from %d to %d", lowestPort, highestPort)
}

// Addresses finds n different ones.
func Addresses(n int) ([]string, error) {
	var out []string
	var held []net.Listener
	defer func() {
		for _, l := range held {
			l.Close()
		}
	}()
	for range n {
		addr, err := Address()
		if err != nil {
			return nil, err
		}
		l, err := net.Listen("tcp", addr)
		if err != nil {
			return nil, fmt.Errorf("hold %s: %w", addr, err)
		}
		out, held = append(out, addr), append(held, l)
	}
	return out, nil
}
