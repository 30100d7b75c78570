package providers

import (
	"os"
	"strings"
	"testing"
)

// TestAdviceIsTheHandbooks: what the page says to do is what the handbook says, so that
// there is one answer, and it says something about each kind of provider.
func TestAdviceIsTheHandbooks(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../../../deploy/handbook/alerts/ProviderCircuitOpen.md")
	if err != nil {
		t.Fatal(err)
	}
	_, do, _ := strings.Cut(string(text), "## What to do")
	said := strings.Count(do, "\n- ") - 1 // the last is about all of them
	for _, a := range advices {
		if want := "- " + a.Name + ": " + a.Text; !strings.Contains(string(text), want) {
			t.Errorf("the handbook does not say %q", want)
		}
	}
	if said > len(advices) {
		t.Errorf("the handbook says what to do about %d providers, the page about %d", said, len(advices))
	}
}
