package access

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/contract"
)

const root = "../.."

func TestGeneratedFilesAreUpToDate(t *testing.T) {
	t.Parallel()
	for path, want := range Generated(nil) {
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
		t.Fatalf("%v, %v", folders, err)
	}
	var want, got []string
	for _, f := range folders {
		want = append(want, filepath.Base(filepath.Dir(f)))
	}
	for _, p := range services() {
		got = append(got, p.Name)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("users of services: %v; services: %v", got, want)
	}
}

func TestParseParts(t *testing.T) {
	t.Parallel()
	got, err := ParseParts("EVENTS_QUOTE=4,REQUESTS=2")
	if err != nil || len(got) != 2 || got["EVENTS_QUOTE"] != 4 || got["REQUESTS"] != 2 {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := ParseParts(""); err != nil || len(got) != 0 {
		t.Errorf("nothing: %v, %v", got, err)
	}
	for _, wrong := range []string{"EVENTS_QUOTE", "EVENTS_QUOTE=", "EVENTS_QUOTE=0", "EVENTS_QUOTE=17", "EVENTS_QUOTE=4x", "EVENTS_QUOTE=04", "NOTHING=2", "REQUESTS=-1", "=2"} {
		if got, err := ParseParts(wrong); err == nil || !strings.HasPrefix(err.Error(), "STREAM_PARTS: ") {
			t.Errorf("%q: %v, %v", wrong, got, err)
		}
	}
}

func FuzzParseParts(f *testing.F) {
	f.Add("EVENTS_QUOTE=4,REQUESTS=2")
	f.Add("=,,=1")
	f.Fuzz(func(t *testing.T, text string) {
		parts, err := ParseParts(text)
		for name, n := range parts {
			if err != nil || n < 1 || n > 16 || !known(name) {
				t.Errorf("%q: %v, %v", text, parts, err)
			}
		}
	})
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
		t.Errorf("%d subjects of the stream: looked in the wrong place", readers)
	}
}

// The projection has one writer.
func TestOneWriterOfDocuments(t *testing.T) {
	t.Parallel()
	for _, p := range Programs() {
		if writes := p.Documents == WriteDocuments; writes != (p.Name == "projector") {
			t.Errorf("%s writes documents: %t", p.Name, writes)
		}
	}
}
