package manifests

import (
	"fmt"
	"strings"
	"testing"
	"time"

	gateway "sigs.k8s.io/gateway-api/apis/v1"
	"sigs.k8s.io/yaml"
)

// A ConnectionPolicy is Envoy Gateway's ClientTrafficPolicy, as far as ours use it: any
// other field is an error.
type ConnectionPolicy struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		TargetRefs []struct {
			Group string `json:"group"`
			Kind  string `json:"kind"`
			Name  string `json:"name"`
		} `json:"targetRefs"`
		Connection struct {
			Limit struct {
				Value int `json:"value"`
			} `json:"connectionLimit"`
			Buffer string `json:"bufferLimit"`
		} `json:"connection"`
		HTTP2 struct {
			Streams          int    `json:"maxConcurrentStreams"`
			StreamWindow     string `json:"initialStreamWindowSize"`
			ConnectionWindow string `json:"initialConnectionWindowSize"`
		} `json:"http2"`
		Timeout struct {
			HTTP struct {
				Head       string `json:"requestHeadersReceivedTimeout"`
				Idle       string `json:"idleTimeout"`
				StreamIdle string `json:"streamIdleTimeout"`
			} `json:"http"`
		} `json:"timeout"`
	} `json:"spec"`
}

// TestConnectionsAreBoundedBeforePods: the policy for Envoy Gateway bounds what clients
// of each of the Gateways hold, and lets those wait who may; README names the same
// figures for whoever has another class.
func TestConnectionsAreBoundedBeforePods(t *testing.T) {
	t.Parallel()
	readme := strings.Join(strings.Fields(string(file(t, "k8s/README.md"))), " ")
	found := map[string]ConnectionPolicy{}
	for part := range strings.SplitSeq(string(file(t, "k8s/policy/connections.yaml")), "\n---\n") {
		var p ConnectionPolicy
		if err := yaml.UnmarshalStrict([]byte(part), &p); err != nil {
			t.Fatal(err)
		}
		if p.Kind != "ClientTrafficPolicy" || len(p.Spec.TargetRefs) != 1 || p.Spec.TargetRefs[0].Kind != "Gateway" || p.Spec.TargetRefs[0].Group != gateway.GroupName {
			t.Errorf("policy %s: %+v, want a ClientTrafficPolicy of one gateway", p.Metadata.Name, p)
			continue
		}
		found[p.Spec.TargetRefs[0].Name] = p
	}
	longest := map[string]time.Duration{"edge": timeout(t, routes(build(t, "base"))["edge"], "/v1/quotes")}
	for _, g := range objects[*gateway.Gateway](build(t, "overlays/production")) {
		p, spec := found[g.Name], found[g.Name].Spec
		if spec.Connection.Limit.Value == 0 || spec.HTTP2.Streams == 0 || spec.Connection.Buffer == "" || spec.HTTP2.StreamWindow == "" || spec.HTTP2.ConnectionWindow == "" {
			t.Errorf("gateway %s: want connections, streams, buffers and windows bounded: %+v", g.Name, p)
		}
		for _, figure := range []string{
			fmt.Sprintf("%s: %d connections in all", g.Name, spec.Connection.Limit.Value),
			fmt.Sprintf("%d streams of a connection", spec.HTTP2.Streams),
			fmt.Sprintf("%s for a head", spec.Timeout.HTTP.Head), fmt.Sprintf("%s without a request", spec.Timeout.HTTP.Idle),
			fmt.Sprintf("%d of one network", number(t, "deploy/docker/Caddyfile", `network (\d+)\s`)),
		} {
			if !strings.Contains(readme, figure) {
				t.Errorf("gateway %s: k8s/README.md does not say %q", g.Name, figure)
			}
		}
		for _, d := range []string{spec.Timeout.HTTP.Head, spec.Timeout.HTTP.Idle} {
			if d, err := time.ParseDuration(d); err != nil || d <= 0 || d > time.Minute {
				t.Errorf("gateway %s: %v, %v is no bound", g.Name, d, err)
			}
		}
		if quiet, err := time.ParseDuration(spec.Timeout.HTTP.StreamIdle); longest[g.Name] > 0 && (err != nil || quiet < longest[g.Name]) {
			t.Errorf("gateway %s: a request that waits ends after %v (%v), want the %v of its route at least", g.Name, quiet, err, longest[g.Name])
		}
		delete(found, g.Name)
	}
	if len(found) > 0 {
		t.Errorf("policies of no gateway: %v", found)
	}
}
