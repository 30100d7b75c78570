package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"boardorder/deploy/standalone"
)

// A system is a standalone program under measurement, a process of its own.
type system struct {
	standalone.Ready
	dir     string
	cmd     *exec.Cmd
	gone    chan error // how the program ended, once it has
	client  *http.Client
	metrics string // where it says what it costs; empty: nowhere
	outside *standIn
	// database is the setting that names where its documents lie: none unless MONGO_URI
	// names a server.
	database []string
}

func startSystem(ctx context.Context, program string, connections int, env ...string) (*system, error) {
	dir, err := os.MkdirTemp("", "bench-*")
	if err != nil {
		return nil, err
	}
	s := &system{dir: dir, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections, MaxConnsPerHost: connections}}}
	if s.outside, err = openStandIn(filepath.Join(dir, "fabricator")); err == nil {
		s.database, err = databaseOf(os.Getenv("MONGO_URI"), filepath.Base(dir))
	}
	if err == nil {
		err = s.start(ctx, program, env...)
	}
	if err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

// databaseOf gives a system that lies in a folder of this name a database of its own, on
// the server of MONGO_URI, which is thrown away afterwards.
func databaseOf(server, folder string) ([]string, error) {
	if server == "" {
		return nil, nil
	}
	u, err := url.Parse(server)
	if err != nil {
		return nil, errors.New("MONGO_URI cannot be read as a URL")
	}
	u.Path = "/" + folder
	return []string{"MONGO_URI=" + u.String()}, nil
}

// start starts the program on the data that is there, and returns when it is
// ready: when it says so to whoever asks it over HTTP.
func (s *system) start(ctx context.Context, program string, env ...string) error {
	ready := filepath.Join(s.dir, "ready.json")
	if err := os.RemoveAll(ready); err != nil {
		return err
	}
	s.cmd = exec.CommandContext(ctx, program, "-data", s.data(), "-http", "127.0.0.1:0", "-ready-file", ready)
	s.cmd.Env = slices.Concat(os.Environ(), []string{"DEMO_REQUESTS_PER_MINUTE=100000000"}, s.database, s.outside.environment(), env)
	s.cmd.Stderr = os.Stderr
	for _, v := range env {
		if at, ok := strings.CutPrefix(v, "METRICS_ADDR="); ok {
			s.metrics = "http://" + at + "/metrics"
		}
	}
	if err := s.cmd.Start(); err != nil {
		return err
	}
	cmd, gone := s.cmd, make(chan error, 1)
	s.gone = gone
	go func() { gone <- cmd.Wait() }()
	return s.await(ctx, ready)
}

// data is the folder that the program keeps everything in.
func (s *system) data() string { return filepath.Join(s.dir, "data") }

// readyTimeout is for a start that reads again all that a killed broker holds, where its
// indexes cannot be used: some thirty microseconds a quote on a machine that does nothing else.
const readyTimeout = 10 * time.Minute

func (s *system) await(ctx context.Context, file string) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for {
		if data, err := os.ReadFile(file); err == nil {
			if err := json.Unmarshal(data, &s.Ready); err != nil {
				return fmt.Errorf("ready file: %w", err)
			}
			if s.answers(ctx) {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the system is not ready: %w", ctx.Err())
		case err := <-s.gone:
			s.gone = nil
			return fmt.Errorf("the system ended instead of being ready: %w", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// answers reports whether the program says that it is ready.
func (s *system) answers(ctx context.Context) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.BaseURL+"/readyz", nil)
	if err != nil {
		return false
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body) // so that the connection is used again
	return resp.StatusCode == http.StatusOK
}

// end stops the program as its operator does, and keeps its data.
func (s *system) end() error {
	if s.gone == nil {
		return nil
	}
	_ = s.cmd.Process.Signal(syscall.SIGTERM) // how it ended says whether it came
	err := <-s.gone
	s.gone = nil
	if err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	return nil
}

// kill ends the program as a crash does.
func (s *system) kill() {
	_ = s.cmd.Process.Kill() // it may have ended by itself
	<-s.gone
	s.gone = nil
}

func (s *system) stop() error { return errors.Join(s.end(), s.outside.close(), os.RemoveAll(s.dir)) }

var heapLine = regexp.MustCompile(`(?m)^go_gc_heap_live_bytes (\S+)$`)

// heap is how many bytes the program had in use when it last collected garbage.
func (s *system) heap(ctx context.Context) (int64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.metrics, nil)
	if err != nil {
		return 0, err
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return 0, fmt.Errorf("heap: %w", err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, fmt.Errorf("heap: %w", err)
	}
	return heapIn(text)
}

func heapIn(metrics []byte) (int64, error) {
	m := heapLine.FindSubmatch(metrics)
	if m == nil {
		return 0, errors.New("heap: the program does not say")
	}
	n, err := strconv.ParseFloat(string(m[1]), 64)
	return int64(n), err
}
