package signin

import (
	"testing"
	"time"
)

// TestLocalPath: no link to the sign-in page leads out of the console.
func TestLocalPath(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"/": "/", "/quotes?x=1": "/quotes?x=1", "//evil": "", "/\\evil": "", "evil": "", "https://evil": "", "/a\nb": "", "/a\tb": "", "": "",
	} {
		if got := localPath(in); got != want {
			t.Errorf("localPath(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestMinutes(t *testing.T) {
	t.Parallel()
	for in, want := range map[time.Duration]string{
		time.Second: "a minute", time.Minute: "a minute", 61 * time.Second: "2 minutes", 15 * time.Minute: "15 minutes",
	} {
		if got := minutes(in); got != want {
			t.Errorf("minutes(%v) = %q, want %q", in, got, want)
		}
	}
}
