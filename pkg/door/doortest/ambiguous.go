package doortest

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// ambiguous are messages whose end, or whose head, can be understood in two ways. A
// request that is hidden in each asks for /hidden.
var ambiguous = map[string]string{
	"length, then chunks":          "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
	"chunks, then length":          "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n" + hidden,
	"in other letters":             "POST / HTTP/1.1\r\nHost: localhost\r\ncontent-LENGTH: 4\r\ntransfer-ENCODING: Chunked\r\n\r\n0\r\n\r\n" + hidden,
	"chunks and a length of none":  "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
	"two lengths":                  "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd" + hidden,
	"the same length twice":        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\nabcd" + hidden,
	"a list of lengths":            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4, 4\r\n\r\nabcd" + hidden,
	"chunks in HTTP/1.0":           "POST / HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
	"chunks that are something":    "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + hidden,
	"two codings":                  "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
	"a blank before the colon":     "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length : 4\r\n\r\nabcd" + hidden,
	"lines that end with LF alone": "POST / HTTP/1.1\nHost: localhost\nContent-Length: 4\n\nabcd" + hidden,
	"a folded field":               "POST / HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\n Content-Length: 4\r\n\r\nabcd" + hidden,
	"two hosts":                    "GET / HTTP/1.1\r\nHost: localhost\r\nHost: other\r\n\r\n" + hidden,
}

const hidden = "GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n"

// HoldAmbiguous sends messages that can be understood in two ways over connections that
// dial makes: each is answered with 400, and then the connection ends.
func HoldAmbiguous(t *testing.T, dial func(*testing.T) net.Conn) {
	t.Helper()
	for name, message := range ambiguous {
		t.Run(name, func(t *testing.T) {
			c := dial(t)
			defer c.Close()
			_ = c.SetDeadline(time.Now().Add(time.Minute))
			if _, err := io.WriteString(c, message); err != nil {
				t.Fatal(err)
			}
			in := bufio.NewReader(c)
			r, err := http.ReadResponse(in, nil)
			if err != nil {
				t.Fatalf("no answer: %v", err)
			}
			body, _ := io.ReadAll(r.Body)
			if r.StatusCode != http.StatusBadRequest {
				t.Errorf("%d %s, want 400", r.StatusCode, body)
			}
			rest, err := io.ReadAll(in)
			if len(rest) > 0 {
				t.Errorf("there is a second answer: %.60q", rest)
			}
			if err != nil && strings.Contains(err.Error(), "timeout") {
				t.Error("the connection stays open")
			}
		})
	}
}
