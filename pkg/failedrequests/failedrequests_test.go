package failedrequests_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/failedrequests"
)

var noon = time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)

func kind(n int) failedrequests.Kind {
	return failedrequests.Kind{Method: "POST", Route: fmt.Sprint("/v1/thing-with-a-long-name/{id}/", n), Status: 422, Code: "a_code_as_long_as_codes_are"}
}

// TestRoomIsBounded: failures without end take no more bytes than the bounds say, and none is forgotten: it is listed or
// counted, also where several processes have written; one kind hides no other.
func TestRoomIsBounded(t *testing.T) {
	t.Parallel()
	var sum failedrequests.Slot
	total := 0
	for process := range 4 {
		var s failedrequests.Slot
		for i := range 25_000 {
			n := 0
			if i%10 == 0 {
				n = process*100 + i%997
			}
			s.Add(failedrequests.Entry{At: noon, Request: "req_01KAJ6F5Q1X4S8T3V6W9Y2Z5B7", Key: "4fGh2kLm9QxZ", Kind: kind(n), Millis: 12345})
			total++
		}
		sum.Merge(s)
	}
	counted := len(sum.Entries)
	alike := map[failedrequests.Kind]int{}
	for _, e := range sum.Entries {
		alike[e.Kind]++
	}
	for _, c := range sum.Left {
		counted += c.N
	}
	value, err := json.Marshal(sum)
	if err != nil || counted != total || len(sum.Entries) != failedrequests.MaxEntries || len(sum.Left) > failedrequests.MaxKinds+1 || len(value) > 32<<10 {
		t.Errorf("%d of %d, %d listed, %d kinds, %d bytes, %v; want all, %d listed, %d kinds and one, 32 kB", counted, total, len(sum.Entries), len(sum.Left), len(value), err, failedrequests.MaxEntries, failedrequests.MaxKinds)
	}
	for k, n := range alike {
		if n > failedrequests.MaxAlike {
			t.Errorf("%d of %v, want %d at most", n, k, failedrequests.MaxAlike)
		}
	}
}

type values map[string][]byte

func (v values) Get(_ context.Context, key string) ([]byte, uint64, error) {
	if value, ok := v[key]; ok {
		return value, 1, nil
	}
	return nil, 0, bus.ErrNoKey
}

// TestSevenDaysAreRead: what is younger, of one owner, the newest first.
func TestSevenDaysAreRead(t *testing.T) {
	t.Parallel()
	kept := values{}
	put := func(owner string, ages ...time.Duration) {
		for _, age := range ages {
			var s failedrequests.Slot
			at := noon.Add(-age)
			if old := kept[failedrequests.Key(owner, at)]; old != nil {
				if err := json.Unmarshal(old, &s); err != nil {
					t.Fatal(err)
				}
			}
			s.Add(failedrequests.Entry{At: at, Request: fmt.Sprint(owner, age), Kind: kind(1)})
			kept[failedrequests.Key(owner, at)], _ = json.Marshal(s)
		}
	}
	put("acc_1", 0, time.Hour, 5*time.Hour, 167*time.Hour, 169*time.Hour, 400*time.Hour)
	put("acc_1~test", time.Minute)
	all, _, err := failedrequests.Read(t.Context(), kept, "acc_1", noon)
	var got []string
	for _, e := range all {
		got = append(got, e.Request)
	}
	if want := "[acc_10s acc_11h0m0s acc_15h0m0s acc_1167h0m0s]"; fmt.Sprint(got) != want || err != nil {
		t.Errorf("read %v, %v; want %s", got, err, want)
	}
}
