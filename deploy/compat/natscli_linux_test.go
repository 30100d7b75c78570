package compat_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/access"
	"boardorder/deploy/access/brokertest"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"

	"github.com/nats-io/nats.go"
	"golang.org/x/sys/unix"
)

// A tool is the nats command-line tool, as a person uses it who looks after a broker
// that runs with the users and permissions of production.
type tool struct {
	path   string
	broker brokertest.Broker
}

// natsBroker runs as production's, with all streams, consumers and buckets.
func natsBroker(t *testing.T) brokertest.Broker {
	t.Helper()
	passwords := []string{access.Variable(access.SystemUser), access.Variable(access.OperatorUser)}
	for _, p := range access.Programs() {
		passwords = append(passwords, access.Variable(p.Name))
	}
	return brokertest.Start(t, rootPath(t, "."), passwords)
}

// buildTool makes the tool in the version that go.mod pins.
func buildTool(t *testing.T, broker brokertest.Broker) tool {
	t.Helper()
	path := filepath.Join(t.TempDir(), "nats")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", path, "github.com/nats-io/natscli/nats")
	build.Dir = rootPath(t, "deploy/compat")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the nats tool: %v\n%s", err, out)
	}
	return tool{path, broker}
}

// run is one command of the tool. What it says on both outputs is given.
func (n tool) run(t *testing.T, user string, args ...string) (string, error) {
	t.Helper()
	return n.runWithin(t, 30*time.Second, user, args...)
}

func (n tool) runWithin(t *testing.T, limit time.Duration, user string, args ...string) (string, error) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), limit)
	defer stop()
	global := []string{"--server", n.broker.URL(user), "--inbox-prefix", "_INBOX." + user, "--no-context"}
	c := exec.CommandContext(ctx, n.path, append(global, args...)...)
	c.Env = append(os.Environ(), "HOME="+filepath.Dir(n.path), "XDG_CONFIG_HOME="+filepath.Dir(n.path), "NO_COLOR=1", "TERM=dumb")
	screen, keyboard := terminal(t)
	defer screen.Close()
	c.Stdin, c.Stdout, c.Stderr = keyboard, keyboard, keyboard
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_ = keyboard.Close()
	out, _ := io.ReadAll(screen) // ends with an error once the tool has let go of the terminal
	return string(out), c.Wait()
}

// terminal is what the tool takes for a person's: it shows pages to nobody else.
func terminal(t *testing.T) (screen, keyboard *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	fd := int(screen.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: 250})
	}
	if err != nil {
		t.Fatal(err)
	}
	keyboard, err = os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return screen, keyboard
}

// life is what lies in the streams for the commands to find.
type life struct {
	event   contract.Event
	command contract.Command
}

func fillStreams(t *testing.T, at brokertest.Broker) life {
	t.Helper()
	b := connectBus(t, at)
	defer b.Close()
	l := life{event: readStored(t, "pkg/contract/testdata/events/order/v1/paid.json")}
	if _, err := b.Append(t.Context(), l.event, 0); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	var err error
	l.command, err = contract.NewCommand(uploads.Expire, contract.NewID(contract.RequestPrefix, now), "acc_1", now, uploads.Data{Ref: "ref1"})
	if err == nil {
		err = b.Send(t.Context(), l.command)
	}
	if err == nil {
		err = b.Schedule(t.Context(), contract.Timer{Aggregate: contract.UploadAggregate, AggregateID: "ref1", What: "expire", Due: now.Add(time.Hour), Command: l.command})
	}
	if err != nil {
		t.Fatal(err)
	}
	attempts, err := b.Bucket(t.Context(), contract.AttemptsBucket)
	if err == nil {
		err = attempts.Put(t.Context(), l.command.ID, []byte(`{"failed":3}`))
	}
	if err != nil {
		t.Fatal(err)
	}
	publishDead(t, at)
	return l
}

// readStored reads an event that a file of the repository holds.
func readStored(t *testing.T, file string) contract.Event {
	t.Helper()
	text, err := os.ReadFile(rootPath(t, file))
	var s bus.Stored
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	var e contract.Event
	if err == nil {
		e, err = s.Event()
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return e
}

// keepSending has a command sent again and again until the test ends, for who listens.
func keepSending(t *testing.T, at brokertest.Broker) {
	t.Helper()
	b := connectBus(t, at)
	done := make(chan struct{})
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(func() { stop(); <-done; b.Close() })
	go func() {
		defer close(done)
		for tick := time.Tick(100 * time.Millisecond); ; {
			select {
			case <-ctx.Done():
				return
			case now := <-tick:
				if c, err := contract.NewCommand(uploads.Expire, contract.NewID(contract.RequestPrefix, now), "acc_1", now, uploads.Data{Ref: "ref2"}); err == nil {
					_ = b.Send(ctx, c)
				}
			}
		}
	}()
}

// connectBus reaches the broker as the operator, with all streams that the code knows.
func connectBus(t *testing.T, at brokertest.Broker) *bus.Bus {
	t.Helper()
	b, err := bus.Connect(t.Context(), at.Config(access.OperatorUser))
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Verify(t.Context()); err != nil {
		b.Close()
		t.Fatalf("streams and consumers: %v", err)
	}
	return b
}

// connectNATS reaches the broker as the operator, past the code.
func connectNATS(t *testing.T, at brokertest.Broker) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect(at.URL(access.OperatorUser), nats.CustomInboxPrefix(bus.InboxPrefix(access.OperatorUser)))
	if err != nil {
		t.Fatal(err)
	}
	return nc
}

// publishDead leaves what a service leaves of a command that it gave up.
func publishDead(t *testing.T, at brokertest.Broker) {
	t.Helper()
	nc := connectNATS(t, at)
	defer nc.Close()
	m := nats.NewMsg(contract.DeadSubject("central", "submit"))
	m.Header.Set("dead-reason", "the disk is full")
	if _, err := nc.RequestMsg(m, 10*time.Second); err != nil {
		t.Fatal(err)
	}
}

// examples are the handbook's commands with what is put in the place of <…>, and what
// must stand in the answer.
func (l life) examples() map[string]struct {
	as     string // the user; empty: operator
	values map[string]string
	wants  []string
} {
	type how = struct {
		as     string
		values map[string]string
		wants  []string
	}
	order := map[string]string{"<partition>": strings.Split(l.event.Subject(), ".")[2], "<id>": l.event.AggregateID}
	part := map[string]string{"<stream>": "COMMANDS", "<consumer>": "pricing", "<service>": "pricing"}
	return map[string]how{
		"stream ls":                    {wants: []string{"COMMANDS", "EVENTS_QUOTE", "TIMERS"}},
		"stream ls --all":              {wants: []string{"KV_ATTEMPTS", "COMMANDS"}},
		"stream report":                {wants: []string{"EVENTS_ORDER", "DEAD_LETTERS"}},
		"stream info <stream>":         {values: map[string]string{"<stream>": "COMMANDS"}, wants: []string{"COMMANDS", "Messages: 1"}},
		"stream info EVENTS_ORDER":     {wants: []string{"evt.order.*.*", "Messages: 1"}},
		"stream subjects EVENTS_ORDER": {wants: []string{l.event.Subject()}},
		"stream subjects TIMERS":       {wants: []string{"timer.upload.ref1.expire"}},
		"stream view EVENTS_ORDER 10":  {wants: []string{"order.paid.v1", l.event.ID, `"ref"`}},
		"stream get EVENTS_ORDER --last-for evt.order.<partition>.<id>": {values: order, wants: []string{l.event.Subject(), "order.paid.v1", `"ref"`}},
		"stream get DEAD_LETTERS --last-for dead.central.submit":        {wants: []string{"dead.central.submit", "the disk is full"}},
		"stream get DEAD_LETTERS --last-for dead.<service>.<verb>":      {values: map[string]string{"<service>": "central", "<verb>": "submit"}, wants: []string{"the disk is full"}},
		"consumer ls COMMANDS":                 {wants: []string{"pricing", "upload"}},
		"consumer ls <stream>":                 {values: part, wants: []string{"pricing"}},
		"consumer report COMMANDS":             {wants: []string{"pricing", "upload", "payment"}},
		"consumer report EVENTS_CENTRAL_ORDER": {wants: []string{"projector", "notify"}},
		"consumer info COMMANDS upload":        {wants: []string{"cmd.upload.>", "Unprocessed Messages: ", "Outstanding Acks: 0"}},
		"consumer info COMMANDS <service>":     {values: part, wants: []string{"cmd.pricing.>", "Unprocessed Messages: 0", "Outstanding Acks"}},
		"consumer info <stream> <consumer>":    {values: part, wants: []string{"cmd.pricing.>"}},
		"kv get ATTEMPTS <command id>":         {values: map[string]string{"<command id>": l.command.ID}, wants: []string{`"failed":3`}},
		"server report jetstream":              {as: access.SystemUser, wants: []string{"JetStream Summary"}},
		"sub 'evt.order.>' --all --count 1":    {wants: []string{l.event.Subject(), "ce-type: order.paid.v1"}},
		"sub 'cmd.upload.>' --count 1":         {wants: []string{"cmd.upload.", "ce-subject: upload.expire"}},
	}
}

// notRun are commands of the handbook that change something or need several brokers.
// The tool knows them.
var notRun = []string{"consumer cluster step-down <stream> <consumer>", "stream cluster step-down <stream>", "stream cluster peer-remove <stream> <peer>", "server cluster step-down"}

var spoken = regexp.MustCompile("`nats ((?:stream|consumer|kv|server|sub) [^`]*)`")

// commandsOfPages gives the commands that the pages for operators name.
func commandsOfPages(t *testing.T) (commands []string) {
	t.Helper()
	pages := []string{rootPath(t, "ARCHITECTURE.md")}
	err := filepath.WalkDir(rootPath(t, "deploy/handbook"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".md") {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range spoken.FindAllSubmatch(text, -1) {
			commands = append(commands, string(found[1]))
		}
	}
	slices.Sort(commands)
	return slices.Compact(commands)
}

// TestNATSTool runs each command that the handbook gives, with the permissions of
// the user that it names, and finds in the answer what the page promises.
func TestNATSTool(t *testing.T) {
	at := natsBroker(t)
	n, l := buildTool(t, at), fillStreams(t, at)
	shown := l.examples()
	commands := commandsOfPages(t)
	for command := range shown {
		if !slices.Contains(commands, command) {
			t.Errorf("nats %s is tested and on no page", command)
		}
	}
	for _, command := range commands {
		if slices.Contains(notRun, command) {
			words := strings.Fields(command)
			words = slices.DeleteFunc(words, func(w string) bool { return strings.HasPrefix(w, "<") })
			if out, err := n.run(t, "operator", append(words, "--help")...); err != nil || !strings.Contains(out, strings.Join(words, " ")) {
				t.Errorf("nats %s is unknown: %v\n%.500s", command, err, out)
			}
			continue
		}
		how, tested := shown[command]
		if !tested {
			t.Errorf("nats %s is on a page and not tested", command)
			continue
		}
		words := command
		for from, to := range how.values {
			words = strings.ReplaceAll(words, from, to)
		}
		if strings.HasPrefix(command, "sub 'cmd.") { // shows what is sent while it listens
			keepSending(t, at)
		}
		user := how.as
		if user == "" {
			user = access.OperatorUser
		}
		out, err := n.run(t, user, strings.Fields(strings.ReplaceAll(words, "'", ""))...)
		if err != nil {
			t.Errorf("nats %s: %v\n%.1500s", words, err, out)
			continue
		}
		for _, want := range how.wants {
			if !strings.Contains(out, want) && !bytes.Contains([]byte(out), []byte(strings.ToUpper(want))) {
				t.Errorf("nats %s does not say %q:\n%.2000s", words, want, out)
			}
		}
	}
}

// TestNATSToolAsAService: a service's own user sees nothing of other streams by it.
func TestNATSToolAsAService(t *testing.T) {
	at := natsBroker(t)
	n, l := buildTool(t, at), fillStreams(t, at)
	out, err := n.run(t, "edge", "--timeout", "2s", "stream", "view", "EVENTS_ORDER", "10")
	if err == nil || strings.Contains(out, l.event.ID) {
		t.Errorf("the edge's user reads orders: %.500s", out)
	}
}
