package manifests

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// A ScaledObject is KEDA's, as far as ours use it: any other field is an error.
type ScaledObject struct {
	meta.TypeMeta   `json:",inline"`
	meta.ObjectMeta `json:"metadata"`
	Spec            struct {
		ScaleTargetRef  struct{ Name string } `json:"scaleTargetRef"`
		PollingInterval int                   `json:"pollingInterval"`
		CooldownPeriod  int                   `json:"cooldownPeriod"`
		MinReplicaCount int                   `json:"minReplicaCount"`
		MaxReplicaCount int                   `json:"maxReplicaCount"`
		Fallback        struct {
			FailureThreshold int `json:"failureThreshold"`
			Replicas         int `json:"replicas"`
		} `json:"fallback"`
		Advanced struct {
			HorizontalPodAutoscalerConfig struct {
				Behavior autoscaling.HorizontalPodAutoscalerBehavior `json:"behavior"`
			} `json:"horizontalPodAutoscalerConfig"`
		} `json:"advanced"`
		Triggers []struct {
			Type     string `json:"type"`
			Metadata struct {
				Endpoint            string `json:"natsServerMonitoringEndpoint"`
				Account             string `json:"account"`
				Stream              string `json:"stream"`
				Consumer            string `json:"consumer"`
				LagThreshold        string `json:"lagThreshold"`
				ActivationThreshold string `json:"activationLagThreshold"`
			} `json:"metadata"`
		} `json:"triggers"`
	} `json:"spec"`
}

// kinds are what may be deployed.
var kinds = map[string]func() any{
	"v1/ConfigMap":                            func() any { return &core.ConfigMap{} },
	"v1/Namespace":                            func() any { return &core.Namespace{} },
	"v1/Service":                              func() any { return &core.Service{} },
	"apps/v1/Deployment":                      func() any { return &apps.Deployment{} },
	"apps/v1/StatefulSet":                     func() any { return &apps.StatefulSet{} },
	"autoscaling/v2/HorizontalPodAutoscaler":  func() any { return &autoscaling.HorizontalPodAutoscaler{} },
	"networking.k8s.io/v1/Ingress":            func() any { return &networking.Ingress{} },
	"networking.k8s.io/v1/NetworkPolicy":      func() any { return &networking.NetworkPolicy{} },
	"policy/v1/PodDisruptionBudget":           func() any { return &policy.PodDisruptionBudget{} },
	"keda.sh/v1alpha1/ScaledObject":           func() any { return &ScaledObject{} },
	"monitoring.coreos.com/v1/PodMonitor":     func() any { return &monitoring.PodMonitor{} },
	"monitoring.coreos.com/v1/PrometheusRule": func() any { return &monitoring.PrometheusRule{} },
}

// build makes the documents of a folder under k8s/, as kubectl apply -k does,
// and decodes each strictly.
func build(t *testing.T, folder string) []any {
	t.Helper()
	made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), filepath.Join(root, "k8s", folder))
	if err != nil {
		t.Fatalf("%s: %v", folder, err)
	}
	var out []any
	for _, r := range made.Resources() {
		text, err := r.AsYAML()
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := decode(text)
		if err != nil {
			t.Fatalf("%s: %s %s: %v", folder, r.GetKind(), r.GetName(), err)
		}
		out = append(out, decoded)
	}
	return out
}

func decode(text []byte) (any, error) {
	var head meta.TypeMeta
	if err := yaml.Unmarshal(text, &head); err != nil {
		return nil, err
	}
	empty, ok := kinds[head.APIVersion+"/"+head.Kind]
	if !ok {
		return nil, fmt.Errorf("%s/%s is no kind that is known here", head.APIVersion, head.Kind)
	}
	out := empty()
	if err := yaml.UnmarshalStrict(text, out); err != nil {
		return nil, err
	}
	return out, nil
}

func of[T any](all []any) []T {
	var out []T
	for _, d := range all {
		if d, ok := d.(T); ok {
			out = append(out, d)
		}
	}
	return out
}

var folders = []string{"base", "overlays/local", "overlays/production"}

func each(t *testing.T, check func(*testing.T, []any)) {
	t.Helper()
	for _, folder := range folders {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			check(t, build(t, folder))
		})
	}
}

func TestStrictDecodingRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"apiVersion: apps/v1\nkind: Deployment\nspec: {replica: 2}",
		"apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nspec: {triggers: [{metadata: {lag: '1'}}]}",
		"apiVersion: v1\nkind: Secret\ndata: {}",
	} {
		if _, err := decode([]byte(text)); err == nil {
			t.Errorf("accepted:\n%s", text)
		}
	}
}

func TestDeploymentsRunEveryService(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, all []any) {
		seen := map[string]bool{}
		shared := configMaps(all)
		for _, d := range of[*apps.Deployment](all) {
			c := d.Spec.Template.Spec.Containers[0]
			p, ours, err := program(c.Image)
			if err != nil || !ours || p != d.Name {
				t.Errorf("%s runs %s: %v", d.Name, c.Image, err)
				continue
			}
			seen[p] = true
			vars, own := variables(t, c, shared)
			checkVariables(t, p, vars, own)
		}
		for name := range configs {
			if !seen[name] {
				t.Errorf("no deployment runs %s", name)
			}
		}
		checkShared(t, shared)
	})
}

func configMaps(all []any) map[string]map[string]string {
	out := map[string]map[string]string{}
	for _, m := range of[*core.ConfigMap](all) {
		out[m.Name] = m.Data
	}
	return out
}

// variables gives a container's environment, with something in the place of
// each secret, and the names that stand in its own list.
func variables(t *testing.T, c core.Container, shared map[string]map[string]string) (map[string]string, []string) {
	t.Helper()
	vars, own := map[string]string{}, []string{}
	for _, from := range c.EnvFrom {
		if from.ConfigMapRef == nil || shared[from.ConfigMapRef.Name] == nil {
			t.Errorf("%s reads a ConfigMap that is not there: %+v", c.Image, from)
			continue
		}
		for name, value := range shared[from.ConfigMapRef.Name] {
			vars[name] = value
		}
	}
	for _, e := range c.Env {
		own = append(own, e.Name)
		vars[e.Name] = e.Value
		if e.ValueFrom != nil {
			ref := e.ValueFrom.SecretKeyRef
			if ref == nil || ref.Name == "" || e.Value != "" {
				t.Errorf("%s: %s does not come from a secret", c.Image, e.Name)
			}
			vars[e.Name] = "a-secret-value-of-more-than-32-characters"
		}
		if hidden(e.Name) && e.ValueFrom == nil {
			t.Errorf("%s: %s stands in the open", c.Image, e.Name)
		}
	}
	return vars, own
}

// hidden tells which variables hold what nobody may read.
func hidden(name string) bool {
	return slices.Contains([]string{"NATS_URL", "MONGO_URI", "S3_URL", "SMTP_URL", "CARD_WEBHOOK_SECRETS", "MASTER_KEY"}, name) ||
		strings.HasSuffix(name, "_KEY") || strings.HasSuffix(name, "_TOKEN") || strings.HasSuffix(name, "_PASSWORD")
}

// checkShared: what all services are given, at least one of them reads.
func checkShared(t *testing.T, shared map[string]map[string]string) {
	t.Helper()
	known := map[string]bool{}
	for name := range configs {
		for variable := range reads(t, name) {
			known[variable] = true
		}
	}
	for name := range shared["boardorder"] {
		if !known[name] || hidden(name) {
			t.Errorf("ConfigMap boardorder: %s is read by nobody, or is a secret", name)
		}
	}
}

func TestPodsAreConfined(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, all []any) {
		for _, d := range of[*apps.Deployment](all) {
			confined(t, d.Name, d.Spec.Template.Spec)
			watched(t, d.Name, d.Spec.Template.Spec)
		}
		for _, s := range of[*apps.StatefulSet](all) {
			confined(t, s.Name, s.Spec.Template.Spec)
		}
	})
}

func confined(t *testing.T, name string, pod core.PodSpec) {
	t.Helper()
	s := pod.SecurityContext
	if s == nil || s.RunAsNonRoot == nil || !*s.RunAsNonRoot || s.SeccompProfile == nil || s.SeccompProfile.Type != core.SeccompProfileTypeRuntimeDefault {
		t.Errorf("%s: the pod may be root, or call what it likes", name)
	}
	if pod.AutomountServiceAccountToken == nil || *pod.AutomountServiceAccountToken {
		t.Errorf("%s holds a token of the cluster", name)
	}
	for _, c := range pod.Containers {
		s := c.SecurityContext
		if s == nil || s.ReadOnlyRootFilesystem == nil || !*s.ReadOnlyRootFilesystem || s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation ||
			s.Capabilities == nil || !slices.Equal(s.Capabilities.Drop, []core.Capability{"ALL"}) || len(s.Capabilities.Add) > 0 {
			t.Errorf("%s: container %s is not confined", name, c.Name)
		}
		if c.Resources.Limits.Memory().IsZero() || c.Resources.Requests.Memory().IsZero() || c.Resources.Requests.Cpu().IsZero() {
			t.Errorf("%s: container %s has no resources", name, c.Name)
		}
	}
}

func watched(t *testing.T, name string, pod core.PodSpec) {
	t.Helper()
	if len(pod.Containers) != 1 {
		t.Errorf("%s has %d containers, one is meant", name, len(pod.Containers))
	}
	c := pod.Containers[0]
	for what, p := range map[string]*core.Probe{"/healthz": c.LivenessProbe, "/readyz": c.ReadinessProbe} {
		if p == nil || p.HTTPGet == nil || p.HTTPGet.Path != what || p.HTTPGet.Port.StrVal != "metrics" {
			t.Errorf("%s is not asked for %s", name, what)
		}
	}
	if g := pod.TerminationGracePeriodSeconds; g == nil || *g <= 30 {
		t.Errorf("%s has not longer than ACK_WAIT to end", name)
	}
	if len(pod.TopologySpreadConstraints) == 0 {
		t.Errorf("%s may stand on one node as a whole", name)
	}
}

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
		bustest.Go(t, func(ctx context.Context) error { return b.Serve(ctx, bus.Work{Service: name}) })
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
		return len(found) == len(workers())
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
		if !deployed[s.Spec.ScaleTargetRef.Name] || len(s.Spec.Triggers) != 1 {
			t.Errorf("%s scales %q by %d triggers", s.Name, s.Spec.ScaleTargetRef.Name, len(s.Spec.Triggers))
			continue
		}
		m := s.Spec.Triggers[0].Metadata
		if s.Spec.Triggers[0].Type != "nats-jetstream" || !made[m.Stream+" "+m.Consumer] || !strings.HasPrefix(m.Consumer, s.Name+"-v") {
			t.Errorf("%s looks at consumer %s of %s", s.Name, m.Consumer, m.Stream)
		}
		if want := lag(t, all, s.Name); m.LagThreshold != want {
			t.Errorf("%s: threshold %s, want twice what one process has in hand: %s", s.Name, m.LagThreshold, want)
		}
		if s.Spec.MinReplicaCount < 1 || s.Spec.MaxReplicaCount <= s.Spec.MinReplicaCount || s.Spec.CooldownPeriod < 180 {
			t.Errorf("%s: from %d to %d, cooldown %d s", s.Name, s.Spec.MinReplicaCount, s.Spec.MaxReplicaCount, s.Spec.CooldownPeriod)
		}
	}
	if len(missing) > 0 {
		t.Errorf("not scaled: %v", missing)
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
