package strict_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"strings"
	"testing"
	"testing/iotest"

	"boardorder/pkg/door/strict"
)

const host = "Host: x\r\n"

// lenient are messages that readers understand in more than one way.
var lenient = map[string]string{
	"two lengths":             "POST / HTTP/1.1\r\n" + host + "Content-Length: 4\r\nContent-Length: 5\r\n\r\n",
	"equal lengths":           "POST / HTTP/1.1\r\n" + host + "Content-Length: 4\r\nContent-Length: 4\r\n\r\n",
	"a list of lengths":       "POST / HTTP/1.1\r\n" + host + "Content-Length: 4, 4\r\n\r\n",
	"a signed length":         "POST / HTTP/1.1\r\n" + host + "Content-Length: +4\r\n\r\n",
	"an endless length":       "POST / HTTP/1.1\r\n" + host + "Content-Length: 99999999999999999999\r\n\r\n",
	"no length":               "POST / HTTP/1.1\r\n" + host + "Content-Length:\r\n\r\n",
	"length and chunks":       "POST / HTTP/1.1\r\n" + host + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n",
	"two codings":             "POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: gzip, chunked\r\n\r\n",
	"unknown coding":          "POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: xchunked\r\n\r\n",
	"chunked twice":           "POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
	"chunks in HTTP/1.0":      "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
	"two hosts":               "GET / HTTP/1.1\r\n" + host + "Host: y\r\n\r\n",
	"two keys":                "GET / HTTP/1.1\r\n" + host + "X-API-Key: a\r\nx-api-key: b\r\n\r\n",
	"two authorizations":      "GET / HTTP/1.1\r\n" + host + "Authorization: Bearer a\r\nAuthorization: Bearer a\r\n\r\n",
	"no host":                 "GET / HTTP/1.1\r\n\r\n",
	"a host that is none":     "GET / HTTP/1.1\r\nHost: x/y\r\n\r\n",
	"NUL in a value":          "GET / HTTP/1.1\r\n" + host + "X: a\x00b\r\n\r\n",
	"NUL in a name":           "GET / HTTP/1.1\r\n" + host + "X\x00: a\r\n\r\n",
	"control character":       "GET / HTTP/1.1\r\n" + host + "X: a\x01b\r\n\r\n",
	"folded line":             "GET / HTTP/1.1\r\n" + host + "X: a\r\n b\r\n\r\n",
	"folded first line":       "GET / HTTP/1.1\r\n X: a\r\n" + host + "\r\n",
	"blank before the colon":  "GET / HTTP/1.1\r\n" + host + "Content-Length : 4\r\n\r\n",
	"no colon":                "GET / HTTP/1.1\r\n" + host + "X\r\n\r\n",
	"no name":                 "GET / HTTP/1.1\r\n" + host + ": a\r\n\r\n",
	"lone LF":                 "GET / HTTP/1.1\n" + host + "\r\n",
	"lone LF at the end":      "GET / HTTP/1.1\r\nHost: x\n\n",
	"lone CR":                 "GET / HTTP/1.1\r\n" + host + "X: a\rY: b\r\n\r\n",
	"empty line first":        "\r\nGET / HTTP/1.1\r\n" + host + "\r\n",
	"two blanks":              "GET  / HTTP/1.1\r\n" + host + "\r\n",
	"no version":              "GET /\r\n" + host + "\r\n",
	"HTTP/2":                  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
	"another version":         "GET / HTTP/1.2\r\n" + host + "\r\n",
	"address as target":       "GET http://y/ HTTP/1.1\r\n" + host + "\r\n",
	"fragment":                "GET /a#b HTTP/1.1\r\n" + host + "\r\n",
	"raw bytes in the target": "GET /\xff HTTP/1.1\r\n" + host + "\r\n",
	"body of a GET":           "GET / HTTP/1.1\r\n" + host + "Content-Length: 4\r\n\r\n",
	"chunks of a GET":         "GET / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n",
	"another expectation":     "POST / HTTP/1.1\r\n" + host + "Content-Length: 4\r\nExpect: much\r\n\r\n",
	"many fields":             "GET / HTTP/1.1\r\n" + host + strings.Repeat("X: y\r\n", 101) + "\r\n",
	"endless head":            "GET / HTTP/1.1\r\n" + host + "X: " + strings.Repeat("y", 10_000),
	"no room for chunks":      "POST / HTTP/1.1\r\n" + host + "Content-Length: 4\r\nX: " + strings.Repeat("y", 8<<10-52) + "\r\n\r\n",
}

// stream is a connection that sends what it is given, as slowly as can be, and
// keeps what is written.
type stream struct {
	net.Conn
	in  io.Reader
	out bytes.Buffer
}

func (s *stream) Read(p []byte) (int, error)  { return s.in.Read(p) }
func (s *stream) Write(p []byte) (int, error) { return s.out.Write(p) }

// read gives all that a library would read of what a client sends.
func read(in io.Reader) (got, written string, err error) {
	s := &stream{Conn: nowhere{}, in: in}
	c := &strict.Conn{Conn: s, Reply: func(r *strict.Refusal) []byte { return []byte("refused: " + r.Why) }}
	all, err := io.ReadAll(bufio.NewReaderSize(c, 8<<10))
	return string(all), s.out.String(), err
}

func TestLenientHTTPIsRefused(t *testing.T) {
	t.Parallel()
	const good = "POST /first HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
	for name, message := range lenient {
		for way, in := range map[string]io.Reader{
			"at once": strings.NewReader(message), "byte by byte": iotest.OneByteReader(strings.NewReader(message)),
		} {
			if got, written, _ := read(in); got != "" || !strings.HasPrefix(written, "refused: ") {
				t.Errorf("%s, %s: passed on %q, written %q; want nothing, a refusal", name, way, got, written)
			}
		}
		if got, written, _ := read(strings.NewReader(good + message)); got != good || !strings.HasPrefix(written, "refused: ") {
			t.Errorf("%s, as second message: passed on %q, written %q; want %q, a refusal", name, got, written, good)
		}
	}
}

func TestStrictHTTPPasses(t *testing.T) {
	t.Parallel()
	const chunked = "POST /c HTTP/1.1\r\n" + host + "Transfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n00A\r\n0123456789\r\n0\r\n\r\n"
	for name, message := range map[string]string{
		"plain":    "GET /a?b=%20 HTTP/1.1\r\nhost:x:80\r\nX-Some: \ta b\xff \r\n\r\n",
		"old":      "GET / HTTP/1.0\r\n\r\n",
		"options":  "OPTIONS * HTTP/1.1\r\n" + host + "\r\n",
		"IPv6":     "GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n",
		"no body":  "GET / HTTP/1.1\r\n" + host + "Content-Length: 0\r\n\r\n",
		"chunks":   chunked,
		"pipeline": chunked + "GET / HTTP/1.1\r\n" + host + "\r\n" + chunked,
	} {
		for way, in := range map[string]io.Reader{
			"at once": strings.NewReader(message), "byte by byte": iotest.OneByteReader(strings.NewReader(message)),
		} {
			if got, written, err := read(in); got != message || written != "" || err != nil {
				t.Errorf("%s, %s: reads %q, answers %q, %v; want %q and no answer", name, way, got, written, err, message)
			}
		}
	}
}

// TestBodiesOfKnownLengthPassAsChunks: the head alone first, then what came.
func TestBodiesOfKnownLengthPassAsChunks(t *testing.T) {
	t.Parallel()
	const body = "a\x00\r\nb"
	for name, head := range map[string]string{"HTTP/1.1": "POST / HTTP/1.1\r\n" + host, "HTTP/1.0": "POST / HTTP/1.0\r\n" + host} {
		message := head + "Content-Length: 5\r\n\r\n" + body
		for way, in := range map[string]io.Reader{
			"at once": strings.NewReader(message + message), "byte by byte": iotest.OneByteReader(strings.NewReader(message + message)),
		} {
			c := &strict.Conn{Conn: &stream{Conn: nowhere{}, in: in}}
			r := bufio.NewReaderSize(c, 8<<10)
			for i := range 2 {
				if first, _ := r.Peek(1); len(first) != 1 {
					t.Fatalf("%s, %s: message %d did not come", name, way, i)
				}
				if shown, want := string(peek(r)), head+"Transfer-Encoding: chunked\r\n\r\n"; shown != want {
					t.Errorf("%s, %s: message %d begins with %q, want %q", name, way, i, shown, want)
				}
				_, _ = r.Discard(r.Buffered())
				if got, err := io.ReadAll(httputil.NewChunkedReader(r)); string(got) != body || err != nil {
					t.Errorf("%s, %s: body %d = %q, %v; want %q", name, way, i, got, err, body)
				}
				_, _ = r.Discard(len("\r\n")) // after the last chunk
			}
		}
	}
}

// peek is what r has read ahead.
func peek(r *bufio.Reader) []byte {
	p, _ := r.Peek(r.Buffered())
	return p
}

func TestBadChunksEndTheBody(t *testing.T) {
	t.Parallel()
	const head = "POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n"
	for name, body := range map[string]string{
		"no size":       "\r\nhello\r\n0\r\n\r\n",
		"no digit":      "zz\r\n",
		"a sign":        "-1\r\n",
		"a prefix":      "0x5\r\nhello\r\n",
		"a blank":       "5 \r\nhello\r\n",
		"an extension":  "5;a=b\r\nhello\r\n",
		"overflow":      "100000005\r\nhello\r\n",
		"lone LF":       "5\nhello\r\n",
		"more data":     "5\r\nhello!\r\n",
		"LF after data": "5\r\nhello\n",
		"a trailer":     "0\r\nX: y\r\n\r\n",
		"a fake end":    "0\r\n\n",
	} {
		for way, in := range map[string]io.Reader{
			"at once": strings.NewReader(head + body), "byte by byte": iotest.OneByteReader(strings.NewReader(head + body)),
		} {
			got, _, err := read(in)
			if _, refused := errors.AsType[*strict.Refusal](err); !refused || strings.HasSuffix(got, "0\r\n\r\n") {
				t.Errorf("%s, %s: %q is read as %q, %v; want a refusal before its end", name, way, body, got, err)
			}
		}
	}
}

// TestMessagesComeOneByOne: no read ends beyond the message that it began in.
func TestMessagesComeOneByOne(t *testing.T) {
	t.Parallel()
	sized, head := "POST /a HTTP/1.1\r\n"+host+"Content-Length: 3\r\n\r\nabc", "POST /b HTTP/1.1\r\n"+host+"Transfer-Encoding: chunked\r\n\r\n"
	chunks := "1\r\nx\r\n0\r\n\r\n"
	last := "GET /c HTTP/1.1\r\n" + host + "\r\n"
	c := &strict.Conn{Conn: &stream{Conn: nowhere{}, in: strings.NewReader(sized + head + chunks + last)}}
	p := make([]byte, 8<<10)
	for _, want := range []string{
		"POST /a HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n", "00000003\r\nabc\r\n", "0\r\n\r\n", head, chunks, last,
	} {
		if n, err := c.Read(p); string(p[:n]) != want || err != nil {
			t.Errorf("Read = %q, %v; want %q", p[:n], err, want)
		}
	}
}

// TestContinueIsSaidWhenTheBodyIsRead: never before.
func TestContinueIsSaidWhenTheBodyIsRead(t *testing.T) {
	t.Parallel()
	const chunks = "4\r\nbody\r\n0\r\n\r\n"
	for name, tt := range map[string]struct {
		framing, body string
		length        int64
	}{
		"known length": {"Content-Length: 4\r\n", "body", 4},
		"chunks":       {"Transfer-Encoding: chunked\r\n", chunks, strict.Chunked},
	} {
		client, server := net.Pipe()
		c := &strict.Conn{Conn: server}
		go func() {
			_, _ = io.WriteString(client, "POST / HTTP/1.1\r\n"+host+tt.framing+"Expect: 100-Continue\r\n\r\n")
			if resp, err := http.ReadResponse(bufio.NewReader(client), nil); err == nil && resp.StatusCode == 100 {
				_, _ = io.WriteString(client, tt.body+"GET / HTTP/1.1\r\n"+host+"\r\n")
			}
			_ = client.Close()
		}()
		r := bufio.NewReaderSize(c, 8<<10)
		req, err := http.ReadRequest(r)
		if err != nil || req.Header.Get("Expect") != "" {
			t.Errorf("%s: request %v, %v; want one without Expect", name, req, err)
			continue
		}
		if b := c.Body(); !b.Continue || b.Length != tt.length {
			t.Errorf("%s: body %+v, want one to be continued, of length %d", name, b, tt.length)
		}
		if body, err := io.ReadAll(req.Body); string(body) != "body" || err != nil || c.Body().Continue {
			t.Errorf("%s: body %q, %v", name, body, err)
		}
		if next, err := http.ReadRequest(r); err != nil || next.Method != "GET" {
			t.Errorf("%s: then %v, %v", name, next, err)
		}
	}
}

// FuzzConn holds what passes against the reader of net/http: both see the same
// messages, and a message never holds what is left after the last.
func FuzzConn(f *testing.F) {
	for _, message := range lenient {
		f.Add([]byte(message))
	}
	f.Add([]byte("POST /c HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\nGET / HTTP/1.1\r\n" + host + "\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, _, _ := read(bytes.NewReader(data))
		slow, _, _ := read(iotest.OneByteReader(bytes.NewReader(data)))
		if got != slow && !strings.Contains(strings.ToLower(got), "transfer-encoding") {
			t.Errorf("at once %q, byte by byte %q; want the same", got, slow)
		}
		head, _, whole := strings.Cut(got, "\r\n\r\n")
		if !whole {
			return
		}
		req, err := http.ReadRequest(bufio.NewReader(strings.NewReader(head + "\r\n\r\n")))
		if err != nil {
			if !strings.Contains(err.Error(), "invalid") && !strings.Contains(err.Error(), "malformed") {
				t.Errorf("net/http does not read what passed: %v\n%q", err, head)
			}
			return
		}
		if h, refusal := strict.ReadHead([]byte(head + "\r\n\r\n")); refusal != nil || req.ContentLength != h.Length {
			t.Errorf("net/http reads a length of %d, ReadHead says %+v, %v; want the same of %q", req.ContentLength, h, refusal, head)
		}
	})
}
