package access

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/access/brokertest"
	"boardorder/pkg/bus/bustest"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// shown are the files of a certificate that somebody shows.
type shown struct{ cert, key string }

// nodeConfig is production's configuration of a broker, with the files of a certificate
// where they are, on ports of its own.
func nodeConfig(t *testing.T, ca string, own shown) *server.Options {
	t.Helper()
	for _, user := range append(users(), SystemUser, OperatorUser) {
		if err := os.Setenv(Variable(user), brokertest.Password); err != nil { // the same for all tests
			t.Fatal(err)
		}
	}
	if err := os.Setenv("POD_NAME", "nats-0"); err != nil {
		t.Fatal(err)
	}
	read := func(path string) string {
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	const secrets = "/run/secrets/tls/"
	dir := t.TempDir()
	text := strings.NewReplacer("store_dir: /data", "store_dir: "+filepath.Join(dir, "data"), "/run/nats/nats.pid", filepath.Join(dir, "pid"),
		secrets+"ca.crt", ca, secrets+"tls.crt", own.cert, secrets+"tls.key", own.key).Replace(read("k8s/overlays/production/nats.conf"))
	file := filepath.Join(dir, "nats.conf")
	if err := errors.Join(os.WriteFile(file, []byte(text), 0o600), os.WriteFile(filepath.Join(dir, "users.conf"), []byte(read("deploy/nats/users.conf")), 0o600)); err != nil {
		t.Fatal(err)
	}
	o, err := server.ProcessConfigFile(file)
	if err != nil {
		t.Fatal(err)
	}
	o.Host, o.Port, o.HTTPPort, o.Cluster.Host, o.Cluster.Port = "127.0.0.1", server.RANDOM_PORT, 0, "127.0.0.1", server.RANDOM_PORT
	o.NoSigs, o.SyncAlways, o.PidFile = true, false, ""
	return o
}

// complaints are the lines that a broker logs as errors.
type complaints struct{ lines chan string }

func (complaints) Noticef(string, ...any) {}
func (complaints) Warnf(string, ...any)   {}
func (complaints) Debugf(string, ...any)  {}
func (complaints) Tracef(string, ...any)  {}
func (c complaints) Fatalf(format string, v ...any) {
	c.Errorf(format, v...)
}

func (c complaints) Errorf(format string, v ...any) {
	select {
	case c.lines <- fmt.Sprintf(format, v...):
	default:
	}
}

func runNode(t *testing.T, o *server.Options) (*server.Server, complaints) {
	t.Helper()
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	found := complaints{make(chan string, 1000)}
	s.SetLoggerV2(found, false, false, false)
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(30 * time.Second) {
		t.Fatal("the broker is not ready")
	}
	return s, found
}

// brokerNames are those of a broker's certificate as production has it made.
func brokerNames(c *x509.Certificate) {
	c.DNSNames = []string{"nats", "nats-headless", "*.nats-headless"}
}

// programsOwn is a certificate as production has one made for a program.
func programsOwn(c *x509.Certificate) {
	c.DNSNames, c.IPAddresses, c.ExtKeyUsage = nil, nil, []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
}

func expire(c *x509.Certificate) {
	programsOwn(c)
	c.NotBefore, c.NotAfter = time.Now().Add(-2*time.Hour), time.Now().Add(-time.Minute)
}

func serversOnly(c *x509.Certificate) {
	programsOwn(c)
	c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
}

// TestTLSOfTheBroker attacks the ports of a broker with production's configuration: what
// is older than TLS 1.3, and whoever shows no certificate of ours that is good for it,
// gets no further than the handshake.
func TestTLSOfTheBroker(t *testing.T) {
	t.Parallel()
	ours, foreign := bustest.NewAuthority(t), bustest.NewAuthority(t)
	issue := func(a *bustest.Authority, name string, change func(*x509.Certificate)) shown {
		cert, key := a.Issue(t, name, change)
		return shown{cert, key}
	}
	node, _ := runNode(t, nodeConfig(t, ours.File, issue(ours, "nats", brokerNames)))
	good := issue(ours, "upload", programsOwn)
	doors := map[string]func(*testing.T) net.Conn{
		"programs": func(t *testing.T) net.Conn {
			c := dialDoor(t, node.Addr().String())
			// It says who it is before TLS begins.
			if line, err := bufio.NewReaderSize(oneByOne{c}, 16).ReadString('\n'); err != nil || !strings.HasPrefix(line, "INFO ") {
				t.Fatalf("the first line is %q, %v; want INFO", line, err)
			}
			return c
		},
		"brokers": func(t *testing.T) net.Conn { return dialDoor(t, node.ClusterAddr().String()) },
	}
	for door, dial := range doors {
		for name, tt := range map[string]struct {
			own      shown
			min, max uint16
			met      bool
		}{
			"TLS 1.3":                      {own: good, min: tls.VersionTLS13, met: true},
			"TLS 1.2":                      {own: good, max: tls.VersionTLS12},
			"TLS 1.0":                      {own: good, min: tls.VersionTLS10, max: tls.VersionTLS10},
			"no certificate":               {},
			"a certificate of others":      {own: issue(foreign, "upload", programsOwn)},
			"one that has expired":         {own: issue(ours, "upload", expire)},
			"one that is for servers only": {own: issue(ours, "upload", serversOnly)},
		} {
			t.Run(door+"/"+name, func(t *testing.T) {
				t.Parallel()
				config := &tls.Config{InsecureSkipVerify: true, MinVersion: tt.min, MaxVersion: tt.max} //nolint:gosec // an attacker's
				if tt.own.cert != "" {
					pair, err := tls.LoadX509KeyPair(tt.own.cert, tt.own.key)
					if err != nil {
						t.Fatal(err)
					}
					// Whatever authorities are asked for.
					config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil }
				}
				c := tls.Client(dial(t), config)
				_, err := io.WriteString(c, "PING\r\n")
				if err == nil {
					_, err = c.Read(make([]byte, 1))
				}
				if (err == nil) != tt.met {
					t.Errorf("%v, want that the broker answers: %t", err, tt.met)
				}
			})
		}
	}
	t.Run("nothing plain", func(t *testing.T) {
		t.Parallel()
		c := doors["programs"](t)
		fmt.Fprintf(c, "CONNECT {\"user\":\"upload\",\"pass\":%q,\"verbose\":true}\r\nPING\r\n", brokertest.Password)
		if answer, _ := io.ReadAll(c); strings.Contains(string(answer), "PONG") || strings.Contains(string(answer), "+OK") {
			t.Errorf("without TLS: %q, want no answer", answer)
		}
	})
}

func dialDoor(t *testing.T, addr string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(30 * time.Second))
	return c
}

// oneByOne leaves what follows a line where it is.
type oneByOne struct{ net.Conn }

func (c oneByOne) Read(p []byte) (int, error) { return c.Conn.Read(p[:1]) }

// TestCertificatesOpenNothingAlone: at the broker a certificate lets a program ask, and
// its password says who it is. Another program's certificate gives nothing of that one's.
func TestCertificatesOpenNothingAlone(t *testing.T) {
	t.Parallel()
	ours := bustest.NewAuthority(t)
	cert, key := ours.Issue(t, "nats")
	o := nodeConfig(t, ours.File, shown{cert, key})
	o.Cluster, o.Routes = server.ClusterOpts{}, nil // alone, so that it answers
	node, _ := runNode(t, o)
	uploadCert, uploadKey := ours.Issue(t, "upload", programsOwn)
	for name, tt := range map[string]struct {
		user, password string
		met            bool
	}{
		"its own user":                    {"upload", brokertest.Password, true},
		"no password":                     {"upload", "", false},
		"a wrong one":                     {"upload", "x" + brokertest.Password, false},
		"another's name, no password":     {"payment", "", false},
		"another's name and own password": {"system", "x" + brokertest.Password, false},
	} {
		u := url.URL{Scheme: "tls", User: url.UserPassword(tt.user, tt.password), Host: node.Addr().String()}
		c, err := nats.Connect(u.String(), nats.RootCAs(ours.File), nats.ClientCert(uploadCert, uploadKey), nats.NoReconnect(), nats.Timeout(20*time.Second))
		if err == nil {
			c.Close()
		}
		if (err == nil) != tt.met {
			t.Errorf("%s: %v, want that it is let in: %t", name, err, tt.met)
		}
	}
}

// TestNoProgramIsABroker: who joins the brokers sees everything, so a program's own
// certificate does not let it, and a broker's does.
func TestNoProgramIsABroker(t *testing.T) {
	t.Parallel()
	ours := bustest.NewAuthority(t)
	cert, key := ours.Issue(t, "nats", brokerNames)
	node, found := runNode(t, nodeConfig(t, ours.File, shown{cert, key}))
	join := func(own shown) *server.Server {
		o := nodeConfig(t, ours.File, own)
		o.ServerName = "nats-1"
		route, err := url.Parse("tls://" + node.ClusterAddr().String())
		if err != nil {
			t.Fatal(err)
		}
		o.Routes = []*url.URL{route}
		o.Cluster.TLSConfig.InsecureSkipVerify = true // it does not mind whom it meets
		o.Cluster.TLSCheckKnownURLs = false
		s, _ := runNode(t, o)
		return s
	}
	thiefCert, thiefKey := ours.Issue(t, "upload", programsOwn)
	thief := join(shown{thiefCert, thiefKey})
	for refused := false; !refused; {
		select {
		case line := <-found.lines:
			refused = strings.Contains(line, "uthorization") || strings.Contains(line, "authentication")
		case <-time.After(time.Minute):
			t.Fatal("the program was not refused")
		}
	}
	// The program itself counts a route from the broker's greeting on, until it is refused.
	if n := node.NumRoutes(); n != 0 {
		t.Errorf("a broker has %d routes to a program with its own certificate, want none", n)
	}
	thief.Shutdown()
	join(shown{cert, key})
	for end := time.Now().Add(time.Minute); node.NumRoutes() == 0; {
		if time.Now().After(end) {
			t.Fatal("a broker is not let in")
		}
		<-time.After(10 * time.Millisecond)
	}
}
