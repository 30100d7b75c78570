package web

import (
	"context"

	"boardorder/pkg/contract"
	"boardorder/pkg/session"
	"boardorder/pkg/status"
	"boardorder/services/console/internal/download"
	"boardorder/services/console/internal/pages/accounts"
	"boardorder/services/console/internal/pages/approvals"
	"boardorder/services/console/internal/pages/customers"
	"boardorder/services/console/internal/pages/deadletters"
	"boardorder/services/console/internal/pages/events"
	"boardorder/services/console/internal/pages/failures"
	"boardorder/services/console/internal/pages/find"
	"boardorder/services/console/internal/pages/formal"
	"boardorder/services/console/internal/pages/incidents"
	"boardorder/services/console/internal/pages/orders"
	"boardorder/services/console/internal/pages/overview"
	"boardorder/services/console/internal/pages/providers"
	"boardorder/services/console/internal/pages/quotes"
	"boardorder/services/console/internal/pages/reviews"
	"boardorder/services/console/internal/pages/sessions"
	"boardorder/services/console/internal/pages/signin"
	"boardorder/services/console/internal/pages/streams"
	"boardorder/services/console/internal/pages/told"
	"boardorder/services/console/internal/pages/trail"
	"boardorder/services/console/internal/pages/uploads"
	"boardorder/services/console/internal/pages/webhooks"
)

// sections are the packages of pages, each with what it needs.
type sections struct {
	signin      signin.Section
	sessions    sessions.Section
	overview    overview.Section
	providers   providers.Section
	reviews     reviews.Section
	approvals   approvals.Section
	quotes      quotes.Section
	orders      orders.Section
	formal      formal.Section
	customers   customers.Section
	uploads     uploads.Section
	events      *events.Section
	streams     streams.Section
	deadletters deadletters.Section
	accounts    accounts.Section
	incidents   incidents.Section
	told        told.Section
	webhooks    webhooks.Section
	failures    failures.Section
	trail       trail.Section
	find        find.Section
}

func open(ctx context.Context, d Deps) (*sections, error) {
	uses, err := d.Bus.Bucket(ctx, contract.APIKeyUseBucket)
	if err != nil {
		return nil, err
	}
	flags, err := d.Bus.Bucket(ctx, contract.APIKeyFlagsBucket)
	if err != nil {
		return nil, err
	}
	members, err := d.Bus.Bucket(ctx, contract.PortalSessionsBucket)
	if err != nil {
		return nil, err
	}
	reports, err := d.Bus.Bucket(ctx, contract.ProviderHealthBucket)
	if err != nil {
		return nil, err
	}
	sent, err := d.Bus.Bucket(ctx, contract.EmailsSentBucket)
	if err != nil {
		return nil, err
	}
	written, err := d.Bus.Bucket(ctx, contract.StatusIncidentsBucket)
	if err != nil {
		return nil, err
	}
	delivered, err := d.Bus.Bucket(ctx, contract.WebhookProgressBucket)
	if err != nil {
		return nil, err
	}
	failed, err := d.Bus.Bucket(ctx, contract.FailedRequestsBucket)
	if err != nil {
		return nil, err
	}
	files := download.Files{Docs: d.Docs, Blobs: d.Blobs, Log: d.Log}
	s := &sections{
		signin: signin.Section{
			Book: d.Book, Sessions: d.Sessions, Factors: d.Factors, OIDC: d.OIDC, Link: d.Link, LinkFor: d.LinkFor, Attempts: d.Attempts,
			Log: d.Log, Now: d.Now, Secure: d.Secure, NeedFactor: d.NeedFactor,
		},
		sessions:    sessions.Section{Book: d.Book, Sessions: d.Sessions, Factors: d.Factors},
		overview:    overview.Section{Docs: d.Docs, Bus: d.Bus, Now: d.Now, Sales: new(overview.Sales), Health: reports},
		providers:   providers.Section{Health: reports, Now: d.Now},
		reviews:     reviews.Section{Docs: d.Docs, Now: d.Now, MaxCents: d.Limits.PriceCents},
		approvals:   approvals.Section{Docs: d.Docs, Book: d.Book, Ask: d.Ask, Now: d.Now},
		quotes:      quotes.Section{Letters: sent, Docs: d.Docs, Bus: d.Bus, Files: files, Now: d.Now},
		orders:      orders.Section{Letters: sent, Docs: d.Docs, Bus: d.Bus, Files: files, Ask: d.Ask, Log: d.Log, Now: d.Now, MaxRefundCents: d.Limits.RefundCents},
		formal:      formal.Section{Letters: sent, Docs: d.Docs, Files: files, Now: d.Now, MaxCents: d.Limits.PriceCents},
		customers:   customers.Section{Letters: sent, Docs: d.Docs, Bus: d.Bus, Now: d.Now},
		uploads:     uploads.Section{Docs: d.Docs},
		events:      events.New(d.Bus, d.Sessions, d.Log, d.Now),
		streams:     streams.Section{Bus: d.Bus, Now: d.Now},
		deadletters: deadletters.Section{Bus: d.Bus},
		accounts:    accounts.Section{Docs: d.Docs, Ask: d.Ask, Uses: uses, Flags: flags, Members: session.NewPortal(members, d.Keys, d.Now), Now: d.Now},
		incidents:   incidents.Section{Incidents: status.Incidents{Bucket: written}, Now: d.Now},
		told:        told.Section{Docs: d.Docs, Events: d.Bus},
		webhooks:    webhooks.Section{Docs: d.Docs, Progress: delivered},
		failures:    failures.Section{Docs: d.Docs, Bucket: failed, Now: d.Now},
		trail:       trail.Section{Docs: d.Docs, Bus: d.Bus},
		find:        find.Section{Docs: d.Docs, Now: d.Now},
	}
	s.signin.Home = s.overview.Show
	return s, nil
}
