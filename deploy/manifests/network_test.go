package manifests

import (
	"net/netip"
	"slices"
	"testing"

	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

func TestTrafficIsDeniedUnlessAllowed(t *testing.T) {
	t.Parallel()
	checkEach(t, func(t *testing.T, all []any) {
		denied := func(n *networking.NetworkPolicy) bool {
			s := n.Spec
			return len(s.PodSelector.MatchLabels)+len(s.PodSelector.MatchExpressions)+len(s.Ingress)+len(s.Egress) == 0 && len(s.PolicyTypes) == 2
		}
		if !slices.ContainsFunc(objects[*networking.NetworkPolicy](all), denied) {
			t.Error("no policy denies all traffic of all pods")
		}
	})
}

// Whatever leaves a pod has a destination and a port: a port alone would lead
// anywhere, the cloud's metadata included.
func TestEgressHasADestination(t *testing.T) {
	t.Parallel()
	checkEach(t, func(t *testing.T, all []any) {
		for _, n := range objects[*networking.NetworkPolicy](all) {
			for _, rule := range n.Spec.Egress {
				if len(rule.To) == 0 || len(rule.Ports) == 0 {
					t.Errorf("%s lets traffic out to %v, ports %v, want both named", n.Name, rule.To, rule.Ports)
				}
				for _, to := range rule.To {
					if to.IPBlock != nil {
						keepsIn(t, n.Name, *to.IPBlock)
					}
				}
			}
			for _, rule := range n.Spec.Ingress {
				if len(rule.From) == 0 {
					t.Errorf("%s lets anybody in", n.Name)
				}
			}
		}
	})
}

// keepsIn: a block of addresses holds no private one, nor one behind which a translator
// (NAT64, 6to4) reaches a private one.
func keepsIn(t *testing.T, name string, block networking.IPBlock) {
	t.Helper()
	for _, inside := range []string{"10.1.2.3", "172.20.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "127.0.0.1", "fd00::1", "fe80::1", "::1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:a9fe:a9fe::1"} {
		if address := netip.MustParseAddr(inside); contains(t, block.CIDR, address) &&
			!slices.ContainsFunc(block.Except, func(e string) bool { return contains(t, e, address) }) {
			t.Errorf("%s leads to %s, which is inside", name, inside)
		}
	}
}

func contains(t *testing.T, cidr string, address netip.Addr) bool {
	t.Helper()
	p, err := netip.ParsePrefix(cidr)
	if err != nil {
		t.Fatal(err)
	}
	return p.Contains(address)
}

// What reads files from anybody reaches nothing but broker and stores, and only
// what deals with companies outside reaches the world. part-sourcing has lists
// of parts read by processes that can open no connection.
func TestWhoReachesTheWorld(t *testing.T) {
	t.Parallel()
	checkEach(t, func(t *testing.T, all []any) {
		for name, pod := range pods(all) {
			want := map[string]bool{"pricing": true, "payment": true, "notify": true, "part-sourcing": true, "webhooks": true}[name]
			if got := reachesWorld(t, all, pod); got != want {
				t.Errorf("%s reaches the world: %t, want %t", name, got, want)
			}
		}
	})
}

func reachesWorld(t *testing.T, all []any, pod core.PodTemplateSpec) bool {
	t.Helper()
	return reaches(t, all, pod, func(to networking.NetworkPolicyPeer) bool {
		return to.IPBlock != nil && contains(t, to.IPBlock.CIDR, netip.MustParseAddr("1.1.1.1"))
	})
}

// reaches reports whether a pod may send to a peer of a kind.
func reaches(t *testing.T, all []any, pod core.PodTemplateSpec, kind func(networking.NetworkPolicyPeer) bool) bool {
	t.Helper()
	for _, n := range objects[*networking.NetworkPolicy](all) {
		selector, err := meta.LabelSelectorAsSelector(&n.Spec.PodSelector)
		if err != nil {
			t.Fatal(err)
		}
		if !selector.Matches(labels.Set(pod.Labels)) {
			continue
		}
		for _, rule := range n.Spec.Egress {
			if slices.ContainsFunc(rule.To, kind) {
				return true
			}
		}
	}
	return false
}

// Where the simulator stands for the companies outside, it is reached by who reaches them. Endpoints of
// accounts are no companies: they are never inside.
func TestSimulatorIsReachedLikeTheWorld(t *testing.T) {
	t.Parallel()
	all := build(t, "overlays/local")
	simulator := pods(all)["simulator"]
	for name, pod := range pods(all) {
		if want := reachesWorld(t, all, pod) && name != "webhooks"; want && !reaches(t, all, pod, func(to networking.NetworkPolicyPeer) bool {
			s, err := meta.LabelSelectorAsSelector(to.PodSelector)
			return err == nil && to.PodSelector != nil && s.Matches(labels.Set(simulator.Labels))
		}) {
			t.Errorf("%s reaches the companies outside, and not the simulator", name)
		}
	}
}

// Every policy that names other pods names ones that there are.
func TestPoliciesNamePods(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"overlays/local", "overlays/production"} {
		all := build(t, folder)
		known := func(s *meta.LabelSelector) bool {
			selector, err := meta.LabelSelectorAsSelector(s)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range pods(all) {
				if selector.Matches(labels.Set(p.Labels)) {
					return true
				}
			}
			return false
		}
		for _, n := range objects[*networking.NetworkPolicy](all) {
			var peers []networking.NetworkPolicyPeer
			for _, rule := range n.Spec.Egress {
				peers = append(peers, rule.To...)
			}
			for _, rule := range n.Spec.Ingress {
				peers = append(peers, rule.From...)
			}
			for _, peer := range peers {
				if peer.PodSelector != nil && peer.NamespaceSelector == nil && !known(peer.PodSelector) {
					t.Errorf("%s: %s names %v: there is no such pod", folder, n.Name, peer.PodSelector)
				}
			}
		}
	}
}
