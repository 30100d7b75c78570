package sqlite

import (
	"fmt"
	"testing"
)

// LimitPages makes the file full at n pages, or at what it has now if that is
// more.
func LimitPages(t *testing.T, s *Store, n int) {
	t.Helper()
	err := s.write.use(t.Context(), func(c *connection) error {
		var limit int
		return c.QueryRowContext(t.Context(), fmt.Sprintf(`PRAGMA max_page_count(%d)`, n)).Scan(&limit)
	})
	if err != nil {
		t.Fatal(err)
	}
}
