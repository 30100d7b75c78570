package embedded_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"boardorder/pkg/bus/embedded"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A broker of one stream, whose folder is copied as a kill would leave it.
type broker struct {
	t      *testing.T
	dir    string
	server *server.Server
	js     jetstream.JetStream
	dice   *rand.Rand
}

func TestMain(m *testing.M) {
	code := m.Run()
	_ = os.RemoveAll(base.dir) // a temporary folder at the worst
	os.Exit(code)
}

const streamName = "EVENTS"

func startBroker(t *testing.T, dir string) *broker {
	t.Helper()
	s, err := embedded.Start(embedded.Config{Dir: dir, Port: -1, Lazy: true})
	if err != nil {
		t.Fatal(err)
	}
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	b := &broker{t, dir, s, js, rand.New(rand.NewPCG(1, 2))}
	t.Cleanup(func() { nc.Close(); b.end() })
	return b
}

func (b *broker) end() { b.server.Shutdown(); b.server.WaitForShutdown() }

func (b *broker) create(cfg jetstream.StreamConfig) {
	b.t.Helper()
	cfg.Name, cfg.Subjects = streamName, []string{"evt.>"}
	if _, err := b.js.CreateStream(b.t.Context(), cfg); err != nil {
		b.t.Fatal(err)
	}
}

// publish appends messages of size bytes to some of the subjects.
func (b *broker) publish(n, size, subjects int) {
	b.t.Helper()
	body := bytes.Repeat([]byte("x"), size)
	for range n {
		m := nats.NewMsg(fmt.Sprint("evt.", b.dice.IntN(subjects)))
		m.Header.Set("ce-type", "quote.priced.v1")
		m.Data = body
		if _, err := b.js.PublishMsg(b.t.Context(), m); err != nil {
			b.t.Fatal(err)
		}
	}
}

func (b *broker) stream() jetstream.Stream {
	b.t.Helper()
	s, err := b.js.Stream(b.t.Context(), streamName)
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

// copyFolder copies what is on the disk at this moment, with the times of it.
func copyFolder(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	if err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o700)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, rel), data, 0o600); err != nil {
			return err
		}
		return os.Chtimes(filepath.Join(to, rel), info.ModTime(), info.ModTime())
	}); err != nil {
		t.Fatal(err)
	}
	return to
}

func messageFiles(dir, pattern string) []string {
	files, _ := filepath.Glob(filepath.Join(dir, "jetstream", "*", "streams", streamName, "msgs", pattern)) // the pattern is sound
	slices.SortFunc(files, func(a, b string) int { return cmp.Or(len(a)-len(b), cmp.Compare(a, b)) })
	return files
}

// A view is what a broker says of its stream.
type view struct {
	State    jetstream.StreamState
	Subjects map[string]uint64
	Last     map[string]uint64 // sequence of each subject's last message
}

func (b *broker) view() view {
	b.t.Helper()
	ctx, s := b.t.Context(), b.stream()
	info, err := s.Info(ctx, jetstream.WithSubjectFilter(">"))
	if err != nil {
		b.t.Fatal(err)
	}
	v := view{State: info.State, Subjects: info.State.Subjects, Last: map[string]uint64{}}
	v.State.Subjects = nil
	for subject := range v.Subjects {
		m, err := s.GetLastMsgForSubject(ctx, subject)
		if err != nil {
			b.t.Fatalf("last message of %s: %v", subject, err)
		}
		v.Last[subject] = m.Sequence
	}
	return v
}

// base is the folder of a broker that was ended in order, with a stream of six blocks.
var base struct {
	sync.Mutex
	dir string
}

// appendToBase is the broker that the tests kill: what it keeps beside its last blocks is
// more than it would read again in a moment.
func appendToBase(t *testing.T) *broker {
	t.Helper()
	base.Lock()
	defer base.Unlock()
	if base.dir == "" {
		dir, err := os.MkdirTemp("", "killed-*")
		if err != nil {
			t.Fatal(err)
		}
		base.dir = dir
		b := startBroker(t, dir)
		b.create(jetstream.StreamConfig{MaxMsgsPerSubject: 1000, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true})
		b.publish(48, 1<<20-1000, 20)
		b.end()
	}
	b := startBroker(t, copyFolder(t, base.dir))
	b.publish(12, 1<<20-1000, 30)
	return b
}

// After a kill the broker reads the blocks again that were appended to since it last put
// its index in order, and no other: a byte that is wrong in an older one is not found
// before its message is read, as after an orderly end.
func TestBrokerReadsNoOldBlockAfterAKill(t *testing.T) {
	t.Parallel()
	b := appendToBase(t)
	want := b.view()
	killed := copyFolder(t, b.dir)
	first := messageFiles(killed, "*.blk")[0]
	data, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(first)
	if err != nil {
		t.Fatal(err)
	}
	data[1<<20+1<<19] ^= 1 // in the middle of the second message
	if err := os.WriteFile(first, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(first, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	again := startBroker(t, killed)
	if got := again.stream().CachedInfo().State; got.Msgs != want.State.Msgs || got.LastSeq != want.State.LastSeq {
		t.Errorf("the killed broker has %d messages to %d, so it read its first block of %d; want %d to %d",
			got.Msgs, got.LastSeq, len(messageFiles(killed, "*.blk")), want.State.Msgs, want.State.LastSeq)
	}
}

// Whatever was done since, a killed broker has what one has that reads everything again.
func TestKilledBrokerHasWhatItHad(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(b *broker){
		"nothing":     func(*broker) {},
		"appended to": func(b *broker) { b.publish(9, 3<<20, 60) },
		"a message deleted": func(b *broker) {
			if err := b.stream().DeleteMsg(b.t.Context(), 3); err != nil {
				b.t.Fatal(err)
			}
			b.publish(1, 10, 1)
		},
		"a message erased": func(b *broker) {
			if err := b.stream().SecureDeleteMsg(b.t.Context(), 40); err != nil {
				b.t.Fatal(err)
			}
			b.publish(1, 10, 1)
		},
		"a subject purged": func(b *broker) {
			if err := b.stream().Purge(b.t.Context(), jetstream.WithPurgeSubject("evt.3")); err != nil {
				b.t.Fatal(err)
			}
			b.publish(1, 10, 1)
		},
		"its beginning purged": func(b *broker) {
			if err := b.stream().Purge(b.t.Context(), jetstream.WithPurgeSequence(30)); err != nil {
				b.t.Fatal(err)
			}
			b.publish(1, 10, 1)
		},
		"kept shorter": func(b *broker) {
			cfg := b.stream().CachedInfo().Config
			cfg.MaxMsgs, cfg.Discard, cfg.DiscardNewPerSubject = 35, jetstream.DiscardOld, false
			if _, err := b.js.UpdateStream(b.t.Context(), cfg); err != nil {
				b.t.Fatal(err)
			}
			b.publish(5, 10, 4)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := appendToBase(t)
			do(b)
			want := b.view()
			killed, read := copyFolder(t, b.dir), copyFolder(t, b.dir)
			for _, index := range messageFiles(read, "index.db") {
				if err := os.Remove(index); err != nil {
					t.Fatal(err)
				}
			}
			for how, dir := range map[string]string{"killed": killed, "killed, its index lost": read} {
				again := startBroker(t, dir)
				again.t = t
				if diff := gocmp.Diff(want, again.view()); diff != "" {
					t.Errorf("%s (-want +got):\n%s", how, diff)
				}
				again.publish(3, 10, 100)
				if got := again.view(); got.State.LastSeq != want.State.LastSeq+3 || got.State.Msgs < 3 {
					t.Errorf("%s, then three messages more: %d to %d; want the last to be %d", how, got.State.Msgs, got.State.LastSeq, want.State.LastSeq+3)
				}
			}
		})
	}
}

// A kill in the middle of a write leaves a record that is none.
func TestKilledBrokerLosesTornRecordOnly(t *testing.T) {
	t.Parallel()
	b := appendToBase(t)
	want := b.view()
	killed := copyFolder(t, b.dir)
	blocks := messageFiles(killed, "*.blk")
	last := blocks[len(blocks)-1]
	info, err := os.Stat(last)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(last, info.Size()-5); err != nil {
		t.Fatal(err)
	}
	again := startBroker(t, killed).view().State
	if again.LastSeq != want.State.LastSeq-1 || again.Msgs != want.State.Msgs-1 {
		t.Errorf("%d messages to %d; want %d to %d", again.Msgs, again.LastSeq, want.State.Msgs-1, want.State.LastSeq-1)
	}
}
