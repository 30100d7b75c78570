package strict

import (
	"bytes"
	"crypto/tls"
	"io"
	"net"
)

// A Guard is a listener before a library that is less strict than ReadHead, such as
// net/http, which takes a message with both Content-Length and Transfer-Encoding: it
// passes on every byte as it came, as long as no message's end can be understood in two
// ways. In place of a message that can, the library gets one that it refuses itself, in
// its turn, with 400 and the end of the connection.
type Guard struct {
	net.Listener
	// MaxHead is how many bytes of a head are looked at; more than the library takes, so
	// that it says itself what is too large.
	MaxHead int
}

// Accept gives a connection that is guarded.
func (g Guard) Accept() (net.Conn, error) {
	c, err := g.Listener.Accept()
	if err != nil {
		return nil, err
	}
	guarded := &guarded{Conn: c, maxHead: g.MaxHead}
	if _, ok := c.(connectionStater); ok {
		return guardedTLS{guarded}, nil
	}
	return guarded, nil
}

type connectionStater interface{ ConnectionState() tls.ConnectionState }

// guardedTLS says of its connection what libraries ask of one with TLS.
type guardedTLS struct{ *guarded }

func (c guardedTLS) ConnectionState() tls.ConnectionState {
	return c.Conn.(connectionStater).ConnectionState()
}

type guarded struct {
	net.Conn
	maxHead int
	ahead   ahead // read, and not passed on
	ready   int   // bytes of it that may be passed on
	left    int64 // of a body of known length
	chunks  chunks
	phase   phase
	ended   bool // once ready is passed on
}

// NetConn is the connection that is guarded.
func (c *guarded) NetConn() net.Conn { return c.Conn }

// nonsense is what no library takes for a request.
const nonsense = "refused\r\n\r\n"

func (c *guarded) Read(p []byte) (int, error) {
	if c.ready == 0 && !c.ended && c.phase == atHead {
		if err := c.readHead(); err != nil {
			return 0, err
		}
	}
	switch {
	case c.ready > 0:
		n := copy(p, c.ahead[:c.ready])
		c.ready -= n
		c.ahead.drop(n)
		return n, nil
	case c.ended:
		return 0, io.EOF
	case c.phase == inChunks:
		return c.readChunks(p)
	}
	n, err := c.ahead.read(c.Conn, p[:min(int64(len(p)), c.left)])
	if c.left -= int64(n); c.left == 0 {
		c.phase = atHead
	}
	return n, err
}

// readHead has a whole head ready that may be passed on. What came of one stays until
// the rest of it comes, since a library may interrupt a read.
func (c *guarded) readHead() error {
	for seen := 0; ; {
		from := max(seen-3, 0)
		end := bytes.Index(c.ahead[from:], []byte("\r\n\r\n"))
		whole := c.ahead
		if end >= 0 {
			whole = c.ahead[:from+end+4]
		}
		switch {
		case lone(whole, from):
			c.refuse()
			return nil
		case end >= 0:
			c.begin(whole)
			return nil
		case len(c.ahead) >= c.maxHead:
			c.ready, c.ended = len(c.ahead), true
			return nil
		}
		seen = len(c.ahead)
		if cap(c.ahead) == seen {
			c.ahead = append(make([]byte, 0, max(2*seen, firstHead)), c.ahead...)
		}
		n, err := c.Conn.Read(c.ahead[seen:cap(c.ahead)])
		if c.ahead = c.ahead[:seen+n]; n == 0 && err != nil {
			return err
		}
	}
}

// firstHead is what is read of a head at first: most are no longer.
const firstHead = 2 << 10

// begin has a head ready, and knows how long the body is that follows.
func (c *guarded) begin(block []byte) {
	head, refusal := ReadHead(block)
	if refusal != nil {
		c.refuse()
		return
	}
	c.ready, c.left, c.chunks, c.phase = len(block), head.Length, chunks{}, inSized
	switch head.Length {
	case 0:
		c.phase = atHead
	case Chunked:
		c.phase = inChunks
	}
}

// refuse lets the library refuse, once it has answered what came before.
func (c *guarded) refuse() {
	c.ahead = []byte(nonsense)
	c.ready, c.ended = len(c.ahead), true
}

func (c *guarded) readChunks(p []byte) (int, error) {
	n, err := c.ahead.read(c.Conn, p)
	used, refusal := c.chunks.pass(p[:n])
	c.ahead.unread(p[used:n])
	if c.chunks.at == ended {
		c.phase = atHead
	}
	if refusal != nil {
		c.ended = true
		return used, io.ErrUnexpectedEOF
	}
	return used, err
}
