package manifests

import (
	"maps"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"boardorder/deploy/simulator/fabricator"
	"boardorder/deploy/simulator/rates"
	"boardorder/pkg/blob/s3"
	"boardorder/pkg/bus/embedded"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/nats-io/nats-server/v2/server"
)

// secrets are what `make secrets` writes.
var secrets = []string{"MASTER_KEY", "NATS_PASSWORD", "MONGO_PASSWORD", "S3_SECRET", "CONSOLE_BOOTSTRAP_TOKEN", "CARD_API_KEY", "CARD_WEBHOOK_SECRET"}

func compose(t *testing.T, vars map[string]string) (*types.Project, error) {
	t.Helper()
	return loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir:  root,
		ConfigFiles: []types.ConfigFile{{Filename: "docker-compose.yml", Content: file(t, "docker-compose.yml")}},
		Environment: vars,
	})
}

func secretValues() map[string]string {
	vars := map[string]string{}
	for _, name := range secrets {
		vars[name] = "k0123456789abcdef0123456789abcdef"
	}
	return vars
}

func project(t *testing.T) *types.Project {
	t.Helper()
	p, err := compose(t, secretValues())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// environment is a service's variables as its process sees them.
func environment(s types.ServiceConfig) map[string]string {
	vars := map[string]string{}
	for name, value := range s.Environment {
		if value != nil {
			vars[name] = *value
		}
	}
	return vars
}

func TestComposeRunsEveryProgram(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for name, s := range project(t).Services {
		p, ours, err := program(s.Image)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !ours || err != nil {
			continue
		}
		seen[p] = true
		vars := environment(s)
		checkVariables(t, p, vars, slices.Collect(maps.Keys(vars)))
		checkImage(t, name, p, s)
	}
	for name := range configs {
		if !seen[name] {
			t.Errorf("no service runs %s", name)
		}
	}
}

func checkImage(t *testing.T, name, program string, s types.ServiceConfig) {
	t.Helper()
	if s.Build == nil || s.Build.Dockerfile != "deploy/docker/Dockerfile" || s.Build.Args["SERVICE"] == nil || *s.Build.Args["SERVICE"] != program {
		t.Errorf("%s does not build %s from deploy/docker/Dockerfile", name, program)
	}
	if !s.ReadOnly || s.User == "" || strings.HasPrefix(s.User, "0") || !slices.Contains(s.CapDrop, "ALL") || s.Privileged {
		t.Errorf("%s is not confined", name)
	}
	if s.StopGracePeriod == nil {
		t.Errorf("%s has no time to finish what is in hand", name)
	}
}

func TestComposeWatchesAndBoundsEveryService(t *testing.T) {
	t.Parallel()
	p := project(t)
	for name, s := range p.Services {
		if s.HealthCheck == nil && name != "door" {
			t.Errorf("%s has no health check", name)
		}
		if s.Restart == "" {
			t.Errorf("%s is not started again", name)
		}
		if s.Deploy == nil || s.Deploy.Resources.Limits == nil || s.Deploy.Resources.Limits.MemoryBytes == 0 {
			t.Errorf("%s has no limit of memory", name)
		}
		for _, port := range s.Ports {
			if port.HostIP != "127.0.0.1" {
				t.Errorf("%s: port %s is open to other machines", name, port.Published)
			}
		}
		for on, d := range s.DependsOn {
			if d.Condition != types.ServiceConditionHealthy || p.Services[on].HealthCheck == nil {
				t.Errorf("%s waits for %s without a health check", name, on)
			}
		}
	}
}

// Nothing starts with a secret that is known to everybody.
func TestComposeRefusesToStartWithoutSecrets(t *testing.T) {
	t.Parallel()
	for _, name := range secrets {
		vars := secretValues()
		delete(vars, name)
		if _, err := compose(t, vars); err == nil || !strings.Contains(err.Error(), "make secrets") {
			t.Errorf("without %s: %v; want a word about make secrets", name, err)
		}
	}
	makefile := string(file(t, "Makefile"))
	for _, name := range secrets {
		if !strings.Contains(makefile, name) {
			t.Errorf("make secrets does not make %s", name)
		}
	}
}

func TestComposeAddressesAreThoseOfItsServices(t *testing.T) {
	t.Parallel()
	p := project(t)
	for name, s := range p.Services {
		for variable, value := range environment(s) {
			u, err := url.Parse(value)
			if err != nil || u.Host == "" || u.Hostname() == "localhost" {
				continue
			}
			if _, ok := p.Services[u.Hostname()]; !ok {
				t.Errorf("%s: %s leads to %s, which is no service", name, variable, u.Hostname())
			}
		}
	}
	bucket, err := s3.Parse(environment(p.Services["upload"])["S3_URL"])
	if err != nil || bucket.TLS {
		t.Errorf("S3_URL: TLS %t, %v; the server there speaks plain HTTP", bucket.TLS, err)
	}
	pricing := environment(p.Services["pricing"])
	for name, want := range map[string]string{
		"FABRICATOR_APP_ID": fabricator.AppID, "FABRICATOR_ACCESS_KEY": fabricator.AccessKey, "FABRICATOR_SECRET_KEY": fabricator.SecretKey,
		"EXCHANGE_RATES_URL": "http://simulator:8090/rates" + rates.Path,
	} {
		if pricing[name] != want {
			t.Errorf("%s = %q, the simulator's is %q", name, pricing[name], want)
		}
	}
}

// The edge believes the door about addresses, and nobody else.
func TestComposeTrustsTheDoorOnly(t *testing.T) {
	t.Parallel()
	p := project(t)
	trusted, err := netip.ParsePrefix(environment(p.Services["edge"])["TRUSTED_PROXIES"])
	if err != nil || trusted.String() != p.Networks["front"].Ipam.Config[0].Subnet {
		t.Errorf("trusted is %v (%v), the door's network %s", trusted, err, p.Networks["front"].Ipam.Config[0].Subnet)
	}
	for name, s := range p.Services {
		if _, there := s.Networks["front"]; there && name != "door" && name != "edge" {
			t.Errorf("%s is in the door's network", name)
		}
	}
}

// brokerConfig reads a configuration of the broker as the broker does.
func brokerConfig(t *testing.T, path string) *server.Options {
	t.Helper()
	o, err := server.ProcessConfigFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestBroker(t *testing.T) {
	t.Setenv("NATS_PASSWORD", secretValues()["NATS_PASSWORD"])
	for _, path := range []string{"deploy/docker/nats.conf", "k8s/overlays/local/nats.conf"} {
		o := brokerConfig(t, filepath.Join(root, path))
		if !o.SyncAlways || !o.JetStream || o.MaxPayload != embedded.MaxPayload {
			t.Errorf("%s: sync always %t, JetStream %t, payload %d", path, o.SyncAlways, o.JetStream, o.MaxPayload)
		}
		if len(o.Accounts) != 2 || o.SystemAccount != "SYS" {
			t.Errorf("%s: accounts %v, system account %q", path, o.Accounts, o.SystemAccount)
		}
		// The streams' space is reserved: it must be there, with some for buckets.
		common := environment(project(t).Services["projector"])
		if o.JetStreamMaxStore < 22<<30 || common["STREAM_MAX_BYTES"] != "21474836480" {
			t.Errorf("%s: %d bytes for streams of %s", path, o.JetStreamMaxStore, common["STREAM_MAX_BYTES"])
		}
	}
}
