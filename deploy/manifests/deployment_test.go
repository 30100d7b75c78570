package manifests

import (
	"slices"
	"strings"
	"testing"

	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
)

func TestDeploymentsRunEveryService(t *testing.T) {
	t.Parallel()
	checkEach(t, func(t *testing.T, all []any) {
		seen := map[string]bool{}
		shared := configMaps(all)
		for _, d := range objects[*apps.Deployment](all) {
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
	for _, m := range objects[*core.ConfigMap](all) {
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
		if isSecret(e.Name) && e.ValueFrom == nil {
			t.Errorf("%s: %s stands in the open", c.Image, e.Name)
		}
	}
	return vars, own
}

// isSecret tells which variables hold what nobody may read.
func isSecret(name string) bool {
	return slices.Contains([]string{"NATS_URL", "MONGO_URI", "S3_URL", "SMTP_URL", "CARD_WEBHOOK_SECRETS", "MASTER_KEY"}, name) ||
		strings.HasSuffix(name, "_KEY") && !strings.HasSuffix(name, "_TLS_KEY") || strings.HasSuffix(name, "_TOKEN") || strings.HasSuffix(name, "_PASSWORD")
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
	for _, name := range jobs()["topology"] {
		known[name] = true
	}
	for name := range shared["boardorder"] {
		if !known[name] || isSecret(name) {
			t.Errorf("ConfigMap boardorder: %s is read by nobody, or is a secret", name)
		}
	}
}

func TestPodsAreConfined(t *testing.T) {
	t.Parallel()
	checkEach(t, func(t *testing.T, all []any) {
		for _, d := range objects[*apps.Deployment](all) {
			checkConfinement(t, d.Name, d.Spec.Template.Spec)
			checkProbes(t, d.Name, d.Spec.Template.Spec)
		}
		for _, s := range objects[*apps.StatefulSet](all) {
			checkConfinement(t, s.Name, s.Spec.Template.Spec)
		}
		for name, pod := range works(all) {
			checkConfinement(t, name, pod.Spec)
			if pod.Spec.RestartPolicy == "" {
				t.Errorf("%s does not say whether it is tried again", name)
			}
		}
	})
}

// works are the pods that do one thing and end.
func works(all []any) map[string]core.PodTemplateSpec {
	out := map[string]core.PodTemplateSpec{}
	for _, j := range objects[*batch.Job](all) {
		out[j.Name] = j.Spec.Template
	}
	for _, c := range objects[*batch.CronJob](all) {
		out[c.Name] = c.Spec.JobTemplate.Spec.Template
	}
	return out
}

// pods are all there are, by the name of what makes them.
func pods(all []any) map[string]core.PodTemplateSpec {
	out := works(all)
	for _, d := range objects[*apps.Deployment](all) {
		out[d.Name] = d.Spec.Template
	}
	for _, s := range objects[*apps.StatefulSet](all) {
		out[s.Name] = s.Spec.Template
	}
	return out
}

func checkConfinement(t *testing.T, name string, pod core.PodSpec) {
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

func checkProbes(t *testing.T, name string, pod core.PodSpec) {
	t.Helper()
	if len(pod.Containers) != 1 {
		t.Errorf("%s has %d containers, want 1", name, len(pod.Containers))
	}
	c := pod.Containers[0]
	for what, p := range map[string]*core.Probe{"/healthz": c.LivenessProbe, "/readyz": c.ReadinessProbe} {
		if p == nil || p.HTTPGet == nil || p.HTTPGet.Path != what || p.HTTPGet.Port.StrVal != "metrics" {
			t.Errorf("%s is not asked for %s at its port for metrics", name, what)
		}
	}
	if g := pod.TerminationGracePeriodSeconds; g == nil || *g <= 30 {
		t.Errorf("%s has not longer than ACK_WAIT to end, want more than 30 s", name)
	}
	if len(pod.TopologySpreadConstraints) == 0 {
		t.Errorf("%s may stand on one node as a whole", name)
	}
}
