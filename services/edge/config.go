package edge

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/page"
)

// Config is how the edge serves. Zero values stand for the defaults.
type Config struct {
	// PublicURL is how clients reach the edge: scheme, host and perhaps a path,
	// such as https://api.example.com. Required.
	PublicURL string `env:"PUBLIC_URL"`
	// TrustedProxies are the addresses and networks whose X-Forwarded-For is
	// believed; none by default. Behind a proxy that is not listed all clients
	// count as one.
	TrustedProxies []string `env:"TRUSTED_PROXIES"`
	// SecurityContact is where weaknesses are reported: an address that begins
	// with mailto:, https: or tel:. Default a sample, which says that it is one.
	SecurityContact string `env:"SECURITY_CONTACT"`
	// CardWebhookSecrets sign the card processor's notices; two while the
	// secret is being changed, and one more for the processor's test mode: a
	// notice is a hint, and the mode follows from the checkout that it names.
	CardWebhookSecrets []string `env:"CARD_WEBHOOK_SECRETS"`
	// CardPages say where the card processor's payment pages are. Shoppers
	// are led elsewhere too, by way of a page in between. Default
	// https://checkout.stripe.com.
	CardPages []string `env:"CARD_PAGES"`
	// Shop is the shop's name, on pages and in e-mails. Default "Board Ordering".
	Shop string `env:"SHOP_NAME"`
	// ShopAccount is whose the uploads and quotes are of people who order at the service's own
	// address without an API key. Without it nobody can, and the address speaks to developers
	// alone.
	ShopAccount string `env:"SHOP_ACCOUNT"`
	// ShopLimits are that account's own, by policy, where they differ from the usual:
	// uploads-day:400,quotes-day:4000.
	ShopLimits map[string]int `env:"SHOP_LIMITS"`
	// LegalDir holds the shop's legal texts, as Markdown: terms.md,
	// withdrawal.md, privacy.md, imprint.md and contact.md. What is not there
	// is a sample, which says that it is one.
	LegalDir string `env:"LEGAL_DIR"`
	// MaxWaiters is how many requests may wait at once; beyond it the answer
	// is 202 at once. Default 20000.
	MaxWaiters int `env:"MAX_WAITERS"`
	// MaxUploads is how many forms are received at once. Default 256.
	MaxUploads int `env:"MAX_UPLOADS"`
	// UploadTimeout is how long an upload waits to be unpacked. Default 170 s.
	UploadTimeout time.Duration `env:"UPLOAD_TIMEOUT"`
	// FormalTimeout is how long a formal order waits to be confirmed. Default 30 s.
	FormalTimeout time.Duration `env:"CENTRAL_TIMEOUT"`
	// DailyQuotas change what an account may have in 24 hours, by policy:
	// quotes-day:2000,link-quotes-day:4000,assemblies-day:220,uploads-day:800,
	// design-checks-day:500,part-checks-day:400,orders-day:45,buy-links-day:95 are the defaults.
	DailyQuotas map[string]int `env:"DAILY_QUOTAS"`
	// Distributors are the public names of the distributors whose numbers part lines may
	// give, as the part-sourcing service has them. Default distributor_a, distributor_b.
	Distributors []string `env:"DISTRIBUTORS"`
	// WebhookSources are the addresses and networks that deliveries to webhook endpoints come
	// from, as clients are shown them to let them in: 192.0.2.7,2001:db8::/64.
	WebhookSources []string `env:"WEBHOOK_SOURCE_ADDRESSES"`
	// WebhookLoopback lets webhook endpoints be on this machine, also without TLS: for a system on
	// a developer's machine.
	WebhookLoopback bool `env:"WEBHOOK_ALLOW_LOOPBACK"`
	// Grace is how long running requests have to end. Default 20 s.
	Grace time.Duration `env:"SHUTDOWN_GRACE"`
}

func (c Config) complete() (Config, error) {
	var errs []error
	c.PublicURL = strings.TrimRight(c.PublicURL, "/")
	u, err := url.Parse(c.PublicURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || strings.ContainsAny(c.PublicURL, "'\"\\ $`") {
		errs = append(errs, fmt.Errorf("PUBLIC_URL %q is no address such as https://api.example.com", c.PublicURL))
	}
	if !page.ValidContact(c.SecurityContact) {
		errs = append(errs, fmt.Errorf("SECURITY_CONTACT %q is no address such as mailto:security@example.com", c.SecurityContact))
	}
	if c.MaxWaiters < 0 || c.MaxUploads < 0 || c.UploadTimeout < 0 || c.FormalTimeout < 0 || c.Grace < 0 {
		errs = append(errs, errors.New("MAX_WAITERS, MAX_UPLOADS, UPLOAD_TIMEOUT, CENTRAL_TIMEOUT and SHUTDOWN_GRACE cannot be negative"))
	}
	if c.ShopAccount != "" && !contract.ValidToken(c.ShopAccount) {
		errs = append(errs, fmt.Errorf("SHOP_ACCOUNT %q is no id of an account such as acc_shop", c.ShopAccount))
	}
	for name, quota := range c.ShopLimits {
		if quota < 1 || !slices.ContainsFunc(limit.Policies(), func(p limit.Policy) bool { return p.Name == name }) {
			errs = append(errs, fmt.Errorf("SHOP_LIMITS: %s:%d is no limit such as %s:%d", name, quota, limit.UploadsDay.Name, limit.UploadsDay.Quota))
		}
	}
	for name, quota := range c.DailyQuotas {
		if quota < 1 || !slices.ContainsFunc(limit.Daily(), func(p limit.Policy) bool { return p.Name == name }) {
			errs = append(errs, fmt.Errorf("DAILY_QUOTAS: %s:%d is no quota such as %s:%d", name, quota, limit.QuotesDay.Name, limit.QuotesDay.Quota))
		}
	}
	for _, text := range c.WebhookSources {
		if _, err := accounts.ParseNetworks(text); err != nil {
			errs = append(errs, fmt.Errorf("WEBHOOK_SOURCE_ADDRESSES: %w", err))
		}
	}
	if len(c.CardPages) == 0 {
		c.CardPages = []string{"https://checkout.stripe.com"}
	}
	if len(c.Distributors) == 0 {
		c.Distributors = []string{"distributor_a", "distributor_b"}
	}
	setDefault(&c.Shop, "Board Ordering")
	setDefault(&c.MaxWaiters, 20_000)
	setDefault(&c.MaxUploads, 256)
	setDefault(&c.UploadTimeout, 170*time.Second)
	setDefault(&c.FormalTimeout, 30*time.Second)
	setDefault(&c.Grace, 20*time.Second)
	return c, errors.Join(errs...)
}

func (c Config) secure() bool { return strings.HasPrefix(c.PublicURL, "https:") }

func setDefault[T comparable](v *T, usual T) {
	if *v == *new(T) {
		*v = usual
	}
}
