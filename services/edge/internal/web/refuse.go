package web

import (
	"bufio"
	"bytes"
	"net/http"

	"boardorder/pkg/contract"
	"boardorder/pkg/door/strict"
	"boardorder/services/edge/internal/problem"

	"github.com/valyala/fasthttp"
	"go.uber.org/zap"
)

// refuse gives the reply to a message that no handler may see.
func (s *Server) refuse(r *strict.Refusal) []byte {
	var f fasthttp.RequestCtx
	id := contract.NewID(contract.RequestPrefix, s.cfg.Now())
	s.headers(&f, id)
	p := problem.New(contract.InvalidRequest, "The request is not valid HTTP: %s.", r.Why).Answering(r.Status)
	if r.Status == http.StatusRequestHeaderFieldsTooLarge {
		p = headersTooLarge()
	}
	s.write(&f, p)
	f.SetConnectionClose()
	s.metrics.observe("other", "none", r.Status, 0)
	s.cfg.Log.Warn("message refused", zap.String("request_id", id), zap.Int("status", r.Status), zap.String("why", r.Why))
	var out bytes.Buffer
	w := bufio.NewWriter(&out)
	if f.Response.Write(w) != nil || w.Flush() != nil {
		return nil
	}
	return out.Bytes()
}

func headersTooLarge() *problem.Problem {
	return problem.New(contract.HeadersTooLarge, "The headers are too large: a request has up to %d of them, of %d KB in all.", strict.MaxFields, headerBytes>>10)
}
