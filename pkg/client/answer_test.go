package client_test

import (
	"encoding/json"
	"testing"

	"boardorder/pkg/client"
)

func TestApplyAnswer(t *testing.T) {
	t.Parallel()
	request := client.QuoteRequest{UploadID: "up_1", Quantity: 10, FileAnswers: client.FileAnswers{LeaveOut: []string{"old.gbr"}}}
	for _, tt := range []struct {
		field string
		value any
		want  string
	}{
		{"thickness_mm", 1.6, `{"file_answers":{"leave_out":["old.gbr"]},"quantity":10,"thickness_mm":1.6,"upload_id":"up_1"}`},
		{"quantity", 20, `{"file_answers":{"leave_out":["old.gbr"]},"quantity":20,"upload_id":"up_1"}`},
		{"file_answers.outline", "my board.gko", `{"file_answers":{"leave_out":["old.gbr"],"outline":"my board.gko"},"quantity":10,"upload_id":"up_1"}`},
		{"ship_to.country", "DE", `{"file_answers":{"leave_out":["old.gbr"]},"quantity":10,"ship_to":{"country":"DE"},"upload_id":"up_1"}`},
	} {
		answered, err := client.ApplyAnswer(request, tt.field, tt.value)
		if got := marshal(t, answered); err != nil || got != tt.want {
			t.Errorf("%s = %v gives %s, %v; want %s", tt.field, tt.value, got, err, tt.want)
		}
	}
	if got, err := client.ApplyAnswer(request, "thickness_mm", "thick"); err == nil {
		t.Errorf("a text for a number gives %+v, want an error", got)
	}
}

// marshal gives JSON with its members in order.
func marshal(t *testing.T, v any) string {
	t.Helper()
	var members map[string]any
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &members)
	}
	if err == nil {
		text, err = json.Marshal(members)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
