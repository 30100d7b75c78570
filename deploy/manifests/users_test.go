package manifests

import (
	"bytes"
	"crypto/tls"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/access"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/embedded"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
)

// secretsOf lists the secrets that a pod is given, with the variable or the
// volume that it is given each by.
func secretsOf(pod core.PodSpec) map[string]string {
	out := map[string]string{}
	for _, c := range pod.Containers {
		for _, e := range c.Env {
			if e.ValueFrom != nil && e.ValueFrom.SecretKeyRef != nil {
				out[e.Name] = e.ValueFrom.SecretKeyRef.Name
			}
		}
		for _, from := range c.EnvFrom {
			if from.SecretRef != nil {
				out["all of "+from.SecretRef.Name] = from.SecretRef.Name
			}
		}
	}
	for _, v := range pod.Volumes {
		if v.Secret != nil {
			out["volume "+v.Name] = v.Secret.SecretName
		}
	}
	return out
}

// Each program is its own user, with its own certificate, and nobody but the
// servers and what sets them up holds a root's.
func TestEachProgramHasItsOwnUser(t *testing.T) {
	t.Parallel()
	servers := []string{"nats", "mongodb", "s3", "bucket"}
	checkEach(t, func(t *testing.T, all []any) {
		for name, pod := range pods(all) {
			has, user := secretsOf(pod.Spec), name
			if name == "rebuild" { // a projector that ends
				user = "projector"
			}
			for _, variable := range []string{"NATS_URL", "MONGO_URI", "S3_URL"} {
				if from, given := has[variable]; given && from != "boardorder-"+user {
					t.Errorf("%s has %s of %s, want boardorder-%s", name, variable, from, user)
				}
			}
			for what, secret := range has {
				if slices.Contains([]string{"nats-users", "mongodb-users", "s3-users", "boardorder-local"}, secret) && !slices.Contains(servers, name) {
					t.Errorf("%s is given %s by %s", name, secret, what)
				}
				if what == "volume tls" && secret != "boardorder-"+user+"-tls" {
					t.Errorf("%s shows the certificate of %s, want boardorder-%s-tls", name, secret, user)
				}
			}
		}
		for _, d := range objects[*apps.Deployment](all) {
			if has := secretsOf(d.Spec.Template.Spec); has["NATS_URL"] == "" || has["MONGO_URI"] == "" || has["S3_URL"] == "" {
				t.Errorf("%s has users %v, want one each of NATS, MongoDB and the files", d.Name, has)
			}
		}
	})
}

// In production every connection to the broker shows a certificate that the
// authority makes for its user.
func TestProductionHasCertificates(t *testing.T) {
	t.Parallel()
	all := build(t, "overlays/production")
	made := map[string]*Certificate{}
	issuers := map[string]bool{}
	for _, i := range objects[*Issuer](all) {
		issuers[i.Name] = true
	}
	for _, c := range objects[*Certificate](all) {
		made[c.Spec.SecretName] = c
		if !issuers[c.Spec.IssuerRef.Name] || c.Spec.RenewBefore.Duration*2 > c.Spec.Duration.Duration || c.Spec.RenewBefore.Duration <= 14*24*time.Hour {
			t.Errorf("certificate %s: of %s, for %s, renewed %s before; want of an issuer here, renewed 14 days before, at half its time at most", c.Name, c.Spec.IssuerRef.Name, c.Spec.Duration, c.Spec.RenewBefore)
		}
	}
	for name, pod := range pods(all) {
		secret := secretsOf(pod.Spec)["volume tls"]
		if secret == "" || made[secret] == nil {
			t.Errorf("%s shows certificate %q, which nobody makes", name, secret)
		}
		mounted := false
		for _, m := range pod.Spec.Containers[0].VolumeMounts {
			mounted = mounted || m.Name == "tls" && m.MountPath == "/run/secrets/tls"
		}
		if !mounted {
			t.Errorf("%s does not see its certificate", name)
		}
	}
	for _, p := range access.Programs() {
		if c := made["boardorder-"+p.Name+"-tls"]; c == nil || c.Spec.CommonName != p.Name {
			t.Errorf("user %s has no certificate", p.Name)
		}
	}
	for variable, file := range map[string]string{"NATS_TLS_CA": "ca.crt", "NATS_TLS_CERT": "tls.crt", "NATS_TLS_KEY": "tls.key"} {
		if got := configMaps(all)["boardorder"][variable]; got != "/run/secrets/tls/"+file {
			t.Errorf("%s = %q, want %q", variable, got, "/run/secrets/tls/"+file)
		}
	}
}

// The brokers of production, read as they read it themselves.
func TestProductionBrokers(t *testing.T) {
	all := build(t, "overlays/production")
	var config map[string]string
	for name, data := range configMaps(all) {
		if strings.HasPrefix(name, "nats-") {
			config = data
		}
	}
	if want := string(access.Broker(access.InitialParts())); config["users.conf"] != want {
		t.Errorf("users.conf is not what deploy/access makes:\n%s\nwant\n%s", config["users.conf"], want)
	}
	dir := t.TempDir()
	for name, text := range config {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	certificates(t, dir)
	for _, name := range brokerPasswords() {
		t.Setenv(name, "k0123456789abcdef0123456789abcdef")
	}
	t.Setenv("POD_NAME", "nats-1")
	o := brokerConfig(t, filepath.Join(dir, "nats.conf"))
	if !o.SyncAlways || !o.JetStream || o.MaxPayload != embedded.MaxPayload || o.ServerName != "nats-1" {
		t.Errorf("sync always %t, JetStream %t, payload %d, name %s; want true, true, %d, nats-1", o.SyncAlways, o.JetStream, o.MaxPayload, o.ServerName, embedded.MaxPayload)
	}
	for who, c := range map[string]*tls.Config{"clients": o.TLSConfig, "servers": o.Cluster.TLSConfig} {
		if c == nil || c.ClientAuth != tls.RequireAndVerifyClientCert {
			t.Errorf("%s need no certificate", who)
			continue
		}
		if c.MinVersion != tls.VersionTLS13 {
			t.Errorf("%s may speak TLS %x, want 1.3", who, c.MinVersion)
		}
	}
	if !o.Cluster.TLSCheckKnownURLs {
		t.Error("whoever has a certificate of ours can join the brokers")
	}
	if len(o.Routes) != 3 {
		t.Errorf("routes %v, want 3", o.Routes)
	}
	if len(o.Accounts) != 2 || o.SystemAccount != "SYS" {
		t.Errorf("accounts %v, system account %q; want two, SYS", o.Accounts, o.SystemAccount)
	}
	checkBrokerSet(t, all, o.JetStreamMaxStore, o.LameDuckDuration.Seconds())
}

// certificates puts files in the place of those that the configuration names.
func certificates(t *testing.T, dir string) {
	t.Helper()
	a := bustest.NewAuthority(t)
	path := filepath.Join(dir, "nats.conf")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cert, key := a.Issue(t, "nats")
	for from, to := range map[string]string{"ca.crt": a.File, "tls.crt": cert, "tls.key": key} {
		text = bytes.ReplaceAll(text, []byte("/run/secrets/tls/"+from), []byte(to))
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// checkBrokerSet: three, each on a node of its own, with disks that are large
// enough and time to leave, of which one may be away.
func checkBrokerSet(t *testing.T, all []any, store int64, leaving float64) {
	t.Helper()
	var set *apps.StatefulSet
	for _, s := range objects[*apps.StatefulSet](all) {
		if s.Name == "nats" {
			set = s
		}
	}
	if set == nil || *set.Spec.Replicas != 3 {
		t.Fatalf("brokers: %+v, want 3 replicas", set)
	}
	pod := set.Spec.Template.Spec
	apart := pod.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	if len(apart) != 1 || apart[0].TopologyKey != "kubernetes.io/hostname" || !subset(apart[0].LabelSelector.MatchLabels, set.Spec.Template.Labels) {
		t.Errorf("brokers may share a node: %+v, want none to", apart)
	}
	if float64(*pod.TerminationGracePeriodSeconds) <= leaving {
		t.Errorf("a broker has %d s to end, want more than the %.0f s in which it sends clients away", *pod.TerminationGracePeriodSeconds, leaving)
	}
	disk := set.Spec.VolumeClaimTemplates[0].Spec.Resources.Requests.Storage().Value()
	streams, err := strconv.ParseInt(configMaps(all)["boardorder"]["STREAM_MAX_BYTES"], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	if store > disk/5*4 || streams+1<<30 > store {
		t.Errorf("disk %d, server's limit %d, streams %d; want the limit four fifths of the disk at most, and 1 GiB above the streams", disk, store, streams)
	}
	if got := configMaps(all)["boardorder"]["STREAM_REPLICAS"]; got != "3" {
		t.Errorf("production keeps %s replicas of its streams, want 3", got)
	}
	if !slices.ContainsFunc(objects[*policy.PodDisruptionBudget](all), func(b *policy.PodDisruptionBudget) bool {
		return subset(b.Spec.Selector.MatchLabels, set.Spec.Template.Labels) && b.Spec.MaxUnavailable.IntValue() == 1
	}) {
		t.Errorf("no disruption budget of %v lets one broker be taken away at a time", set.Spec.Template.Labels)
	}
}
