package described_test

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardorder/deploy/standalone/internal/described"
)

const samples = "../../../../pkg/contract/testdata"

func load(t *testing.T) *described.Document {
	t.Helper()
	d, err := described.Load()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func read(t *testing.T, path string) described.Message {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Subject string
		Headers map[string]string
		Data    json.RawMessage
	}
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	return described.Message{Subject: s.Subject, Headers: s.Headers, Data: s.Data}
}

// The samples that handlers wrote are as the document says: subject, headers, body.
func TestSamples(t *testing.T) {
	t.Parallel()
	d := load(t)
	seen := 0
	err := filepath.WalkDir(samples, func(path string, e fs.DirEntry, err error) error {
		rest, _ := filepath.Rel(samples, path)
		parts := strings.Split(filepath.ToSlash(rest), "/") // <kind>/<of>/v<n>/<name>.json
		if err != nil || e.IsDir() || parts[0] == "states" {
			return err
		}
		seen++
		want := parts[1] + "." + strings.TrimSuffix(parts[3], ".json")
		if name, err := d.Check(read(t, path)); err != nil || name != want {
			t.Errorf("%s is found to be %q, %v; want %s", rest, name, err, want)
		}
		return nil
	})
	if err != nil || seen < 100 {
		t.Errorf("%d samples, %v; want 100 at least", seen, err)
	}
}

// A message that differs anywhere from what is described is refused.
func TestWhatIsNotDescribed(t *testing.T) {
	t.Parallel()
	d := load(t)
	quote := read(t, samples+"/events/quote/v1/priced.json")
	event, command := read(t, samples+"/events/upload/v1/created.json"), read(t, samples+"/commands/upload/v1/create.json")
	_, id, _ := strings.Cut(strings.TrimPrefix(event.Subject, "evt.upload."), ".")
	header := func(m described.Message, name, value string) described.Message {
		m.Headers = maps.Clone(m.Headers)
		if m.Headers[name] = value; value == "" {
			delete(m.Headers, name)
		}
		return m
	}
	on := func(m described.Message, subject string) described.Message { m.Subject = subject; return m }
	body := func(m described.Message, old, new string) described.Message {
		if !strings.Contains(string(m.Data), old) {
			t.Fatalf("%s holds no %s", m.Subject, old)
		}
		m.Data = []byte(strings.Replace(string(m.Data), old, new, 1))
		return m
	}
	dead := on(command, "dead.upload.create")
	for name, value := range map[string]string{
		"dead-reason": "the disk is full", "dead-failed": "12", "dead-unfinished": "0", "dead-origin": command.Subject, "dead-at": "2026-11-02T09:00:04Z",
	} {
		dead = header(dead, name, value)
	}
	partition := strings.Split(event.Subject, ".")[2]
	for name, tt := range map[string]struct {
		m    described.Message
		want string // in the error; empty: it is described
	}{
		"an event":                    {event, ""},
		"a command":                   {command, ""},
		"a traced command":            {header(command, "traceparent", "00-1"), ""},
		"a timer":                     {on(header(command, "ce-due", "2026-11-02T09:00:04Z"), "timer.upload."+id+".expire"), ""},
		"a timer that is due":         {on(command, "timer.upload."+id+".expire.due"), ""},
		"a wake-up call":              {described.Message{Subject: "wake.upload." + id}, ""},
		"a wake-up call with a body":  {described.Message{Subject: "wake.upload." + id, Data: []byte("{}")}, "should have none"},
		"an outcome":                  {on(quote, "wake.operation.req_1"), ""},
		"an outcome of another kind":  {on(event, "wake.operation.req_1"), "should have none"},
		"a wake-up call for nothing":  {described.Message{Subject: "wake.nothing." + id}, "no channel"},
		"an event of unknown name":    {header(event, "ce-type", "upload.shredded.v1"), "no message of type"},
		"an event of a later format":  {header(event, "ce-type", "upload.created.v2"), "no message of type"},
		"another aggregate's subject": {on(event, "evt.quote."+partition+"."+id), "no message of type"},
		"an unknown aggregate":        {on(event, "evt.parcel."+partition+"."+id), "no channel"},
		"a partition beyond the last": {on(event, "evt.upload.16."+id), "no channel"},
		"another partition":           {on(event, "evt.upload."+map[bool]string{true: "1", false: "0"}[partition == "0"]+"."+id), "not that of"},
		"an unknown plane":            {on(event, "audit.upload"), "no channel"},
		"an event without a version":  {header(event, "ce-aggregateversion", ""), "ce-aggregateversion"},
		"a header that nobody knows":  {header(event, "ce-person", "x"), "ce-person"},
		"a time that is none":         {header(event, "ce-time", "yesterday"), "date-time"},
		"a field that nobody knows":   {body(event, `"ref"`, `"email":"a@b.c","ref"`), "email"},
		"a number for a text":         {body(event, `"status": "open"`, `"status": 1`), "status"},
		"a command to another":        {on(command, strings.Replace(command.Subject, "cmd.upload", "cmd.pricing", 1)), "no channel"},
		"a command as a request":      {on(command, "req.upload.0.create.key"), "no channel"},
		"a dead letter":               {dead, ""},
		"a dead letter without why":   {on(command, "dead.upload.create"), "dead-reason"},
	} {
		_, err := d.Check(tt.m)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}
