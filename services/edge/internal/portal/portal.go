// Package portal is the pages at which members of an account look after it by themselves:
// who they are by a code sent to their address, what they may by their role. Each page
// reads the account's last event, so what the console or another member ends is ended with
// the next request. Changes are commands to the console service, which holds them to the
// member's role once more and records them.
package portal

import (
	"context"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/failedrequests"
	"boardorder/pkg/guess"
	"boardorder/pkg/session"
	"boardorder/services/edge/internal/dispatch"
	"boardorder/services/edge/internal/endpoint"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/web"
)

// root is where the portal lies.
const root = "/portal"

// Config is what the pages work with.
type Config struct {
	*dispatch.Client
	Log      aggregate.Log
	Sessions *session.Sessions
	Codes    Bucket
	Uses     Notes // when each key was last used

	Endpoints *endpoint.Endpoints
	Failed    failedrequests.Values
	Hourly    *guess.Counter // within [contract.CodeAttemptWindow]
	Soon      *guess.Counter // within [accounts.SignInCodeTTL]
	Network   func(*web.Call) (string, error)
	Address   func(*web.Call) string // that a call comes from
	Limiter   *limit.Limiter
	Quota     func(account accounts.Account, p limit.Policy) limit.Policy
	Shop      string
	Secure    bool // reached by HTTPS only
}

// Notes are values by key.
type Notes interface {
	Get(ctx context.Context, key string) (value []byte, rev uint64, err error)
}

// A Bucket keeps values by key, as a bucket of the broker does.
type Bucket interface {
	Get(ctx context.Context, key string) (value []byte, rev uint64, err error)
	Create(ctx context.Context, key string, value []byte) (rev uint64, err error)
	Update(ctx context.Context, key string, value []byte, rev uint64) (next uint64, err error)
}

// Portal is the pages.
type Portal struct {
	Config
	pages *pages
}

// New makes them.
func New(cfg Config) (*Portal, error) {
	p, err := newPages()
	return &Portal{cfg, p}, err
}

// A row is one page or form for members.
type row struct {
	method, path string
	needs        accounts.Right // "" = every member's
	fresh        bool           // needs a code that was entered lately; its path has a page
	handle       func(*call) error
}

// table is all that members can open and do.
func (p *Portal) table() []row {
	return []row{
		{method: "GET", path: root, handle: p.home},
		{method: "GET", path: root + "/details", needs: accounts.ManageAccount, fresh: true, handle: p.detailsPage},
		{method: "POST", path: root + "/details", needs: accounts.ManageAccount, fresh: true, handle: p.setDetails},
		{method: "GET", path: root + "/keys", handle: p.keysPage},
		{method: "GET", path: root + "/keys/new-test", needs: accounts.ManageKeys, handle: p.newKeyPage(false)},
		{method: "POST", path: root + "/keys/new-test", needs: accounts.ManageKeys, handle: p.newKey(false)},
		{method: "GET", path: root + "/keys/new-live", needs: accounts.ManageKeys, fresh: true, handle: p.newKeyPage(true)},
		{method: "POST", path: root + "/keys/new-live", needs: accounts.ManageKeys, fresh: true, handle: p.newKey(true)},
		{method: "GET", path: root + "/keys/{key}/rotate", needs: accounts.ManageKeys, fresh: true, handle: p.rotatePage},
		{method: "POST", path: root + "/keys/{key}/rotate", needs: accounts.ManageKeys, fresh: true, handle: p.rotate},
		{method: "GET", path: root + "/keys/{key}/change", needs: accounts.ManageKeys, fresh: true, handle: p.changeKeyPage},
		{method: "POST", path: root + "/keys/{key}/change", needs: accounts.ManageKeys, fresh: true, handle: p.changeKey},
		{method: "GET", path: root + "/keys/{key}/revoke", needs: accounts.ManageKeys, handle: p.revokePage},
		{method: "POST", path: root + "/keys/{key}/revoke", needs: accounts.ManageKeys, handle: p.revoke},
		{method: "GET", path: root + "/webhooks", needs: accounts.ManageWebhooks, handle: p.webhooksPage},
		{method: "GET", path: root + "/webhooks/add", needs: accounts.ManageWebhooks, fresh: true, handle: p.newEndpointPage},
		{method: "POST", path: root + "/webhooks/add", needs: accounts.ManageWebhooks, fresh: true, handle: p.newEndpoint},
		{method: "GET", path: root + "/webhooks/{endpoint}", needs: accounts.ManageWebhooks, handle: p.requireEndpoint(p.endpointPage)},
		{method: "GET", path: root + "/webhooks/{endpoint}/change", needs: accounts.ManageWebhooks, fresh: true, handle: p.requireEndpoint(p.changeEndpointPage)},
		{method: "POST", path: root + "/webhooks/{endpoint}/change", needs: accounts.ManageWebhooks, fresh: true, handle: p.requireEndpoint(p.changeEndpoint)},
		{method: "GET", path: root + "/webhooks/{endpoint}/rotate", needs: accounts.ManageWebhooks, fresh: true, handle: p.requireEndpoint(p.rotateSecretPage)},
		{method: "POST", path: root + "/webhooks/{endpoint}/rotate", needs: accounts.ManageWebhooks, fresh: true, handle: p.requireEndpoint(p.rotateSecret)},
		{method: "GET", path: root + "/webhooks/{endpoint}/delete", needs: accounts.ManageWebhooks, handle: p.requireEndpoint(p.deleteEndpointPage)},
		{method: "POST", path: root + "/webhooks/{endpoint}/delete", needs: accounts.ManageWebhooks, handle: p.requireEndpoint(p.deleteEndpoint)},
		{method: "POST", path: root + "/webhooks/{endpoint}/status", needs: accounts.ManageWebhooks, handle: p.requireEndpoint(p.setStatus)},
		{method: "POST", path: root + "/webhooks/{endpoint}/test", needs: accounts.ManageWebhooks, handle: p.requireEndpoint(p.testEndpoint)},
		{method: "POST", path: root + "/webhooks/{endpoint}/resend", needs: accounts.ManageWebhooks, handle: p.requireEndpoint(p.resendEvents)},
		{method: "GET", path: root + "/webhooks/{endpoint}/deliveries/{number}", needs: accounts.ManageWebhooks, handle: p.requireEndpoint(p.deliveryPage)},
		{method: "GET", path: root + "/usage", handle: p.usage},
		{method: "GET", path: root + "/requests", handle: p.requestsPage},
		{method: "GET", path: root + "/quotes", handle: p.quotesPage},
		{method: "GET", path: root + "/orders", handle: p.ordersPage},
		{method: "GET", path: root + "/orders/{quote}/invoices/{n}", needs: accounts.SeeInvoices, handle: p.invoice},
		{method: "GET", path: root + "/members", needs: accounts.ManageMembers, handle: p.membersPage},
		{method: "GET", path: root + "/members/add", needs: accounts.ManageMembers, fresh: true, handle: p.newMemberPage},
		{method: "POST", path: root + "/members/add", needs: accounts.ManageMembers, fresh: true, handle: p.addMember},
		{method: "GET", path: root + "/members/{member}", needs: accounts.ManageMembers, fresh: true, handle: p.memberPage},
		{method: "POST", path: root + "/members/{member}", needs: accounts.ManageMembers, fresh: true, handle: p.changeMember},
		{method: "POST", path: root + "/change", handle: p.change},
		{method: "POST", path: root + "/sessions", handle: p.endSession},
		{method: "POST", path: root + "/sign-out", handle: p.signOut},
		{method: "GET", path: root + "/confirm", handle: p.confirmPage},
		{method: "POST", path: root + "/confirm", handle: p.sendConfirmation},
		{method: "GET", path: root + "/confirm/code", handle: p.confirmCodePage},
		{method: "POST", path: root + "/confirm/code", handle: p.confirmCode},
	}
}

// Routes lists the pages.
func (p *Portal) Routes() []web.Route {
	routes := []web.Route{
		{Method: "GET", Path: root + "/sign-in", Handle: p.signInPage},
		{Method: "POST", Path: root + "/sign-in", Limit: &limit.SignInCodes, Handle: p.signIn},
		{Method: "GET", Path: root + "/code", Handle: p.codePage},
		{Method: "POST", Path: root + "/code", Limit: &limit.SignInCodes, Handle: p.enterCode},
		p.pages.style.route(),
	}
	for _, r := range p.table() {
		routes = append(routes, web.Route{Method: r.method, Path: r.path, Handle: p.serve(r)})
	}
	for i := range routes {
		r := &routes[i]
		quota := limit.Pages
		if r.Limit != nil {
			quota = *r.Limit
		}
		r.Access, r.Page, r.Limit, r.Handle = web.Public, true, nil, p.page(quota, r.Handle)
	}
	return routes
}

// load reads an account as of now.
func (p *Portal) load(ctx context.Context, id string) (accounts.Account, error) {
	snap, err := aggregate.At[accounts.Account](p.Log, contract.AccountAggregate, id).Load(ctx)
	return snap.State, err
}

// recent is how long a code proves who somebody is for what needs a fresh one.
const recent = 10 * time.Minute
