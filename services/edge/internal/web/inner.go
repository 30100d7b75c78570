package web

import (
	"bytes"
	"net"
	"time"

	"github.com/valyala/fasthttp"
)

// An Inner is a call of one of our own routes that another call asks for.
type Inner struct {
	Method, Target string // the target is a path with its query
	Header         [][2]string
	Body           []byte // JSON; empty = none
}

// Answer answers an inner call as though it had come by itself over the connection of c: it is
// admitted, counted and logged as any other, and nothing is sent over a network.
func (s *Server) Answer(c *Call, in Inner) (status int, body []byte) {
	var f fasthttp.RequestCtx
	f.Init2(innerConn{c.Fiber.Context().Conn(), int64(len(in.Body))}, nil, false)
	f.Request.Header.SetMethod(in.Method)
	f.Request.SetRequestURI(in.Target)
	for _, h := range in.Header {
		f.Request.Header.Add(h[0], h[1])
	}
	if len(in.Body) > 0 {
		f.Request.Header.SetContentType("application/json")
		f.Request.SetBodyStream(bytes.NewReader(in.Body), len(in.Body))
	}
	s.serve(&f)
	return f.Response.StatusCode(), bytes.Clone(f.Response.Body())
}

// innerConn is what an inner call has for a connection: it knows where it comes from.
type innerConn struct {
	net.Conn
	length int64 // of the body
}

func (innerConn) SetReadDeadline(time.Time) error { return nil } // the connection's own goes on
