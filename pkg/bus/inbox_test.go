package bus

import (
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
)

// Each user of the broker receives replies on subjects of its own.
func TestInboxOfUser(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ url, want string }{
		{"nats://edge:secret@127.0.0.1:4222", "_INBOX.edge"},
		{"tls://edge:a@nats-0:4222,tls://edge:a@nats-1:4222", "_INBOX.edge"},
		{" tls://design-check:a@nats-0:4222", "_INBOX.design-check"},
		{"nats://127.0.0.1:4222", ""},
		{"", ""},
		{"nats://%zz", ""},
	} {
		var o nats.Options
		for _, set := range inbox(c.url) {
			if err := set(&o); err != nil {
				t.Errorf("options for %s: %v", c.url, err)
			}
		}
		if o.InboxPrefix != c.want || strings.HasSuffix(o.InboxPrefix, ".") {
			t.Errorf("%q receives under %q, want %q", c.url, o.InboxPrefix, c.want)
		}
	}
}
