package manifests

import (
	"maps"
	"net"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boardorder/deploy/access"
	"boardorder/deploy/simulator/fabricator"
	"boardorder/deploy/simulator/rates"
	"boardorder/pkg/blob/s3"
	"boardorder/pkg/bus/embedded"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/nats-io/nats-server/v2/server"
)

// secrets are what `make secrets` writes.
var secrets = slices.Concat(brokerPasswords(), documentPasswords(), fileSecrets(), []string{
	"MASTER_KEY", "MONGO_ROOT_PASSWORD", "S3_ROOT_SECRET", "CONSOLE_BOOTSTRAP_TOKEN", "CARD_API_KEY", "CARD_WEBHOOK_SECRET",
})

// brokerPasswords are what the broker's configuration asks for.
func brokerPasswords() []string {
	out := []string{access.Variable(access.SystemUser), access.Variable(access.OperatorUser)}
	for _, p := range access.Programs() {
		out = append(out, access.Variable(p.Name))
	}
	return out
}

// documentPasswords are what the script of MongoDB's users asks for.
func documentPasswords() []string {
	var out []string
	for _, p := range access.Services() {
		out = append(out, access.DocumentsVariable(p.Name))
	}
	return out
}

func fileSecrets() []string {
	var out []string
	for _, p := range access.Services() {
		out = append(out, access.FilesVariable(p.Name))
	}
	return out
}

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
	if _, job := jobs()[program]; !job && s.StopGracePeriod == nil {
		t.Errorf("%s has no time to finish what is in hand", name)
	}
}

func TestComposeWatchesAndBoundsEveryService(t *testing.T) {
	t.Parallel()
	p := project(t)
	for name, s := range p.Services {
		if program, _, _ := program(s.Image); s.HealthCheck == nil && jobs()[program] == nil {
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
			program, _, _ := program(p.Services[on].Image)
			want := types.ServiceConditionHealthy
			if jobs()[program] != nil {
				want = types.ServiceConditionCompletedSuccessfully
			}
			if d.Condition != want || (p.Services[on].HealthCheck == nil) != (jobs()[program] != nil) {
				t.Errorf("%s waits for %s to be %s, want %s, and a health check unless it is a job", name, on, d.Condition, want)
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
}

// TestMakeSecrets: make secrets, run where nothing is yet, makes all of them; run again, it keeps
// what there is and adds what is missing.
func TestMakeSecrets(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folders, err := filepath.Glob(filepath.Join(root, "services", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if err := os.MkdirAll(filepath.Join(dir, "services", filepath.Base(f)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "Makefile"), file(t, "Makefile"), 0o644); err != nil {
		t.Fatal(err)
	}
	first := makeSecrets(t, dir)
	for _, name := range secrets {
		if len(first[name]) < 40 {
			t.Errorf("%s has %d characters, want 40 at least", name, len(first[name]))
		}
	}
	if _, err := compose(t, maps.Clone(first)); err != nil {
		t.Errorf("compose with the secrets that were made: %v", err)
	}
	if again := makeSecrets(t, dir); !maps.Equal(first, again) {
		t.Error("run again, it makes others")
	}
	if info, err := os.Stat(filepath.Join(dir, ".env")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v: others may read it", info.Mode(), err)
	}
}

func makeSecrets(t *testing.T, dir string) map[string]string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "make", "secrets")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("make secrets: %v\n%s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, ".env"))
	if err != nil {
		t.Fatal(err)
	}
	vars := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		if vars[name] != "" {
			t.Errorf("%s is there twice", name)
		}
		vars[name] = value
	}
	return vars
}

// Each service is its own user everywhere, and knows no other's password.
func TestComposeGivesEachServiceItsOwnUsers(t *testing.T) {
	t.Parallel()
	vars := map[string]string{}
	for _, name := range secrets {
		vars[name] = "k" + strings.ToLower(name)
	}
	p, err := compose(t, vars)
	if err != nil {
		t.Fatal(err)
	}
	for name := range configs {
		env := environment(p.Services[name])
		for variable, password := range map[string]string{
			"NATS_URL": access.Variable(name), "MONGO_URI": access.DocumentsVariable(name), "S3_URL": access.FilesVariable(name),
		} {
			u, err := url.Parse(env[variable])
			if err != nil {
				t.Fatal(err)
			}
			if given, _ := u.User.Password(); u.User.Username() != name || given != vars[password] {
				t.Errorf("%s: %s is for %s with %s, want for %s with its password", name, variable, u.User.Username(), given, name)
			}
		}
		own := []string{access.Variable(name), access.DocumentsVariable(name), access.FilesVariable(name)}
		for _, secret := range slices.Concat(brokerPasswords(), documentPasswords(), fileSecrets(), []string{"MONGO_ROOT_PASSWORD", "S3_ROOT_SECRET"}) {
			for variable, value := range env {
				if !slices.Contains(own, secret) && strings.Contains(value, vars[secret]) {
					t.Errorf("%s: %s holds %s", name, variable, secret)
				}
			}
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
		"FABRICATOR_0_APP_ID": fabricator.AppID, "FABRICATOR_0_ACCESS_KEY": fabricator.AccessKey, "FABRICATOR_0_SECRET_KEY": fabricator.SecretKey,
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
		t.Errorf("trusted is %v (%v), want the door's network, %s", trusted, err, p.Networks["front"].Ipam.Config[0].Subnet)
	}
	for name, s := range p.Services {
		if _, there := s.Networks["front"]; there && name != "door" && name != "edge" {
			t.Errorf("%s is in the door's network", name)
		}
	}
}

// TestDoorIsBounded: Caddy is ours, which counts places; it has descriptors and memory
// for all of them, reads the file that says how many there are, and is the only way in.
func TestDoorIsBounded(t *testing.T) {
	t.Parallel()
	p := project(t)
	door := p.Services["door"]
	if program, ours, err := program(door.Image); program != "caddy" || !ours || err != nil {
		t.Errorf("the door runs %s: %v", door.Image, err)
	}
	const config = "/etc/caddy/Caddyfile"
	if want := []string{"run", "--config", config, "--adapter", "caddyfile"}; !slices.Equal(door.Command, want) {
		t.Errorf("the door's command is %q, want %q", door.Command, want)
	}
	if len(door.Volumes) != 1 || door.Volumes[0].Target != config || !strings.HasSuffix(door.Volumes[0].Source, "deploy/docker/Caddyfile") || !door.Volumes[0].ReadOnly {
		t.Errorf("the door's files are %+v, want the Caddyfile at %s alone, read only", door.Volumes, config)
	}
	places := number(t, "deploy/docker/Caddyfile", `places \{\s+all (\d+)\s`)
	if files := door.Ulimits["nofile"]; files == nil || max(files.Single, files.Soft) < 3*places {
		t.Errorf("the door has %+v descriptors, want 3 for each of %d places, as it takes a third of them", files, places)
	}
	stated, given := number(t, "SECURITY.md", `all of them\s+and\s+Caddy\s+itself\s+(\d+)\s+MiB`), int(door.Deploy.Resources.Limits.MemoryBytes)>>20
	if stated > given {
		t.Errorf("the door has %d MiB, want the %d that all places cost", given, stated)
	}
	if len(p.Services["edge"].Ports) > 0 {
		t.Error("the edges are reached past the door")
	}
}

// number finds what a file says, once.
func number(t *testing.T, path, pattern string) int {
	t.Helper()
	found := regexp.MustCompile(pattern).FindAllSubmatch(file(t, path), -1)
	if len(found) != 1 {
		t.Fatalf("%s says %s %d times, want once", path, pattern, len(found))
	}
	n, err := strconv.Atoi(string(found[0][1]))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestImagesHaveTheirSources: what an image is built from is given to its build.
func TestImagesHaveTheirSources(t *testing.T) {
	t.Parallel()
	sent := strings.Fields(string(file(t, ".dockerignore")))
	for name, s := range project(t).Services {
		program, ours, err := program(s.Image)
		if !ours || err != nil {
			continue
		}
		folder := "deploy/" + program
		if _, service := configs[program]; service {
			folder = "services"
		}
		if !slices.Contains(sent, "!"+folder) {
			t.Errorf("%s is built from %s, which .dockerignore leaves out", name, folder)
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
	for _, name := range brokerPasswords() {
		t.Setenv(name, "k0123456789abcdef0123456789abcdef")
	}
	o := brokerConfig(t, filepath.Join(root, "deploy", "nats", "nats.conf"))
	if !o.SyncAlways || !o.JetStream || o.MaxPayload != embedded.MaxPayload {
		t.Errorf("sync always %t, JetStream %t, payload %d; want true, true, %d", o.SyncAlways, o.JetStream, o.MaxPayload, embedded.MaxPayload)
	}
	if len(o.Accounts) != 2 || o.SystemAccount != "SYS" {
		t.Errorf("accounts %v, system account %q; want two, SYS", o.Accounts, o.SystemAccount)
	}
	// Without a password it names every user's inboxes, which are as good as one.
	if host := net.ParseIP(o.HTTPHost); host == nil || !host.IsLoopback() {
		t.Errorf("the broker's monitoring is at %q, which others reach, want a loopback address", o.HTTPHost)
	}
	// The streams' space is reserved: it must be there, with some for buckets.
	topology := environment(project(t).Services["topology"])
	if o.JetStreamMaxStore < 22<<30 || topology["STREAM_MAX_BYTES"] != "21474836480" {
		t.Errorf("%d bytes for streams of %s, want %d for 21474836480", o.JetStreamMaxStore, topology["STREAM_MAX_BYTES"], 22<<30)
	}
}
