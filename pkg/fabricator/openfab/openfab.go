// Package openfab speaks the open API of a fabricator: it uploads design
// files, asks prices, places orders and follows them.
//
// It believes nothing before it has checked it. An answer that is late, torn,
// of the wrong form or that does not add up is fabricator.Unavailable, never a
// wrong price; a create whose outcome is not certain is fabricator.Unknown.
// Nothing here sends a create twice: the API has no idempotency key, so the
// caller writes its intent down, calls Place once, and asks FindOrder before it
// ever calls it again.
package openfab

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"

	"boardorder/pkg/circuit"
	"boardorder/pkg/provider"
	"boardorder/pkg/trace"
)

// Config says where the fabricator is, who we are there, and how much of it we
// use. Zero values of everything below the credentials mean the default.
type Config struct {
	Name      string // public, as metrics name it; "fabricator"
	URL       string // https://host, without the API's own path
	AppID     string
	AccessKey string
	SecretKey string

	Currency      string        // of all its prices; USD
	Timeout       time.Duration // of one call; 20 s
	UploadTimeout time.Duration // of one upload; 2 min
	Parallel      int           // calls at a time; 8
	PerSecond     float64       // calls; 10
	PriceTTL      time.Duration // how long a price may be used again; 60 s
	DriftPercent  int64         // how much a price may have risen when an order is placed; 5
	TripAfter     uint32        // failures in a row that open the circuit; 5
	TripFor       time.Duration // how long it stays open; 15 s

	Now       func() time.Time  // time.Now
	Transport http.RoundTripper // a transport of its own
}

// responseCap bounds what is read of any answer.
const responseCap = 8 << 20

// A Client is a connection to the fabricator. It is safe for concurrent use.
type Client struct {
	cfg     Config
	base    *url.URL
	http    *http.Client
	sign    signer
	slots   chan struct{}
	bucket  *rate.Limiter
	breaker *circuit.Breaker[[]byte]

	prices  priceCache
	flights singleflight.Group

	standard sync.Map // orderClass -> hours of the standard build, as last seen
}

// New checks the configuration and returns a client. It calls nobody.
func New(cfg Config) (*Client, error) {
	base, err := cfg.check()
	if err != nil {
		return nil, err
	}
	cfg.defaults()
	c := &Client{
		cfg:  cfg,
		base: base,
		http: &http.Client{
			Transport:     trace.Transport(cfg.Transport),
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		sign:   signer{app: cfg.AppID, key: cfg.AccessKey, secret: []byte(cfg.SecretKey)},
		slots:  make(chan struct{}, cfg.Parallel),
		bucket: rate.NewLimiter(rate.Limit(cfg.PerSecond), max(1, int(2*cfg.PerSecond))),
		prices: priceCache{entries: make(map[string]cachedPrice)},
	}
	c.breaker = circuit.New[[]byte](circuit.Settings{
		Company: cfg.Name, Kind: provider.Fabricator, TripAfter: cfg.TripAfter, TripFor: cfg.TripFor,
		Healthy: func(err error) bool { return !unhealthy(err) },
		Ignored: func(err error) bool { return errors.Is(err, errCallerLeft) },
	})
	return c, nil
}

func (cfg *Config) check() (*url.URL, error) {
	base, err := url.Parse(strings.TrimRight(cfg.URL, "/"))
	var errs []error
	if err != nil || base.Host == "" || (base.Scheme != "https" && base.Scheme != "http") {
		errs = append(errs, errors.New("the fabricator's URL is not an http(s) address"))
	}
	for name, v := range map[string]string{"app id": cfg.AppID, "access key": cfg.AccessKey, "secret key": cfg.SecretKey} {
		if v == "" || strings.ContainsAny(v, "\"\r\n") {
			errs = append(errs, fmt.Errorf("the fabricator's %s is missing or malformed", name))
		}
	}
	return base, errors.Join(errs...)
}

func (cfg *Config) defaults() {
	setDefault(&cfg.Name, "fabricator")
	setDefault(&cfg.Currency, "USD")
	setDefault(&cfg.Timeout, 20*time.Second)
	setDefault(&cfg.UploadTimeout, 2*time.Minute)
	setDefault(&cfg.Parallel, 8)
	setDefault(&cfg.PerSecond, 10)
	setDefault(&cfg.PriceTTL, time.Minute)
	setDefault(&cfg.DriftPercent, 5)
	setDefault(&cfg.TripAfter, 5)
	setDefault(&cfg.TripFor, 15*time.Second)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.MaxIdleConnsPerHost = cfg.Parallel
		t.IdleConnTimeout = 30 * time.Second
		cfg.Transport = t
	}
}

func setDefault[T comparable](v *T, d T) {
	if *v == *new(T) {
		*v = d
	}
}
