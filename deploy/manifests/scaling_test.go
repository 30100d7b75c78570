package manifests

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
)

// workers are the services that commands of clients and of other services make
// busy. The console has commands too, but people are not that quick.
func workers() map[string]bool {
	return map[string]bool{
		contract.AddFiles.Service: true, contract.ReadBoard.Service: true, contract.PriceQuote.Service: true,
		contract.BeginCheckout.Service: true, contract.SendLetter.Service: true,
	}
}

// consumers are what the bus makes for the workers.
func consumers(t *testing.T) map[string]bool {
	t.Helper()
	b := bustest.Start(t)
	for name := range workers() {
		bustest.Go(t, func(ctx context.Context) error {
			return b.Serve(ctx, bus.Work{Service: name, Claims: name == contract.PriceQuote.Service})
		})
	}
	found := map[string]bool{}
	bustest.Until(t, "all consumers", func() bool {
		states, err := b.States(t.Context())
		if err != nil {
			t.Error(err)
		}
		for _, s := range states {
			for _, c := range s.Consumers {
				found[s.Name+" "+c.Name] = true
			}
		}
		return len(found) == len(workers())+1 // pricing takes claims too
	})
	return found
}

// lag is the threshold that a service should have: twice what it has in hand.
func lag(t *testing.T, all []any, service string) string {
	t.Helper()
	name := strings.ToUpper(strings.ReplaceAll(service, "-", "_")) + "_PARALLEL"
	for _, d := range of[*apps.Deployment](all) {
		if d.Name != service {
			continue
		}
		vars, _ := variables(t, d.Spec.Template.Spec.Containers[0], configMaps(all))
		n, err := strconv.Atoi(vars[name])
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return strconv.Itoa(2 * n)
	}
	return ""
}

func TestWorkersGrowWithTheirLag(t *testing.T) {
	t.Parallel()
	all := build(t, "base")
	deployed := map[string]bool{}
	for _, d := range of[*apps.Deployment](all) {
		deployed[d.Name] = true
	}
	missing, made := workers(), consumers(t)
	for _, s := range of[*ScaledObject](all) {
		delete(missing, s.Name)
		if !deployed[s.Spec.ScaleTargetRef.Name] {
			t.Errorf("%s scales %q, which is not deployed", s.Name, s.Spec.ScaleTargetRef.Name)
			continue
		}
		for _, trigger := range s.Spec.Triggers {
			m := trigger.Metadata
			if trigger.Type != "nats-jetstream" || !made[m.Stream+" "+m.Consumer] || !strings.HasPrefix(m.Consumer, s.Name+"-v") {
				t.Errorf("%s looks at consumer %s of %s", s.Name, m.Consumer, m.Stream)
			}
			delete(made, m.Stream+" "+m.Consumer)
			if want := lag(t, all, s.Name); m.LagThreshold != want {
				t.Errorf("%s: threshold %s, want twice what one process has in hand: %s", s.Name, m.LagThreshold, want)
			}
		}
		if s.Spec.MinReplicaCount < 1 || s.Spec.MaxReplicaCount <= s.Spec.MinReplicaCount || s.Spec.CooldownPeriod < 180 {
			t.Errorf("%s: from %d to %d, cooldown %d s", s.Name, s.Spec.MinReplicaCount, s.Spec.MaxReplicaCount, s.Spec.CooldownPeriod)
		}
	}
	if len(missing) > 0 || len(made) > 0 {
		t.Errorf("not scaled: %v; nobody looks at %v", missing, made)
	}
}

func TestEdgesAreReachedForLongEnough(t *testing.T) {
	t.Parallel()
	for _, i := range of[*networking.Ingress](build(t, "base")) {
		if i.Name != "edge" {
			continue
		}
		for _, which := range []string{"read", "send"} {
			if got := i.Annotations["nginx.ingress.kubernetes.io/proxy-"+which+"-timeout"]; len(got) < 3 || got < "170" {
				t.Errorf("%s timeout is %q s; a request waits for 150 s and an upload for 170", which, got)
			}
		}
		return
	}
	t.Error("nothing leads to the edge")
}

func TestNothingIsTheLast(t *testing.T) {
	t.Parallel()
	all := build(t, "overlays/production")
	guarded := map[string]bool{}
	for _, b := range of[*policy.PodDisruptionBudget](all) {
		guarded[b.Spec.Selector.MatchLabels["app.kubernetes.io/name"]] = true
	}
	for _, d := range of[*apps.Deployment](all) {
		if !guarded[d.Name] {
			t.Errorf("%s has no disruption budget", d.Name)
		}
	}
	denied := false
	for _, n := range of[*networking.NetworkPolicy](all) {
		denied = denied || len(n.Spec.PodSelector.MatchLabels) <= 1 && len(n.Spec.Ingress) == 0 && len(n.Spec.Egress) == 0 && len(n.Spec.PolicyTypes) == 2
	}
	if !denied {
		t.Error("traffic is not denied unless allowed")
	}
	if got := configMaps(all)["boardorder"]["STREAM_REPLICAS"]; got != "3" {
		t.Errorf("production keeps %s replicas of its streams, want 3", got)
	}
}

// Services, budgets and policies select pods that there are.
func TestSelectorsFindPods(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, all []any) {
		var pods []map[string]string
		for _, d := range of[*apps.Deployment](all) {
			pods = append(pods, d.Spec.Template.Labels)
		}
		for _, s := range of[*apps.StatefulSet](all) {
			pods = append(pods, s.Spec.Template.Labels)
		}
		finds := func(what string, want map[string]string) {
			if !slices.ContainsFunc(pods, func(has map[string]string) bool { return subset(want, has) }) {
				t.Errorf("%s selects %v: there is no such pod", what, want)
			}
		}
		for _, s := range of[*core.Service](all) {
			finds("service "+s.Name, s.Spec.Selector)
		}
		for _, b := range of[*policy.PodDisruptionBudget](all) {
			finds("budget "+b.Name, b.Spec.Selector.MatchLabels)
		}
		for _, n := range of[*networking.NetworkPolicy](all) {
			finds("policy "+n.Name, n.Spec.PodSelector.MatchLabels)
		}
	})
}

func subset(want, has map[string]string) bool {
	for k, v := range want {
		if has[k] != v {
			return false
		}
	}
	return true
}

func TestOneBrokerConfiguration(t *testing.T) {
	t.Parallel()
	if a, b := file(t, "deploy/docker/nats.conf"), file(t, "k8s/overlays/local/nats.conf"); !bytes.Equal(a, b) {
		t.Error("deploy/docker/nats.conf and k8s/overlays/local/nats.conf differ; kustomize reads no file outside of its folder, so one is a copy")
	}
}
