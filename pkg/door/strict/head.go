// Package strict reads HTTP/1 from a connection in front of a lenient HTTP
// library: it passes on only messages whose end cannot be understood in two
// ways, and answers all others itself. So nothing between the client and the
// library can disagree with it about where a request begins.
package strict

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// A Refusal is why a message is not passed on.
type Refusal struct {
	Status int
	Why    string // for logs and replies; holds nothing of the message
}

func (r *Refusal) Error() string { return r.Why }

func bad(why string) *Refusal { return &Refusal{http.StatusBadRequest, why} }

// A Head is what a message's head says about the rest of it.
type Head struct {
	Length   int64 // of the body; Chunked = by chunks
	Continue bool  // the client waits for 100 before it sends the body
}

// Chunked is the length of a body that comes in chunks.
const Chunked = -1

// MaxFields is how many header fields a head may have.
const MaxFields = 100

const maxDigits = 15 // of a length

// head is a head while it is read.
type head struct {
	method string
	old    bool // HTTP/1.0
	hosts  int
	length []string
	coding []string
	expect []string
	keys   map[string]int // how often each header that holds a key stands there
}

// ReadHead reads a head, which ends with an empty line.
func ReadHead(block []byte) (Head, *Refusal) {
	lines, refusal := split(block)
	if refusal != nil {
		return Head{}, refusal
	}
	var h head
	if refusal := h.request(lines[0]); refusal != nil {
		return Head{}, refusal
	}
	if len(lines)-1 > MaxFields {
		return Head{}, &Refusal{http.StatusRequestHeaderFieldsTooLarge, "too many header fields"}
	}
	for _, line := range lines[1:] {
		if refusal := h.field(line); refusal != nil {
			return Head{}, refusal
		}
	}
	return h.framing()
}

// split gives the lines of a head, without the empty one. Each ends with CR LF.
func split(block []byte) ([]string, *Refusal) {
	text, whole := strings.CutSuffix(string(block), "\r\n\r\n")
	if !whole || text == "" {
		return nil, bad("the head is incomplete")
	}
	lines := strings.Split(text, "\r\n")
	for _, line := range lines {
		if strings.ContainsAny(line, "\r\n\x00") {
			return nil, bad("a line of the head holds a lone CR or LF, or a NUL")
		}
	}
	return lines, nil
}

// request reads the request line: method, target in origin form, version.
func (h *head) request(line string) *Refusal {
	parts := strings.Split(line, " ")
	if len(parts) != 3 || !isToken(parts[0]) {
		return bad("the request line is not method, target and version")
	}
	switch parts[2] {
	case "HTTP/1.1":
	case "HTTP/1.0":
		h.old = true
	default:
		return bad("the version is not HTTP/1.1 or HTTP/1.0")
	}
	h.method = parts[0]
	target := parts[1]
	if !strings.HasPrefix(target, "/") && (target != "*" || h.method != http.MethodOptions) {
		return bad("the target is not a path")
	}
	if strings.IndexFunc(target, func(r rune) bool { return r <= ' ' || r > '~' || r == '#' }) >= 0 {
		return bad("the target holds a character that must be escaped")
	}
	return nil
}

func (h *head) field(line string) *Refusal {
	name, value, found := strings.Cut(line, ":")
	if !found || !isToken(name) {
		return bad("a header field is folded, or its name is not a token followed by a colon")
	}
	value = strings.Trim(value, " \t")
	if strings.IndexFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) >= 0 {
		return bad("a header field holds a control character")
	}
	switch strings.ToLower(name) {
	case "host":
		h.hosts++
		if !isHost(value) {
			return bad("Host is not a host")
		}
	case "content-length":
		h.length = append(h.length, value)
	case "transfer-encoding":
		h.coding = append(h.coding, value)
	case "expect":
		h.expect = append(h.expect, value)
	case "x-api-key", "authorization":
		name = strings.ToLower(name)
		if h.keys == nil {
			h.keys = map[string]int{}
		}
		if h.keys[name]++; h.keys[name] > 1 {
			return bad("there is more than one " + http.CanonicalHeaderKey(name)) // a proxy may look at the other one
		}
	}
	return nil
}

func (h *head) framing() (out Head, refusal *Refusal) {
	switch {
	case h.hosts > 1 || h.hosts == 0 && !h.old:
		return out, bad("there is not exactly one Host")
	case len(h.coding) > 0 && len(h.length) > 0:
		return out, bad("there are both Content-Length and Transfer-Encoding")
	case len(h.length) > 1:
		return out, bad("there is more than one Content-Length")
	case len(h.coding) > 1 || len(h.coding) == 1 && (h.old || !strings.EqualFold(h.coding[0], "chunked")):
		return out, bad("Transfer-Encoding is not chunked")
	case len(h.expect) > 1 || len(h.expect) == 1 && !strings.EqualFold(h.expect[0], "100-continue"):
		return out, &Refusal{http.StatusExpectationFailed, "Expect is not 100-continue"}
	}
	if len(h.coding) == 1 {
		out.Length = Chunked
	}
	if len(h.length) == 1 {
		if out.Length, refusal = contentLength(h.length[0]); refusal != nil {
			return out, refusal
		}
	}
	if out.Length != 0 && slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodTrace}, h.method) {
		return out, bad("this method takes no body")
	}
	out.Continue = len(h.expect) == 1 && !h.old && out.Length != 0
	return out, nil
}

func contentLength(s string) (int64, *Refusal) {
	if s == "" || len(s) > maxDigits || strings.Trim(s, "0123456789") != "" {
		return 0, bad("Content-Length is not a number")
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, bad("Content-Length is not a number")
	}
	return n, nil
}

func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (c < '0' || c > '9') && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}
	return s != ""
}

// isHost reports whether s is made of what hosts and ports are made of; empty is
// allowed, as HTTP does.
func isHost(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (c < '0' || c > '9') && !strings.ContainsRune("-._~:[]%", rune(c)) {
			return false
		}
	}
	return true
}

// rewriteHead gives the head of a message with a body as the library shall see
// it: without Expect, and by chunks instead of a length, since the library reads
// the beginning of a body of known length before its handler runs, and waits for
// it whoever sends it.
func rewriteHead(block []byte, length int64) []byte {
	out := make([]byte, 0, len(block))
	for line := range bytes.SplitSeq(block[:len(block)-2], []byte("\r\n")) {
		name, _, _ := bytes.Cut(line, []byte(":"))
		if len(line) == 0 || bytes.EqualFold(name, []byte("Expect")) || bytes.EqualFold(name, []byte("Content-Length")) {
			continue
		}
		out = append(append(out, line...), "\r\n"...)
	}
	if length > 0 {
		out = append(out, "Transfer-Encoding: chunked\r\n"...)
	}
	return append(out, "\r\n"...)
}
