package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/door"
	"boardorder/pkg/language"
	"boardorder/pkg/trace"
	"boardorder/services/edge/internal/problem"

	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/valyala/fasthttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"
	oteltrace "go.opentelemetry.io/otel/trace"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// Version is the version of the interface, sent with each reply.
const Version = "1.0.0"

const (
	readTimeout  = 10 * time.Second // for the headers; bodies have their own
	writeTimeout = time.Minute
	idleTimeout  = time.Minute
	headerBytes  = 8 << 10
	bodyBuffer   = 64 << 10
)

// Config is what a server needs.
type Config struct {
	Log     *zap.Logger
	Metrics prometheus.Registerer // may be nil
	Now     func() time.Time
	Proxies []string // addresses and networks whose X-Forwarded-For is believed
	Secure  bool     // served over HTTPS: promise it
	// Before runs before each route's own handler: who calls, and how often.
	Before func(*Call) error
	// Refused runs after a route that ended with an error, and with nil after one that
	// answered with what came of an earlier call.
	Refused func(*Call, *problem.Problem)
	// ErrorPage is what a browser that was sent to an address sees of a problem, with
	// the policy for its content; nil: everybody gets JSON.
	ErrorPage func(l *language.Printer, p *problem.Problem, requestID string) (html []byte, policy string, err error)
	// Stopping is called once the server stops taking new connections: whoever
	// waits must be answered.
	Stopping func()
}

// Server answers requests by its routes.
type Server struct {
	cfg     Config
	app     *fiber.App
	inner   fasthttp.RequestHandler
	proxies door.Proxies
	metrics *metrics
	outages *zap.Logger
	stopped atomic.Bool
	noProxy sync.Once // warned that proxies are not trusted
}

// New builds a server of routes.
func New(cfg Config, routes []Route) (*Server, error) {
	trusted, err := door.ParseProxies(cfg.Proxies)
	if err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, proxies: trusted, metrics: newMetrics(cfg.Metrics), outages: sampleOutages(cfg.Log)}
	s.app = fiber.New(fiber.Config{
		CaseSensitive: true, StrictRouting: true, Immutable: true,
		DisableStartupMessage: true, DisableKeepalive: false,
		StreamRequestBody: true, DisablePreParseMultipartForm: true, BodyLimit: bodyBuffer,
		ReadBufferSize: headerBytes, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		ErrorHandler: s.fail,
	})
	for i := range routes {
		s.add(&routes[i])
	}
	s.inner = s.app.Handler()
	server := s.app.Server()
	server.Handler = s.serve
	server.CloseOnShutdown = true
	return s, nil
}

func (s *Server) add(r *Route) {
	handle := func(f *fiber.Ctx) error {
		c := callOf(f.Context())
		c.Fiber, c.Route = f, r
		err := s.answer(c)
		switch {
		case s.cfg.Refused == nil:
		case f.GetRespHeader(Replayed) != "":
			s.cfg.Refused(c, nil)
		case err != nil:
			s.cfg.Refused(c, problem.Find(err))
		}
		return err
	}
	if r.Method == http.MethodGet {
		s.app.Get(r.fiberPath(), handle) // answers HEAD too
		return
	}
	s.app.Add(r.Method, r.fiberPath(), handle)
}

func (s *Server) answer(c *Call) error {
	if s.cfg.Before != nil {
		if err := s.cfg.Before(c); err != nil {
			return err
		}
	}
	return c.Route.Handle(c)
}

// Run serves until ctx ends, then lets running requests be answered for as
// long as grace. What is left by then is cut off.
func (s *Server) Run(ctx context.Context, ln net.Listener, grace time.Duration) error {
	bounds := door.Usual
	bounds.Exempt = s.proxies.Trust
	gentle := linger(door.Limit(ln, bounds), s.refuse)
	defer gentle.wait()
	served := make(chan error, 1)
	go func() { served <- s.app.Listener(gentle) }()
	select {
	case err := <-served:
		return fmt.Errorf("serve %s: %w", ln.Addr(), err)
	case <-ctx.Done():
	}
	accepting := true
	if gentle.finish() {
		<-served
		accepting = false
	}
	s.stopped.Store(true)
	if s.cfg.Stopping != nil {
		s.cfg.Stopping()
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	err := s.app.ShutdownWithContext(ending)
	_ = gentle.Close() // in case serving had not begun
	if accepting {
		<-served
	}
	if errors.Is(err, context.DeadlineExceeded) {
		s.cfg.Log.Warn("requests were cut off by the stop")
		err = nil
	}
	gentle.closeAll()
	if err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("stop serving %s: %w", ln.Addr(), err)
	}
	return nil
}

// serve is the life of one request, around the router.
func (s *Server) serve(f *fasthttp.RequestCtx) {
	c := s.begin(f)
	defer s.end(f, c)
	defer func() {
		if v := recover(); v != nil {
			c.Log().Error("handler panicked", zap.String("route", c.Route.Name()), zap.Any("panic", v), zap.ByteString("stack", debug.Stack()))
			f.Response.ResetBody()
			s.write(f, problem.Find(fmt.Errorf("panic: %v", v)))
		}
	}()
	if method := string(f.Method()); !standardMethod(method) {
		// The router knows no others; no route takes this one either.
		f.Request.Header.SetMethod(http.MethodTrace)
		defer f.Request.Header.SetMethod(method)
	}
	s.inner(f)
}

func (s *Server) begin(f *fasthttp.RequestCtx) *Call {
	now := s.cfg.Now()
	id := contract.NewID(contract.RequestPrefix, now)
	c := &Call{ID: id, log: s.cfg.Log, outages: s.outages, body: bodyOf(f), start: time.Now()}
	carrier := propagation.MapCarrier{"traceparent": string(f.Request.Header.Peek("traceparent"))}
	var span oteltrace.Span
	c.ctx, span = otel.Tracer("edge").Start(trace.Context.Extract(context.Background(), carrier), "request", oteltrace.WithSpanKind(oteltrace.SpanKindServer))
	f.SetUserValue(callKey{}, c)
	f.SetUserValue("span", span)
	s.headers(f, id)
	return c
}

func (s *Server) headers(f *fasthttp.RequestCtx, id string) {
	h := &f.Response.Header
	h.Set("Request-Id", id)
	set(h, "API-Version", Version)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	if s.cfg.Secure {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}

func (s *Server) end(f *fasthttp.RequestCtx, c *Call) {
	for _, f := range c.later {
		f()
	}
	// Who has no key is answered at once, whatever is still to come.
	stranger := c.Route != nil && c.Route.Access == ByKey && c.Caller.Key.ID == ""
	if stranger && !c.body.ended || !c.body.finish() {
		f.SetConnectionClose()
		sending(f.Conn())
	}
	if g, ok := f.Conn().(*gentleConn); ok {
		g.place.Wait() // also while the reply is sent: who does not read it only holds a place
	}
	if s.stopped.Load() {
		f.SetConnectionClose()
	}
	status, took := f.Response.StatusCode(), time.Since(c.start)
	if span, ok := f.UserValue("span").(oteltrace.Span); ok {
		span.SetName(string(f.Method()) + " " + c.Route.Name())
		span.End()
	}
	s.metrics.observe(string(f.Method()), c.Route.Name(), status, took)
	if line := c.log.Check(levelOf(status), "request"); line != nil {
		line.Write(append([]zap.Field{
			zap.String("request_id", c.ID), zap.String("method", methodLabel(string(f.Method()))), zap.String("route", c.Route.Name()),
			zap.Int("status", status), zap.Duration("took", took), zap.String("account", c.Caller.Account), zap.String("key", c.Caller.Key.ID), trace.ID(c.ctx),
		}, c.About...)...)
	}
}

// levelOf is how loud a request is logged: refusals of who asks are looked for.
func levelOf(status int) zapcore.Level {
	if status == http.StatusUnauthorized || status == http.StatusForbidden {
		return zap.WarnLevel
	}
	return zap.InfoLevel
}

// fail is the router's error handler. It also answers requests that could not
// be read at all, which have no call yet.
func (s *Server) fail(f *fiber.Ctx, err error) error {
	ctx := f.Context()
	c := callOf(ctx)
	if c == nil {
		c = &Call{ID: contract.NewID(contract.RequestPrefix, s.cfg.Now()), log: s.cfg.Log, outages: s.outages, ctx: context.Background()}
		s.headers(ctx, c.ID)
		ctx.SetConnectionClose()
		sending(ctx.Conn())
	}
	if e, ok := errors.AsType[*fiber.Error](err); ok {
		if e.Code == http.StatusMethodNotAllowed {
			f.Append("Allow", http.MethodOptions) // answered here, for every address
			if f.Method() == http.MethodOptions {
				return f.SendStatus(http.StatusNoContent)
			}
		}
		err = routerProblem(e)
	}
	p := problem.Find(err)
	if p.Status >= 500 {
		c.LogFailure(p)
	}
	s.write(ctx, p)
	if s.cfg.ErrorPage != nil && isVisit(ctx) {
		c.Fiber = f // which a request that could not be read has not given it
		s.writePage(ctx, p, c)
	}
	return nil
}

// isVisit reports whether somebody has opened the address in a browser: a program, a
// script of a page and a picture in one do not ask for HTML.
func isVisit(f *fasthttp.RequestCtx) bool {
	return (f.IsGet() || f.IsHead()) && strings.Contains(string(f.Request.Header.Peek("Accept")), "text/html")
}

// writePage puts a page in place of the JSON of a reply, whose status and headers stay.
func (s *Server) writePage(f *fasthttp.RequestCtx, p *problem.Problem, c *Call) {
	html, policy, err := s.cfg.ErrorPage(c.Language(), p, c.ID)
	if err != nil {
		s.cfg.Log.Error("the page of a refusal was not drawn", zap.Error(err), zap.String("request", c.ID))
		return
	}
	f.Response.Header.Set("Content-Security-Policy", policy)
	f.Response.Header.Set("Vary", "Accept, Accept-Language, Cookie")
	f.SetContentType("text/html; charset=utf-8")
	f.SetBody(html)
}

// NothingHere is what is said of an address that no route has.
const NothingHere = "There is nothing at this address. GET /openapi.json lists what there is."

func routerProblem(e *fiber.Error) *problem.Problem {
	switch e.Code {
	case http.StatusNotFound:
		return problem.New(contract.NotFound, NothingHere)
	case http.StatusMethodNotAllowed:
		return problem.New(contract.MethodNotAllowed, "This address does not take that method; the Allow header lists those it takes.")
	case http.StatusRequestEntityTooLarge:
		return problem.New(contract.BodyTooLarge, "The body is too large.")
	case http.StatusRequestHeaderFieldsTooLarge:
		return headersTooLarge()
	case http.StatusRequestTimeout:
		return problem.New(contract.InvalidRequest, "The request stopped arriving.").Answering(e.Code)
	default:
		return problem.New(contract.InvalidRequest, "The request is not valid HTTP.").Answering(http.StatusBadRequest)
	}
}

func (s *Server) write(f *fasthttp.RequestCtx, p *problem.Problem) {
	for k, v := range p.Headers() {
		set(&f.Response.Header, k, v)
	}
	f.Response.Header.Set("Cache-Control", "no-store")
	f.Response.Header.Del("ETag")
	f.SetStatusCode(p.Status)
	f.SetContentType("application/json")
	f.SetBody(Words.SetApart(encode(p.Body()), p.Untrusted...))
}

// Address is where a call came from.
func (s *Server) Address(c *Call) string {
	ctx := c.Fiber.Context()
	var forwarded []string
	for _, message := range ctx.Request.Header.PeekAll("X-Forwarded-For") {
		forwarded = append(forwarded, string(message))
	}
	if len(forwarded) > 0 && len(s.proxies) == 0 {
		s.noProxy.Do(func() {
			s.cfg.Log.Warn("requests name the client that they are forwarded for, but TRUSTED_PROXIES is empty: all count as one client")
		})
	}
	return s.proxies.Client(ctx.RemoteAddr().String(), forwarded)
}
