package console_test

import (
	"net/http"
	"testing"
)

func TestStreams(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	w.signInAs("ben").get("/streams").wants(t, http.StatusOK, "dead letters", "Redelivered", "projector", "Last delivery", "Oldest")
}
