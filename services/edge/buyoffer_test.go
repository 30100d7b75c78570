package edge_test

import (
	"net/http"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
)

// TestBuyPageShowsWhatIsSold: the board from both sides and in words before any price, and as
// it will be built beside the prices, each with the day of its arrival.
func TestBuyPageShowsWhatIsSold(t *testing.T) {
	t.Parallel()
	w := start(t)
	at := strings.TrimPrefix(w.putBuyLink(), w.url)
	read := boards.ReadFiles{Digest: "d", Reader: "r", ReadAt: w.now(), Boards: []boards.Board{{
		Name: "lamp", Top: "pictures/board.png", Bottom: "pictures/board.png",
		Facts: map[string]boards.Fact{"layers": {Value: 4.0}, "width_mm": {Value: 62.5}, "height_mm": {Value: 40.0}},
	}}}
	if err := w.write(string(contract.BoardAggregate), "d", read); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string][]string{
		"":                                     {"62.5 × 40 mm", "<td>4</td>", "Bare boards", "/board.png?side=top", "/board.png?side=bottom", "Sold by", "/legal/imprint"},
		"?quantity=7&country=DE":               {"Made by", "Board maker", "Lead-free HASL", "Green", "1.6 mm", "Arrives", "paid today", "made again, or you get your money back"},
		"?quantity=7&country=DE&assembled=yes": {"With all parts assembled"},
	} {
		a := w.visit("GET", at+query, nil)
		for _, text := range want {
			if a.status != http.StatusOK || !strings.Contains(string(a.body), text) {
				t.Errorf("GET /buy%s = %d lacks %q\n%s", query, a.status, text, a.body)
			}
		}
	}
	for query, want := range map[string]int{"?side=top&small=1": http.StatusOK, "?side=bottom": http.StatusOK} {
		if a := w.visit("GET", at+"/board.png"+query, nil); a.status != want {
			t.Errorf("GET board.png%s = %d, want %d", query, a.status, want)
		}
	}
	read.Boards = append(read.Boards, read.Boards[0]) // which of them is open
	if err := w.write(string(contract.BoardAggregate), "d", read); err != nil {
		t.Fatal(err)
	}
	if a := w.visit("GET", at+"/board.png", nil); a.status != http.StatusNotFound {
		t.Errorf("a picture of one of two boards = %d, want 404", a.status)
	}
}
