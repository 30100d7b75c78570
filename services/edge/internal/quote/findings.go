package quote

import (
	"encoding/json"
	"fmt"
	"strconv"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"

	"github.com/tidwall/gjson"
)

// Finding is one finding with the address of its picture.
type Finding struct {
	contract.Finding
	Image    string `json:"image,omitempty"` // hides the blob's key
	ImageURL string `json:"image_url,omitempty"`
}

// maxDoubts bounds how many findings the notes say; board_findings has all.
const maxDoubts = 8

// findings puts the addresses of their pictures into a reply's findings, and says
// in its notes what the customer has to see before paying.
func (q *Quotes) findings(reply gjson.Result, own map[string]any, token string) error {
	found := reply.Get("board_findings")
	if !found.IsArray() {
		return nil
	}
	var list []contract.Finding
	if err := json.Unmarshal([]byte(found.Raw), &list); err != nil {
		return fmt.Errorf("decode findings: %w", err)
	}
	out, notes := make([]Finding, len(list)), []string{}
	for i, f := range list {
		out[i] = Finding{Finding: f}
		out[i].What = contract.Sentence(f.What)
		if f.Image != "" {
			out[i].ImageURL = q.PublicURL + "/board-images/" + token + "/finding-" + strconv.Itoa(i) + ".png"
		}
	}
	if since, ok := own["notes"].([]string); ok {
		notes = since
	} else {
		for _, note := range reply.Get("notes").Array() {
			notes = append(notes, note.Str)
		}
	}
	own["board_findings"] = out
	if doubts := doubts(list); len(doubts) > 0 {
		own["notes"] = append(notes, doubts...)
	}
	return nil
}

// doubts are the sentences about what the customer has to see.
func doubts(list []contract.Finding) []string {
	seen := quotes.Quote{Reply: quotes.Reply{BoardFindings: list}}.FindingsToAcknowledge()
	if len(seen) == 0 {
		return nil
	}
	what := "one thing that the customer has to confirm"
	if len(seen) > 1 {
		what = strconv.Itoa(len(seen)) + " things that the customer has to confirm"
	}
	out := []string{"Checking the design files found " + what + " to have seen at checkout; board_findings has them, with pictures of the places."}
	for _, f := range seen[:min(len(seen), maxDoubts)] {
		out = append(out, f.Sentence())
	}
	return out
}
