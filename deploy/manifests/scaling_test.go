package manifests

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boardorder/deploy/access"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/registry"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
)

// workers are the services that commands of clients and of other services make
// busy. The console has commands too, but people are not that quick.
func workers() map[string]bool {
	out := map[string]bool{}
	for _, service := range registry.Services() {
		out[service] = service != accounts.CreateKey.Service
	}
	return out
}

// consumers are those that the workers and the projector take from, by stream
// and name.
func consumers() map[string]string {
	out := map[string]string{}
	for _, p := range access.Programs() {
		if !workers()[p.Name] && p.Name != "projector" {
			continue
		}
		for _, c := range p.Takes {
			for _, stream := range parts(c.Stream) {
				out[stream+" "+c.Name] = p.Name
			}
		}
	}
	// What falls due comes evenly, and what others than the projector follow becomes
	// commands of their own.
	delete(out, contract.TimerStream+" "+contract.TimerConsumer)
	maps.DeleteFunc(out, func(c, program string) bool { return strings.HasPrefix(c, "EVENTS_") && program != "projector" })
	return out
}

// parts are the streams that one of the contract is shipped as.
func parts(stream string) []string {
	var names []string
	for _, s := range registry.Streams() {
		if s.Name == stream {
			for _, p := range s.Parts(access.InitialParts()[stream]) {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

// The program that makes the streams is told of the parts that users and scalers
// are generated for.
func TestStreamsAreMadeInTheirParts(t *testing.T) {
	t.Parallel()
	var list []string
	for stream, n := range access.InitialParts() {
		list = append(list, fmt.Sprintf("%s=%d", stream, n))
	}
	slices.Sort(list)
	want := strings.Join(list, ",")
	for _, folder := range folders {
		if got := configMaps(build(t, folder))["boardorder"]["STREAM_PARTS"]; got != want {
			t.Errorf("%s: STREAM_PARTS is %q, want %q", folder, got, want)
		}
	}
	if got := environment(project(t).Services["topology"])["STREAM_PARTS"]; got != want {
		t.Errorf("Compose: STREAM_PARTS is %q, want %q", got, want)
	}
}

// lag is the threshold that a service should have: twice what it has in hand,
// and for the projector two batches of each stream.
func lag(t *testing.T, all []any, service string) string {
	t.Helper()
	if service == "projector" {
		return "512"
	}
	name := strings.ToUpper(strings.ReplaceAll(service, "-", "_")) + "_PARALLEL"
	for _, d := range objects[*apps.Deployment](all) {
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
	for _, d := range objects[*apps.Deployment](all) {
		deployed[d.Name] = true
		if d.Spec.Replicas != nil && (workers()[d.Name] || d.Name == "projector") {
			t.Errorf("%s is set to %d replicas at each release, whatever its load", d.Name, *d.Spec.Replicas)
		}
	}
	left := consumers()
	for _, s := range objects[*ScaledObject](all) {
		if !deployed[s.Spec.ScaleTargetRef.Name] || s.Name != s.Spec.ScaleTargetRef.Name {
			t.Errorf("%s scales %q, want the deployment of its name", s.Name, s.Spec.ScaleTargetRef.Name)
		}
		for _, trigger := range s.Spec.Triggers {
			m := trigger.Metadata
			if trigger.Type != "nats-jetstream" || m.Account != "BOARDORDER" || left[m.Stream+" "+m.Consumer] != s.Name {
				t.Errorf("%s looks at consumer %s of %s of %s, want nats-jetstream and a consumer of its own in BOARDORDER", s.Name, m.Consumer, m.Stream, m.Account)
			}
			delete(left, m.Stream+" "+m.Consumer)
			if want := lag(t, all, s.Name); m.LagThreshold != want {
				t.Errorf("%s: threshold %s, want twice what one process has in hand: %s", s.Name, m.LagThreshold, want)
			}
		}
		if s.Spec.MinReplicaCount < 1 || s.Spec.MaxReplicaCount <= s.Spec.MinReplicaCount || s.Spec.CooldownPeriod < 180 {
			t.Errorf("%s: from %d to %d, cooldown %d s; want 1 at least to more, 180 s at least", s.Name, s.Spec.MinReplicaCount, s.Spec.MaxReplicaCount, s.Spec.CooldownPeriod)
		}
	}
	if len(left) > 0 {
		t.Errorf("nobody is scaled by %v", left)
	}
}

// KEDA asks from a namespace of its own, where a bare name is nobody's.
func TestScalersNameTheBrokerFromAnywhere(t *testing.T) {
	t.Parallel()
	all := build(t, "overlays/production")
	reachable := map[string]bool{}
	for _, s := range objects[*core.Service](all) {
		for _, p := range s.Spec.Ports {
			reachable[fmt.Sprintf("%s.%s.svc:%d", s.Name, s.Namespace, p.Port)] = true
		}
	}
	for _, s := range objects[*ScaledObject](all) {
		for _, trigger := range s.Spec.Triggers {
			if at := trigger.Metadata.Endpoint; !reachable[at] {
				t.Errorf("%s is scaled by what %s says: no service has that name, namespace and port", s.Name, at)
			}
		}
	}
}

func TestNothingIsTheLast(t *testing.T) {
	t.Parallel()
	all := build(t, "overlays/production")
	guarded := map[string]bool{}
	for _, b := range objects[*policy.PodDisruptionBudget](all) {
		guarded[b.Spec.Selector.MatchLabels["app.kubernetes.io/name"]] = true
	}
	for _, d := range objects[*apps.Deployment](all) {
		if !guarded[d.Name] {
			t.Errorf("%s has no disruption budget", d.Name)
		}
	}
	if got := configMaps(all)["boardorder"]["STREAM_REPLICAS"]; got != "3" {
		t.Errorf("production keeps %s replicas of its streams, want 3", got)
	}
}

// Services, budgets and policies select pods that there are.
func TestSelectorsFindPods(t *testing.T) {
	t.Parallel()
	checkEach(t, func(t *testing.T, all []any) {
		made := slices.Collect(maps.Values(pods(all)))
		finds := func(what string, want map[string]string) {
			if !slices.ContainsFunc(made, func(p core.PodTemplateSpec) bool { return subset(want, p.Labels) }) {
				t.Errorf("%s selects %v: there is no such pod", what, want)
			}
		}
		for _, s := range objects[*core.Service](all) {
			finds("service "+s.Name, s.Spec.Selector)
		}
		for _, b := range objects[*policy.PodDisruptionBudget](all) {
			finds("budget "+b.Name, b.Spec.Selector.MatchLabels)
		}
		for _, n := range objects[*networking.NetworkPolicy](all) {
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
