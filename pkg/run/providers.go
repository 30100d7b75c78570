package run

import (
	"context"

	"boardorder/pkg/contract"
	"boardorder/pkg/provider"

	"golang.org/x/sync/errgroup"
)

// ReportProviders runs a service that calls external providers, and beside it says how they
// do, for the operators to see.
func ReportProviders(ctx context.Context, d Deps, s Service) (Service, error) {
	reports, err := d.Bus.Bucket(ctx, contract.ProviderHealthBucket)
	if err != nil {
		return nil, err
	}
	return Func(func(ctx context.Context) error {
		group, ctx := errgroup.WithContext(ctx)
		group.Go(func() error { return provider.Process.Publish(ctx, reports, d.Now) })
		group.Go(func() error { return s.Run(ctx) })
		return group.Wait()
	}), nil
}
