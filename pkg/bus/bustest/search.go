package bustest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Search gives where one of the words stands, in any case, in the subjects,
// headers and bodies of all streams of a broker, buckets included.
func Search(t testing.TB, url string, words ...string) []string {
	t.Helper()
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(patience))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	list := js.ListStreams(t.Context())
	for info := range list.Info() {
		s, err := js.Stream(t.Context(), info.Config.Name)
		if err != nil {
			t.Fatal(err)
		}
		for seq := info.State.FirstSeq; seq > 0 && seq <= info.State.LastSeq; seq++ {
			m, err := s.GetMsg(t.Context(), seq)
			if err != nil {
				continue // it was removed
			}
			text := fmt.Sprint(m.Subject, m.Header) + string(m.Data)
			for _, word := range Words([]byte(text), words...) {
				found = append(found, fmt.Sprintf("%q in %s at %d, %s: %s", word, info.Config.Name, seq, m.Subject, text))
			}
		}
	}
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return found
}

// Words gives those of the words that stand in a text, in any case.
func Words(text []byte, words ...string) (found []string) {
	text = bytes.ToLower(text)
	for _, word := range words {
		if bytes.Contains(text, []byte(strings.ToLower(word))) {
			found = append(found, word)
		}
	}
	return found
}
