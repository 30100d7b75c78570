// Package scan asks a malware scanner about files as they were sent, by the INSTREAM
// command of clamd (clamd(8)), which other scanners speak as well. No Go library of it
// is kept up, and it is one command.
package scan

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"time"
)

// Scanner is a scanner at an address. A nil one finds nothing.
type Scanner struct{ network, address string }

var (
	// ErrTooLarge says that a file is larger than the scanner takes: StreamMaxLength
	// of clamd must be at least what an upload's file may have.
	ErrTooLarge = errors.New("the scanner does not take files of this size")
	errAnswer   = errors.New("the scanner's answer is not understood")
)

const (
	chunk       = 64 << 10
	longestName = 200
	scanTimeout = 2 * time.Minute
)

// Open gives the scanner at tcp://host:port or unix:///path, or nil for "".
func Open(address string) (*Scanner, error) {
	if address == "" {
		return nil, nil
	}
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, err
	case u.Scheme == "tcp" && u.Port() != "":
		return &Scanner{"tcp", u.Host}, nil
	case u.Scheme == "unix" && u.Path != "":
		return &Scanner{"unix", u.Path}, nil
	}
	return nil, fmt.Errorf("%q is no address such as tcp://scanner:3310 or unix:///run/clamd.sock", address)
}

// Scan reads r to its end and gives the name of what was found in it, or "".
func (s *Scanner) Scan(ctx context.Context, r io.Reader) (found string, err error) {
	if s == nil {
		return "", nil
	}
	ctx, cancel := context.WithTimeout(ctx, scanTimeout)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, s.network, s.address)
	if err != nil {
		return "", fmt.Errorf("scanner: %w", err)
	}
	defer conn.Close() //nolint:errcheck // the answer was read
	defer context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })()
	sent := send(conn, r)
	// A scanner that has heard enough answers and hangs up: its answer counts.
	answer, err := bufio.NewReader(io.LimitReader(conn, 4096)).ReadString(0)
	if sent != nil && err != nil {
		return "", fmt.Errorf("scanner: %w", sent)
	}
	if err != nil {
		return "", fmt.Errorf("scanner: %w", err)
	}
	return read(strings.TrimSuffix(answer, "\x00"))
}

// send sends the command, the file in chunks after their lengths, and a length of 0.
func send(conn io.Writer, r io.Reader) error {
	if _, err := io.WriteString(conn, "zINSTREAM\x00"); err != nil {
		return err
	}
	buf := make([]byte, 4+chunk)
	for {
		n, err := io.ReadFull(r, buf[4:])
		if n > 0 {
			binary.BigEndian.PutUint32(buf, uint32(n))
			if _, err := conn.Write(buf[:4+n]); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			_, err := conn.Write([]byte{0, 0, 0, 0})
			return err
		case err != nil:
			return err
		}
	}
}

// read reads "stream: OK", "stream: NAME FOUND" and "... ERROR".
func read(answer string) (found string, err error) {
	words, ok := strings.CutPrefix(answer, "stream: ")
	name, infected := strings.CutSuffix(words, " FOUND")
	switch {
	case strings.Contains(answer, "size limit exceeded"):
		return "", ErrTooLarge
	case ok && words == "OK":
		return "", nil
	case ok && infected && name != "":
		return name[:min(len(name), longestName)], nil
	}
	return "", fmt.Errorf("%w: %.200q", errAnswer, answer)
}
