package peers

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/tlsfiles"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// A Mongod is a MongoDB server of its own process, on a free port of loopback.
type Mongod struct {
	Addr string

	program, dir string
	args         []string
	files        tlsfiles.Files // by which it is awaited, where it asks for TLS
	mu           sync.Mutex
	cmd          *exec.Cmd
	log          bytes.Buffer // read only when the process has ended
}

// newMongod prepares a server whose data lie in dir. The test is skipped where
// MONGOD does not name the program.
func newMongod(t testing.TB, dir string, args ...string) *Mongod {
	t.Helper()
	program := os.Getenv("MONGOD")
	if program == "" {
		t.Skip("no MongoDB server: make test-mongodb fetches one, or MONGOD or MONGO_URI names one")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return &Mongod{Addr: l.Addr().String(), program: program, dir: dir, args: args}
}

// StartMongod starts a server with arguments of the test's own, which lives as long as
// the test. It is awaited with the certificate of files.
func StartMongod(t testing.TB, files tlsfiles.Files, args ...string) *Mongod {
	t.Helper()
	m := newMongod(t, t.TempDir(), args...)
	m.files = files
	m.Start(t)
	t.Cleanup(m.Kill)
	return m
}

// Data is the folder of the server's files.
func (m *Mongod) Data() string {
	return filepath.Join(m.dir, "data-"+m.Addr[strings.LastIndexByte(m.Addr, ':')+1:])
}

// Start starts the process on the data that is there and returns when it answers.
func (m *Mongod) Start(t testing.TB) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	_, port, err := net.SplitHostPort(m.Addr)
	if err != nil {
		t.Fatal(err)
	}
	data := m.Data()
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	m.cmd = exec.Command(m.program, append([]string{
		"--dbpath", data, "--bind_ip", "127.0.0.1", "--port", port, "--nounixsocket", "--wiredTigerCacheSizeGB", "0.25",
	}, m.args...)...)
	m.cmd.Stdout = &m.log
	if err := m.cmd.Start(); err != nil {
		t.Fatalf("start mongod: %v", err)
	}
	if err := m.await(t.Context()); err != nil {
		m.kill()
		t.Fatalf("mongod does not answer: %v\n%s", err, m.log.Bytes()[max(0, m.log.Len()-2000):])
	}
}

func (m *Mongod) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	o := options.Client().ApplyURI("mongodb://" + m.Addr + "/?directConnection=true")
	config, err := m.files.Config()
	if err != nil {
		return err
	}
	if config != nil {
		o.SetTLSConfig(config)
	}
	client, err := mongo.Connect(o)
	if err != nil {
		return err
	}
	defer client.Disconnect(context.Background())
	return client.Database("admin").RunCommand(ctx, bson.D{{Key: "hello", Value: 1}}).Err()
}

// Kill ends the process as a power cut does.
func (m *Mongod) Kill() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kill()
}

func (m *Mongod) kill() {
	if m.cmd == nil {
		return
	}
	_ = m.cmd.Process.Kill() // it may have ended
	_ = m.cmd.Wait()         // says that it was killed
	m.cmd = nil
}
