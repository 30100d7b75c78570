package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"sync"
)

// Static is a reply that is the same for everyone, kept plain and packed.
type Static struct {
	contentType, cache, csp string
	content                 func() (content, error)
}

type content struct {
	etag          string
	plain, packed []byte
}

// NewStatic is a reply with a Cache-Control of its own.
func NewStatic(contentType, cache string, body []byte) *Static {
	return BuildStatic(contentType, cache, func() ([]byte, error) { return body, nil })
}

// BuildStatic is a reply whose body is built when it is first asked for, so that no
// start waits for pages that nobody reads.
func BuildStatic(contentType, cache string, build func() ([]byte, error)) *Static {
	return &Static{contentType: contentType, cache: cache, content: sync.OnceValues(func() (content, error) {
		body, err := build()
		if err != nil {
			return content{}, err
		}
		sum := sha256.Sum256(body)
		return content{etag: `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`, plain: body, packed: pack(body)}, nil
	})}
}

// Policy gives the reply a content security policy of its own.
func (s *Static) Policy(csp string) *Static {
	s.csp = csp
	return s
}

// packers are reused: each holds some hundred kilobytes.
var packers = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level exists
	return w
}}

// packFast packs a page that is made for one reader; nil where that gains nothing.
func packFast(body []byte) []byte {
	if len(body) < 1000 {
		return nil
	}
	var out bytes.Buffer
	w, ok := packers.Get().(*gzip.Writer)
	if !ok {
		return nil
	}
	defer packers.Put(w)
	w.Reset(&out)
	if _, err := w.Write(body); err != nil || w.Close() != nil || out.Len() >= len(body) {
		return nil
	}
	return out.Bytes()
}

func pack(body []byte) []byte {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil
	}
	if _, err := w.Write(body); err != nil || w.Close() != nil || out.Len() >= len(body) {
		return nil
	}
	return out.Bytes()
}

// Serve answers with it.
func (s *Static) Serve(c *Call) error {
	now, err := s.content()
	if err != nil {
		return err
	}
	c.Set("Cache-Control", s.cache)
	c.Set("Vary", "Accept-Encoding")
	if s.csp != "" {
		c.Set("Content-Security-Policy", s.csp)
	}
	if c.AnswerNotModified(now.etag) {
		return nil
	}
	body := now.plain
	if now.packed != nil && takesGzip(c.Header("Accept-Encoding")) {
		c.Set("Content-Encoding", "gzip")
		body = now.packed
	}
	return c.Bytes(http.StatusOK, s.contentType, body)
}

func takesGzip(accept string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		name, q, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.TrimSpace(name) == "gzip" && strings.ReplaceAll(q, " ", "") != "q=0" {
			return true
		}
	}
	return false
}
