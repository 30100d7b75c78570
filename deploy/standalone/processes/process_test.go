package processes_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"boardorder/deploy/standalone/processes"
)

// The test program is the program under supervision too.
func TestMain(m *testing.M) {
	switch os.Getenv("PROCESS_ROLE") {
	case "server":
		serve()
	case "parent":
		parent()
	case "failing":
		fmt.Println("no use")
		os.Exit(3)
	default:
		os.Exit(m.Run())
	}
}

func serve() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	srv := &http.Server{Addr: os.Getenv("PROCESS_ADDR"), Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, os.Getpid())
	})}
	context.AfterFunc(ctx, func() { fmt.Println("in order"); os.Exit(0) })
	fmt.Println(srv.ListenAndServe())
	os.Exit(1)
}

// parent starts a server and waits to be killed.
func parent() {
	p := server(os.Getenv("PROCESS_LOG"), os.Getenv("PROCESS_ADDR"))
	if err := p.Start(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	select {}
}

func server(log, addr string) *processes.Process {
	return processes.New(processes.Program{
		Name: "server", Path: os.Args[0], Env: []string{"PROCESS_ROLE=server", "PROCESS_ADDR=" + addr}, Log: log, Probe: "http://" + addr,
	})
}

func start(t *testing.T) (p *processes.Process, addr string) {
	t.Helper()
	addrs, err := processes.Addresses(1)
	if err != nil {
		t.Fatal(err)
	}
	p = server(filepath.Join(t.TempDir(), "logs", "server.log"), addrs[0])
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	ready(t, p)
	return p, addrs[0]
}

func ready(t *testing.T, p *processes.Process) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := p.Ready(ctx); err != nil {
		t.Fatal(err)
	}
}

func TestKilledAndStartedAgain(t *testing.T) {
	t.Parallel()
	p, addr := start(t)
	if err := p.Start(); !errors.Is(err, processes.ErrRunning) {
		t.Errorf("started twice: %v", err)
	}
	first := pid(t, addr)
	p.Kill()
	p.Kill() // once more is nothing
	if checkGone(first) != nil || p.Failure() != nil {
		t.Errorf("killed process: %v, failed %v; want it gone, no failure", checkGone(first), p.Failure())
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	ready(t, p)
	if again := pid(t, addr); again == first || p.Starts() != 2 {
		t.Errorf("process %d was started again as %d, %d starts; want another process, 2", first, again, p.Starts())
	}
}

func TestStopsInOrder(t *testing.T) {
	t.Parallel()
	p, _ := start(t)
	processes.StopAll(20*time.Second, p)
	log, err := os.ReadFile(p.Log)
	if err != nil || !strings.Contains(string(log), "in order") {
		t.Errorf("log %q, %v; want an end in order", log, err)
	}
	if err := p.Failure(); err != nil {
		t.Errorf("it was asked to end: %v", err)
	}
}

func TestStandsStillAndGoesOn(t *testing.T) {
	t.Parallel()
	p, addr := start(t)
	first := pid(t, addr)
	p.Freeze()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := p.Ready(ctx); err == nil {
		t.Error("a frozen program answers")
	}
	p.Thaw()
	ready(t, p)
	if again := pid(t, addr); again != first {
		t.Errorf("process %d went on as %d, want it the same", first, again)
	}
}

func TestReadyTellsOfAnEnd(t *testing.T) {
	t.Parallel()
	p := processes.New(processes.Program{
		Name: "failing", Path: os.Args[0], Env: []string{"PROCESS_ROLE=failing"}, Log: filepath.Join(t.TempDir(), "log"), Probe: "http://127.0.0.1:1",
	})
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := p.Ready(ctx); err == nil || !strings.Contains(err.Error(), "exit status 3") || !strings.Contains(err.Error(), p.Log) {
		t.Errorf("ready: %v, want exit status 3 and the log %s", err, p.Log)
	}
	missing := processes.New(processes.Program{Name: "missing", Path: filepath.Join(t.TempDir(), "nothing"), Log: filepath.Join(t.TempDir(), "log")})
	if err := missing.Start(); err == nil {
		t.Error("a program that is not there was started")
	}
}

func TestKeptRunning(t *testing.T) {
	t.Parallel()
	p, addr := start(t)
	ctx, stop := context.WithCancel(t.Context())
	reports, done := make(chan error, 10), make(chan struct{})
	go func() {
		p.Keep(ctx, func(err error) { reports <- err })
		close(done)
	}()
	first := pid(t, addr)
	if err := syscall.Kill(first, syscall.SIGKILL); err != nil { // not by us
		t.Fatal(err)
	}
	if err := <-reports; !strings.Contains(err.Error(), "killed") {
		t.Errorf("report of process %d: %v, want it killed", first, err)
	}
	waitUntil(t, "it runs again", func() bool { return p.Starts() == 2 })
	ready(t, p)
	if again := pid(t, addr); again == first {
		t.Errorf("%d still answers", again)
	}
	stop()
	<-done
}

func TestEndsWithItsParent(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ends a program together with its parent")
	}
	addrs, err := processes.Addresses(1)
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(t.TempDir(), "log")
	p := processes.New(processes.Program{
		Name: "parent", Path: os.Args[0], Log: log, Probe: "http://" + addrs[0],
		Env: []string{"PROCESS_ROLE=parent", "PROCESS_ADDR=" + addrs[0], "PROCESS_LOG=" + log},
	})
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	ready(t, p)
	child := pid(t, addrs[0])
	p.Kill()
	waitUntil(t, "the child ends", func() bool { return checkGone(child) == nil })
}

func pid(t *testing.T, addr string) int {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get("http://" + addr)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var n int
	if _, err := fmt.Fscan(resp.Body, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// checkGone is nil when no process has the id, or one that ended and waits for
// somebody to notice it.
func checkGone(pid int) error {
	if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
		return nil
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err == nil && strings.Contains(string(stat), ") Z ") {
		return nil
	}
	return fmt.Errorf("process %d lives", pid)
}

func waitUntil(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("waited in vain until %s", what)
}

// TestAddresses: no address is given away twice, though nobody listens there.
func TestAddresses(t *testing.T) {
	t.Parallel()
	const calls, each = 3, 200
	taken := map[string]bool{}
	for range calls {
		addrs, err := processes.Addresses(each)
		if err != nil || len(addrs) != each {
			t.Fatalf("Addresses(%d) = %d addresses, %v", each, len(addrs), err)
		}
		for _, a := range addrs {
			taken[a] = true
		}
	}
	if len(taken) != calls*each {
		t.Errorf("%d addresses were given away, want %d, each once", len(taken), calls*each)
	}
}
