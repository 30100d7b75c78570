package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/trace"
	"boardorder/services/edge/internal/auth"
	"boardorder/services/edge/internal/problem"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// A Call is one request and the reply to it.
type Call struct {
	Fiber  *fiber.Ctx
	Route  *Route
	ID     string // Request-Id
	Caller auth.Caller
	About  []zap.Field // for the one log line of the request

	log     *zap.Logger
	outages *zap.Logger // of failures by which something is away
	ctx     context.Context
	body    *Body
	start   time.Time
	later   []func()
	spent   []spending // of its quotas

	text     []byte // of the body, once textRead
	textRead bool
	textErr  error
	parsed   map[string]any // the text as JSON
}

// Defer has f called when the request has been answered.
func (c *Call) Defer(f func()) { c.later = append(c.later, f) }

// spending is what a call took of a quota.
type spending struct {
	window   time.Duration // of the quota
	giveBack func()
}

// DeferGiveBack has f called when the call turns out to take nothing of a quota of so long a window.
func (c *Call) DeferGiveBack(window time.Duration, f func()) {
	c.spent = append(c.spent, spending{window, f})
}

// Replayed is the header of an answer that an earlier call made.
const Replayed = "Idempotent-Replayed"

// HasTokens reports whether the call took something of a quota.
func (c *Call) HasTokens() bool { return len(c.spent) > 0 }

// Refund gives back what the call took of its quotas, once.
func (c *Call) Refund() { c.RefundFrom(0) }

// RefundFrom gives back what the call took of quotas of windows that are at least so long, once.
func (c *Call) RefundFrom(window time.Duration) {
	c.spent = slices.DeleteFunc(c.spent, func(s spending) bool {
		if s.window < window {
			return false
		}
		s.giveBack()
		return true
	})
}

// Took is for how long the call has been answered.
func (c *Call) Took() time.Duration { return time.Since(c.start) }

// Context carries the trace. It does not end when the client disconnects.
func (c *Call) Context() context.Context { return c.ctx }

// Log names the request in each line. What came with the request, or the rest
// of its address, must not be logged: it may be secret.
func (c *Call) Log() *zap.Logger { return c.annotate(c.log) }

func (c *Call) annotate(log *zap.Logger) *zap.Logger {
	return log.With(zap.String("request_id", c.ID), trace.ID(c.ctx))
}

// LogFailure writes down a failure of ours. While something is away each request fails
// in the same way: the first of a second tell what there is to know, and the metrics
// count them all.
func (c *Call) LogFailure(p *problem.Problem) {
	log := c.log
	if p.Status == http.StatusServiceUnavailable {
		log = c.outages
	}
	c.annotate(log).Error("request failed", zap.String("route", c.Route.Name()), zap.Int("status", p.Status), zap.Error(p.Cause))
}

// Of failures by which something is away, so many are logged in a second, and of the
// others one in so many.
const (
	outageLines = 10
	outageEach  = 100
)

// sampleOutages is a log of failures that come in thousands.
func sampleOutages(log *zap.Logger) *zap.Logger {
	return log.WithOptions(zap.WrapCore(func(core zapcore.Core) zapcore.Core {
		return zapcore.NewSamplerWithOptions(core, time.Second, outageLines, outageEach)
	}))
}

// Param is a part of the path.
func (c *Call) Param(name string) string { return c.Fiber.Params(name) }

// Query is a query parameter.
func (c *Call) Query(name string) (value string, given bool) {
	args := c.Fiber.Context().QueryArgs()
	return string(args.Peek(name)), args.Has(name)
}

// Header is a header of the request.
func (c *Call) Header(name string) string { return string(c.Fiber.Request().Header.Peek(name)) }

// Headers is a header of the request as often as it stands there.
func (c *Call) Headers(name string) []string {
	var out []string
	for _, v := range c.Fiber.Request().Header.PeekAll(name) {
		out = append(out, string(v))
	}
	return out
}

// Set sets a header of the reply.
func (c *Call) Set(name, value string) { set(&c.Fiber.Response().Header, name, value) }

// set writes a header's name as its specification does, where the library
// would spell it another way. Clients must not care, but people read them.
func set(h *fasthttp.ResponseHeader, name, value string) {
	switch name {
	case "RateLimit", "RateLimit-Policy", "API-Version", "WWW-Authenticate":
		h.SetCanonical([]byte(name), []byte(value))
	default:
		h.Set(name, value)
	}
}

// Body is the request's body as it arrives; never nil.
func (c *Call) Body() *Body { return c.body }

// JSON replies with a value.
func (c *Call) JSON(status int, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode reply: %w", err)
	}
	return c.Bytes(status, "application/json", append(data, '\n')) // a line of its own in a terminal
}

// JSONSetApart replies as JSON does, with text that strangers wrote set apart from our
// sentences.
func (c *Call) JSONSetApart(status int, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode reply: %w", err)
	}
	return c.Bytes(status, "application/json", append(Words.SetApart(data), '\n'))
}

// Bytes replies with what it is given.
func (c *Call) Bytes(status int, contentType string, data []byte) error {
	c.Fiber.Status(status)
	c.Set(fiber.HeaderContentType, contentType)
	c.Fiber.Response().SetBodyRaw(data)
	return nil
}

// AnswerNotModified answers a conditional GET whose ETag the client has; it reports
// whether it did. Otherwise the ETag is set on the reply to come.
func (c *Call) AnswerNotModified(etag string) bool {
	c.Set("ETag", etag)
	for part := range strings.SplitSeq(c.Header("If-None-Match"), ",") {
		if part = strings.TrimPrefix(strings.TrimSpace(part), "W/"); part == etag || part == "*" {
			c.Fiber.Status(http.StatusNotModified)
			return true
		}
	}
	return false
}

// Keep has the connection keep its place until the reply is made: who calls may.
func (c *Call) Keep() {
	if g, ok := c.Fiber.Context().Conn().(*gentleConn); ok {
		g.place.Keep()
	}
}

type callKey struct{}

func callOf(ctx *fasthttp.RequestCtx) *Call {
	c, _ := ctx.UserValue(callKey{}).(*Call)
	return c
}
