package access

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/registry"
)

const root = "../.."

func TestGeneratedFilesAreUpToDate(t *testing.T) {
	t.Parallel()
	files, err := Generate(root, InitialParts())
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range files {
		got, err := os.ReadFile(filepath.Join(root, path))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what deploy/access says (%v): run make generate", path, err)
		}
	}
}

// Who is to run has a user, and only who is to run.
func TestEveryServiceHasAUser(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob(filepath.Join(root, "services", "*", "go.mod"))
	if err != nil || len(folders) == 0 {
		t.Fatalf("modules of services %v, %v; want some", folders, err)
	}
	var want, got []string
	for _, f := range folders {
		want = append(want, filepath.Base(filepath.Dir(f)))
	}
	for _, p := range Services() {
		got = append(got, p.Name)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("users of services: %v; services: %v", got, want)
	}
}

// Each consumer of the contract has one user that takes from it, and each bucket
// has users.
func TestTableFollowsTheContract(t *testing.T) {
	t.Parallel()
	takes, buckets := map[Consumer][]string{}, map[string]bool{}
	for _, p := range Programs() {
		for _, c := range p.Takes {
			takes[c] = append(takes[c], p.Name)
		}
		for _, b := range p.Buckets {
			buckets[b] = true
		}
	}
	for _, s := range registry.Streams() {
		for _, c := range s.Consumers {
			if who := takes[Consumer{s.Name, c.Name}]; len(who) != 1 {
				t.Errorf("consumer %s of %s is taken from by %v, want one", c.Name, s.Name, who)
			}
			delete(takes, Consumer{s.Name, c.Name})
		}
	}
	for c, who := range takes {
		t.Errorf("%v take from consumer %s of %s, which nobody makes", who, c.Name, c.Stream)
	}
	for _, b := range registry.Buckets() {
		if !buckets[b.Name] {
			t.Errorf("nobody uses bucket %s", b.Name)
		}
		delete(buckets, b.Name)
	}
	if len(buckets) > 0 {
		t.Errorf("buckets that nobody makes: %v", buckets)
	}
}

// Who reads a stream that is split reads all of its parts.
func TestSplitStreams(t *testing.T) {
	t.Parallel()
	parts := Parts{contract.EventStream(contract.QuoteAggregate): 2}
	readers := 0
	for _, p := range Programs() {
		split := p.Publishes(parts)
		for _, subject := range p.Publishes(nil) {
			if !slices.Contains(strings.Split(subject, "."), "EVENTS_QUOTE") {
				continue
			}
			readers++
			if part := strings.Replace(subject, "EVENTS_QUOTE", "EVENTS_QUOTE_1", 1); !slices.Contains(split, subject) || !slices.Contains(split, part) {
				t.Errorf("%s: %s, or the same of the second part, is missing", p.Name, subject)
			}
		}
	}
	if readers < 5 {
		t.Errorf("%d subjects of the stream, want 5 at least: looked in the wrong place", readers)
	}
}

// A stream that is split has a trigger for each part, and one again when it is not.
func TestScalersLookAtEachPart(t *testing.T) {
	t.Parallel()
	var all []byte
	for _, p := range Services() {
		text, err := os.ReadFile(filepath.Join(root, scalerFile(p.Name)))
		if err != nil {
			t.Fatal(err)
		}
		all = append(append(all, "---\n"...), text...)
	}
	text := Scaling(all, nil)
	split := Scaling(text, Parts{contract.EventStream(contract.QuoteAggregate): 4, contract.RequestStream: 2, contract.CommandStream: 2})
	for stream, want := range map[string]int{
		"EVENTS_QUOTE": 1, "EVENTS_QUOTE_1": 1, "EVENTS_QUOTE_3": 1, "EVENTS_QUOTE_4": 0, "REQUESTS_1": 1, "REQUESTS_2": 0,
		"COMMANDS_1": bytes.Count(text, []byte("stream: COMMANDS\n")), "EVENTS_ORDER": 1, "TIMERS": 0,
	} {
		if got := bytes.Count(split, []byte("stream: "+stream+"\n")); got != want {
			t.Errorf("%d triggers for %s, want %d", got, stream, want)
		}
	}
	if !bytes.Equal(Scaling(split, nil), text) {
		t.Error("a split that is taken back leaves something")
	}
	without := bytes.Replace(text, []byte("stream: EVENTS_ORDER\n"), []byte("stream: EVENTS_BOARD\n"), 1)
	if !bytes.Equal(Scaling(without, nil), text) {
		t.Error("a stream that nobody looked at is not looked at")
	}
}

// The projection has one writer.
func TestOneWriterOfDocuments(t *testing.T) {
	t.Parallel()
	for _, p := range Programs() {
		if writes := len(p.Documents.Write) > 0; writes != (p.Name == "projector") {
			t.Errorf("%s writes documents: %t, want %t", p.Name, writes, p.Name == "projector")
		}
	}
}
