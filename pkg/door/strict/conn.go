package strict

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// Conn is a connection whose reader gets whole heads only, each of which
// ReadHead has let pass, and never bytes of two messages at once.
type Conn struct {
	net.Conn
	// Reply gives the answer to a message that is not passed on. It is written,
	// and the connection then reads as ended.
	Reply func(*Refusal) []byte
	// Head is told that a head came that is passed on; may be nil.
	Head func()

	ahead  ahead // read beyond the present message
	body   Head  // of the present message
	left   int64 // of a body of known length
	chunks chunks
	phase  phase
	failed error
}

type phase int

const (
	atHead  phase = iota
	inSized       // to be passed on as chunks
	inChunks
	atLastChunk
)

// Body is what the present message's head said: its length, and whether the
// client still waits for 100.
func (c *Conn) Body() Head { return c.body }

func (c *Conn) Read(p []byte) (int, error) {
	if c.failed != nil {
		return 0, c.failed
	}
	var n int
	var err error
	switch c.phase {
	case atHead:
		n, err = c.readHead(p)
	case inChunks:
		n, err = c.readChunks(p)
	default:
		n, err = c.readSized(p)
	}
	if refusal, ok := err.(*Refusal); ok { //nolint:errorlint // made here, never wrapped
		c.failed = refusal
	}
	return n, err
}

// readHead reads until a head is complete, and passes it on with what came of
// its body.
func (c *Conn) readHead(p []byte) (int, error) {
	n, end := 0, -1
	for end < 0 {
		if n == len(p) {
			return c.refuse(&Refusal{http.StatusRequestHeaderFieldsTooLarge, "the head is too large"})
		}
		m, err := c.ahead.read(c.Conn, p[n:])
		from := max(n-3, 0)
		n += m
		if err != nil && m == 0 {
			return c.checkEnd(n, err)
		}
		if i := bytes.Index(p[from:n], []byte("\r\n\r\n")); i >= 0 {
			end = from + i + 4
		} else if lone(p[:n], from) {
			return c.refuse(bad("a line of the head does not end with CR LF"))
		}
	}
	head, refusal := ReadHead(p[:end])
	if refusal != nil {
		return c.refuse(refusal)
	}
	return c.begin(p, end, n, head)
}

// lone reports an LF without CR in p[from:], which would hide the end of a head.
func lone(p []byte, from int) bool {
	for i := from; i < len(p); i++ {
		if p[i] == '\n' && (i == 0 || p[i-1] != '\r') {
			return true
		}
	}
	return false
}

// checkEnd is a head that ended early: silence between two messages is no error.
func (c *Conn) checkEnd(n int, err error) (int, error) {
	if n > 0 && err == io.EOF {
		return c.refuse(bad("the head is incomplete"))
	}
	return 0, err
}

// begin passes on a head that stands in p[:end], followed by what else was read.
func (c *Conn) begin(p []byte, end, n int, head Head) (int, error) {
	c.body, c.left, c.chunks = head, head.Length, chunks{}
	c.ahead.unread(p[end:n])
	if c.Head != nil {
		c.Head()
	}
	switch {
	case head.Length == 0:
		return end, nil
	case head.Length == Chunked:
		c.phase = inChunks
	default:
		c.phase = inSized
	}
	shown := rewriteHead(p[:end], head.Length)
	if len(shown) > len(p) {
		return c.refuse(&Refusal{http.StatusRequestHeaderFieldsTooLarge, "the head is too large"})
	}
	return copy(p, shown), nil
}

func (c *Conn) readChunks(p []byte) (int, error) {
	if err := c.goOn(); err != nil {
		return 0, err
	}
	n, err := c.ahead.read(c.Conn, p)
	used, refusal := c.chunks.pass(p[:n])
	c.ahead.unread(p[used:n])
	if c.chunks.at == ended {
		c.phase = atHead
	}
	if refusal != nil {
		return used, refusal
	}
	return used, err
}

// overhead is what a chunk needs besides its data: eight digits and two line breaks.
const overhead = 12

// readSized passes a body of known length on as chunks.
func (c *Conn) readSized(p []byte) (int, error) {
	if len(p) <= overhead {
		return 0, io.ErrShortBuffer
	}
	if c.phase == atLastChunk {
		c.phase = atHead
		return copy(p, "0\r\n\r\n"), nil
	}
	if err := c.goOn(); err != nil {
		return 0, err
	}
	data := p[overhead-2 : len(p)-2]
	n, err := c.ahead.read(c.Conn, data[:min(int64(len(data)), c.left)])
	if n == 0 {
		return 0, err
	}
	copy(p, fmt.Sprintf("%08x\r\n", n))
	copy(p[overhead-2+n:], "\r\n")
	if c.left -= int64(n); c.left == 0 {
		c.phase = atLastChunk
	}
	return overhead + n, nil
}

// goOn asks a client that waits for it to send the body.
func (c *Conn) goOn() error {
	if !c.body.Continue {
		return nil
	}
	c.body.Continue = false
	if len(c.ahead) > 0 {
		return nil // it did not wait
	}
	return c.write([]byte("HTTP/1.1 100 Continue\r\n\r\n"))
}

// refuse answers a message that is not passed on, and ends the connection.
func (c *Conn) refuse(r *Refusal) (int, error) {
	c.failed = io.EOF
	if c.Reply != nil {
		_ = c.write(c.Reply(r))
	}
	return 0, io.EOF
}

// write writes past the library, whose earlier replies have all been sent: it
// never has more than one message at a time.
func (c *Conn) write(p []byte) error {
	_ = c.SetWriteDeadline(time.Now().Add(writeTimeout))
	_, err := c.Conn.Write(p)
	return err
}

const writeTimeout = 10 * time.Second
