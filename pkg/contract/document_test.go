package contract_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
)

// TestArchitectureListsStreamsAndBuckets holds the tables of ARCHITECTURE.md to
// the declarations: on a failure it prints the rows that belong there.
func TestArchitectureListsStreamsAndBuckets(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, s := range contract.Streams() {
		if row := streamRow(s); !strings.Contains(text, row+"\n") {
			t.Errorf("a row is missing:\n%s", row)
		}
	}
	for _, b := range contract.Buckets() {
		if row := bucketRow(b); !strings.Contains(text, row+"\n") {
			t.Errorf("a row is missing:\n%s", row)
		}
	}
}

func streamRow(s contract.Stream) string {
	versions := "all"
	switch {
	case s.Schedules:
		versions = "1" // one live schedule a subject
	case s.Versions > 0:
		versions = fmt.Sprint(s.Versions)
	}
	parts := "yes"
	if !s.Split {
		parts = "no"
	}
	consumers := []string{}
	for _, c := range s.Consumers {
		consumers = append(consumers, c.Name)
	}
	if len(consumers) == 0 {
		consumers = append(consumers, "none")
	}
	return fmt.Sprintf("| %s | `%s` | %s | %s | %d × %d | %d | %s | %s | %s |", s.Name, s.Subject, keptText(s), versions,
		s.Load.PerDay, s.Load.Bytes, s.Expected()/1_000_000, parts, strings.Join(consumers, ", "), s.About)
}

func keptText(s contract.Stream) string {
	switch {
	case s.WorkQueue:
		return "work queue, " + days(s.Keep)
	case s.Schedules:
		return "until due"
	case s.Keep == 0:
		return "for ever"
	}
	return days(s.Keep)
}

func bucketRow(b contract.Bucket) string {
	kept := "for ever"
	if b.TTL > 0 {
		kept = days(b.TTL)
	}
	if b.Memory {
		kept += ", in memory"
	}
	return fmt.Sprintf("| %s | %s | %s |", b.Name, kept, b.About)
}

func days(d time.Duration) string {
	if d%(24*time.Hour) == 0 {
		return fmt.Sprintf("%d days", d/(24*time.Hour))
	}
	if d < time.Minute {
		return d.String()
	}
	return strings.TrimSuffix(strings.TrimSuffix(d.String(), "0s"), "0m")
}
