package standalone_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// BenchmarkQuotes measures whole quotes of known files over HTTP, the client's
// own work included. `make bench` measures it apart from the clients and beside
// the machine's limit.
func BenchmarkQuotes(b *testing.B) {
	s := start(b, map[string]string{"DEMO_REQUESTS_PER_MINUTE": "100000000"})
	upload := s.upload(b, s.sample(b))
	var n atomic.Int64
	ask := func() {
		body := fmt.Sprintf(`{"upload_id":%q,"quantity":10,"standard_for_unstated":true,"project_name":"%d"}`, upload, n.Add(1))
		if status, reply := s.post(b, "/v1/quotes?wait_s=60", "application/json", strings.NewReader(body)); status != http.StatusCreated {
			b.Errorf("quote: %d %s, want %d", status, reply, http.StatusCreated)
		}
	}
	ask()
	b.SetParallelism(32)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			ask()
		}
	})
}
