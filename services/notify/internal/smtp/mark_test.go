package smtp

import (
	"strings"
	"testing"
)

// TestPageFindsTheMark: the part has the name by which the page asks for it.
func TestPageFindsTheMark(t *testing.T) {
	t.Parallel()
	s, err := New(Config{URL: "smtp://127.0.0.1:1", From: "orders@boards.example"})
	if err != nil {
		t.Fatal(err)
	}
	msg, err := s.message(Mail{ID: "evt_1", To: "ada@example.com", Subject: "x", Text: "x", HTML: `<img src="cid:mark">`, Mark: []byte("x")})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if _, err := msg.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	text := strings.ToLower(out.String())
	for _, want := range []string{"multipart/related", "content-id: <mark>", "content-disposition: inline"} {
		if !strings.Contains(text, want) {
			t.Errorf("the mail lacks %q:\n%s", want, text)
		}
	}
}
