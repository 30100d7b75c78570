// Package supplierstest gives tests every supplier's adapter, talking to the
// simulator over HTTP on loopback.
package supplierstest

import (
	"context"
	"testing"
	"time"

	"boardorder/deploy/simulator"
	"boardorder/deploy/simulator/fabricator"
	"boardorder/deploy/simulator/parts"
	"boardorder/pkg/fabricator/openfab"
	"boardorder/services/part-sourcing/internal/digikey"
	"boardorder/services/part-sourcing/internal/fablib"
	"boardorder/services/part-sourcing/internal/mouser"
	"boardorder/services/part-sourcing/internal/nexar"
	"boardorder/services/part-sourcing/internal/outside"
)

// A World is the simulator and the adapters.
type World struct {
	Sim     *simulator.Simulator
	Fab     *fablib.Client
	OpenFab *openfab.Client
	A       *digikey.Client
	B       *mouser.Client
	Search  *nexar.Client
}

// Options are what tests change; zero values are the usual ones.
type Options struct {
	Sim            simulator.Config
	QuotaA, QuotaB outside.Quota
	Timeout        time.Duration
	SecretA, KeyB  string
	Index          bool // with an index of the fabricator's library
}

// Start starts a simulator for the test and makes the adapters.
func Start(t testing.TB, o Options) *World {
	t.Helper()
	o.Sim.DataDir = t.TempDir()
	sim, err := simulator.New(o.Sim, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- sim.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	w := Adapters(t, sim, o)
	if o.Index {
		index, err := fablib.Build(t.Context(), w.OpenFab)
		fail(t, err)
		w.Fab.Use(index)
	}
	return w
}

// Adapters makes adapters that talk to a simulator that runs.
func Adapters(t testing.TB, sim *simulator.Simulator, o Options) *World {
	t.Helper()
	w := &World{Sim: sim}
	var err error
	setDefault(&o.SecretA, parts.ClientSecret)
	setDefault(&o.KeyB, parts.APIKey)
	base := sim.PartsURL()
	w.OpenFab, err = openfab.New(openfab.Config{
		URL: sim.FabricatorURL(), AppID: fabricator.AppID, AccessKey: fabricator.AccessKey, SecretKey: fabricator.SecretKey, PerSecond: 1000, Timeout: o.Timeout,
	})
	fail(t, err)
	w.Fab = fablib.New(w.OpenFab, 304, time.Now)
	w.A, err = digikey.New(digikey.Config{
		URL: base + "/digikey", ClientID: parts.ClientID, ClientSecret: o.SecretA, Name: "distributor_a", Quota: o.QuotaA, Timeout: o.Timeout,
	})
	fail(t, err)
	w.B, err = mouser.New(mouser.Config{URL: base + "/mouser", APIKey: o.KeyB, Name: "distributor_b", Quota: o.QuotaB, Timeout: o.Timeout})
	fail(t, err)
	w.Search, err = nexar.New(nexar.Config{
		URL: base + "/nexar", IdentityURL: base + "/nexar", ClientID: parts.ClientID, ClientSecret: parts.ClientSecret, Name: "aggregator", Similar: true, Lifecycle: true, Timeout: o.Timeout,
	})
	fail(t, err)
	return w
}

func setDefault(v *string, d string) {
	if *v == "" {
		*v = d
	}
}

func fail(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
