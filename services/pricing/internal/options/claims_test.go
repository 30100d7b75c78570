package options_test

import (
	"strings"
	"testing"

	"boardorder/pkg/contract/quotes"
	"boardorder/services/pricing/internal/options"

	"github.com/google/go-cmp/cmp"
)

func TestPanelsOfTheCustomerAreHeldToTheFiles(t *testing.T) {
	t.Parallel()
	sixes := map[string]any{"panel_by": "customer", "panel_columns": 2.0, "panel_rows": 3.0}
	for name, tt := range map[string]struct {
		options map[string]any
		facts   func(*options.FileFacts)
		reason  string
	}{
		"one board":                {sixes, func(*options.FileFacts) {}, "they show one board"},
		"a panel":                  {sixes, func(f *options.FileFacts) { f.Panel = fact(true) }, ""},
		"a panel of six":           {sixes, func(f *options.FileFacts) { f.Panel, f.BoardsInPanel = fact(true), fact(6) }, ""},
		"six pieces":               {sixes, func(f *options.FileFacts) { f.BoardsInPanel = fact(6) }, ""},
		"a panel of four":          {sixes, func(f *options.FileFacts) { f.Panel, f.BoardsInPanel = fact(true), fact(4) }, "they show 4 boards, so our team looks how many come; with panel_columns and panel_rows that make 4"},
		"made by the fabricator":   {map[string]any{"panel_by": "fabricator", "panel_columns": 2.0, "panel_rows": 3.0}, func(*options.FileFacts) {}, ""},
		"no panel, nothing said":   {nil, func(*options.FileFacts) {}, ""},
		"a panel, and nobody says": {nil, func(f *options.FileFacts) { f.Panel = fact(true) }, ""},
	} {
		got := resolver(t).Resolve(quotes.Request{Quantity: 10, StandardForUnstated: true, FabOptions: tt.options}, boardWith(tt.facts))
		if reasons := strings.Join(got.Reasons, " "); got.Board == nil || !strings.Contains(reasons, tt.reason) || tt.reason == "" && reasons != "" {
			t.Errorf("%s: reasons %q, refusal %+v; want %q", name, reasons, got.Refusal, tt.reason)
			continue
		}
		if counted := strings.Contains(strings.Join(got.Board.Notes, " "), "boards in all"); counted && tt.reason != "" {
			t.Errorf("%s: boards are counted that nobody saw", name)
		}
	}
}

func TestImagesOfBlindSlots(t *testing.T) {
	t.Parallel()
	slot := func(image string) map[string]any {
		s := map[string]any{"side": "top", "depth_mm": 0.5}
		if image != "" {
			s["image"] = image
		}
		return map[string]any{"blind_slots": []any{s}}
	}
	facts := boardWith(func(f *options.FileFacts) { f.Names = []string{"board.zip/top.gtl", "pictures/Slot.png"} })
	for name, tt := range map[string]struct {
		image  string
		reason string
		field  string
	}{
		"in the upload":      {"pictures/Slot.png", "need an image", ""},
		"without its folder": {"slot.png", "need an image", ""},
		"none":               {"", "Blind slot 1 comes without an image", ""},
		"another":            {"slots.png", "", "fab_options.blind_slots.0.image"},
	} {
		got := resolver(t).Resolve(quotes.Request{Quantity: 10, StandardForUnstated: true, FabOptions: slot(tt.image)}, facts)
		switch {
		case tt.field != "":
			if got.Refusal == nil || got.Refusal.Fields[0].Field != tt.field || !cmp.Equal(got.Refusal.Fields[0].Allowed, []string{"pictures/Slot.png"}) {
				t.Errorf("%s: %+v, refusal %+v; want %s refused, pictures/Slot.png allowed", name, got, got.Refusal, tt.field)
			}
		case !strings.Contains(strings.Join(got.Reasons, " "), tt.reason):
			t.Errorf("%s: reasons %q, refusal %+v; want %q", name, got.Reasons, got.Refusal, tt.reason)
		}
	}
}
