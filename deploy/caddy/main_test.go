package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/google/go-cmp/cmp"
)

// TestMain is Caddy itself where a test starts this program again.
func TestMain(m *testing.M) {
	if os.Getenv("TEST_IS_CADDY") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// start gives a command that is Caddy, which reads its configuration from config.
func start(t *testing.T, verb, config string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "Caddyfile")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), self, verb, "--config", file, "--adapter", "caddyfile")
	c.Env = append(os.Environ(), "TEST_IS_CADDY=1", "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	return c
}

// caddyfile is the Caddyfile of docker-compose.yml.
func caddyfile(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../docker/Caddyfile")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// editCaddyfile is the shipped Caddyfile with something else in some places, of which each
// must be there once.
func editCaddyfile(t *testing.T, pairs ...string) string {
	t.Helper()
	text := caddyfile(t)
	for i := 0; i < len(pairs); i += 2 {
		if strings.Count(text, pairs[i]) != 1 {
			t.Fatalf("%q stands %d times in the Caddyfile, want once", pairs[i], strings.Count(text, pairs[i]))
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

type server struct {
	Listen           []string         `json:"listen"`
	Protocols        []string         `json:"protocols"`
	ListenerWrappers []map[string]any `json:"listener_wrappers"`
	ReadHeader       caddy.Duration   `json:"read_header_timeout"`
	ReadIdle         caddy.Duration   `json:"read_idle_timeout"`
	WriteIdle        caddy.Duration   `json:"write_idle_timeout"`
	Idle             caddy.Duration   `json:"idle_timeout"`
	MaxHeaderBytes   int              `json:"max_header_bytes"`
	TrustedProxies   any              `json:"trusted_proxies"`
	AutomaticHTTPS   any              `json:"automatic_https"`
}

// servers are those of a Caddyfile, as Caddy reads it.
func servers(t *testing.T, config string) (all map[string]server, admin any) {
	t.Helper()
	made, warnings, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(config), map[string]any{"filename": "Caddyfile"})
	if err != nil || len(warnings) > 0 {
		t.Fatalf("Caddyfile: %v, %v", err, warnings)
	}
	var c struct {
		Admin any
		Apps  struct {
			HTTP struct{ Servers map[string]server }
		}
	}
	if err := json.Unmarshal(made, &c); err != nil {
		t.Fatal(err)
	}
	return c.Apps.HTTP.Servers, c.Admin
}

// TestCaddyfile: Caddy takes the shipped configuration, alone and with a host name,
// and each of its servers has bounds. No client is believed about its address, and
// nobody changes it while it runs.
func TestCaddyfile(t *testing.T) {
	t.Parallel()
	const second, minute = caddy.Duration(1e9), caddy.Duration(60e9)
	for site, listen := range map[string]string{":8080": ":8080", "api.boardorder.example": ":443"} {
		config := editCaddyfile(t, ":8080 {", site+" {")
		got, admin := servers(t, config)
		want := map[string]server{"srv0": {
			Listen: []string{listen}, Protocols: []string{"h1"},
			ListenerWrappers: []map[string]any{{"wrapper": "places", "all": 6000.0, "network": 512.0}, {"wrapper": "tls"}, {"wrapper": "strict"}},
			ReadHeader:       10 * second, ReadIdle: minute, WriteIdle: minute, Idle: minute, MaxHeaderBytes: 8000,
			AutomaticHTTPS: map[string]any{"disable_redirects": true},
		}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: servers (-want +got):\n%s", site, diff)
		}
		if diff := cmp.Diff(map[string]any{"disabled": true, "config": map[string]any{"persist": false}}, admin); diff != "" {
			t.Errorf("%s: admin (-want +got):\n%s", site, diff)
		}
		if out, err := start(t, "validate", config).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", site, err, out)
		}
	}
}

// TestConfigurationIsRefused: what would bound less than it says is not started.
func TestConfigurationIsRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ old, new, want string }{
		"HTTP/2":             {"protocols h1", "protocols h1 h2", "protocols must be h1 alone"},
		"protocols not said": {"protocols h1", "", "protocols must be h1 alone"},
		"no bound in all":    {"all 6000", "", "all and network must be 1 or more"},
		"no bound, said":     {"network 512", "network 0", "all and network must be 1 or more"},
		"no number":          {"network 512", "network many", "network: strconv.Atoi"},
		"two numbers":        {"network 512", "network 1 2", "wrong argument count"},
		"a word":             {"network 512", "networks 512", "places knows no networks"},
		"on the same line":   {"places {", "places 512 {", "wrong argument count"},
		"no proxy":           {"network 512", "network 512\nproxies everyone", "everyone"},
	} {
		out, err := start(t, "validate", editCaddyfile(t, tt.old, tt.new)).CombinedOutput()
		if err == nil || !bytes.Contains(out, []byte(tt.want)) {
			t.Errorf("%s: %v, want %q:\n%s", name, err, tt.want, out)
		}
	}
	if out, err := start(t, "validate", editCaddyfile(t, "network 512", "network 512\nproxies 192.0.2.1 2001:db8::/48")).CombinedOutput(); err != nil {
		t.Errorf("with proxies: %v\n%s", err, out)
	}
}
