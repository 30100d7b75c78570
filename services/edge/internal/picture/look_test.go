package picture_test

import (
	"testing"

	"boardorder/pkg/board/paint"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/edge/internal/picture"
)

// TestLooks: a board looks as it was priced, else as it was asked for, else as our standard; its silkscreen
// is the one that is printed on its mask, and an address changes what it names.
func TestLooks(t *testing.T) {
	t.Parallel()
	words, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	silkscreen := map[string]string{}
	for _, m := range words.SolderMasks {
		silkscreen[m.ID] = m.Silkscreen
	}
	blue, gold := "Blue", "enig"
	request := quotes.Request{SolderMask: &blue, SurfaceFinish: &gold}
	standard := paint.Look{Mask: words.Standard.SolderMask, Finish: words.Standard.SurfaceFinish, Material: words.Standard.Material, Silkscreen: silkscreen[words.Standard.SolderMask]}
	change := func(f func(*paint.Look)) paint.Look {
		l := standard
		f(&l)
		l.Silkscreen = silkscreen[l.Mask]
		return l
	}
	for name, tt := range map[string]struct {
		quote quotes.Quote
		want  paint.Look
	}{
		"nobody said":       {quotes.Quote{}, standard},
		"as asked for":      {quotes.Quote{Request: request}, change(func(l *paint.Look) { l.Mask, l.Finish = "Blue", "enig" })},
		"as priced":         {quotes.Quote{Request: request, Reply: quotes.Reply{BoardDetails: &quotes.BoardDetails{SolderMask: "White", Material: "Aluminum"}}}, change(func(l *paint.Look) { l.Mask, l.Finish, l.Material = "White", "enig", "Aluminum" })},
		"an unknown colour": {quotes.Quote{Reply: quotes.Reply{BoardDetails: &quotes.BoardDetails{SolderMask: "Chartreuse"}}}, change(func(l *paint.Look) { l.Mask = "Chartreuse" })},
	} {
		if got := picture.LookOf(tt.quote, words); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
	for name, tt := range map[string]struct {
		query map[string]string
		want  paint.Look
		wrong string
	}{
		"nothing":       {nil, standard, ""},
		"a colour":      {map[string]string{"solder_mask": "Black"}, change(func(l *paint.Look) { l.Mask = "Black" }), ""},
		"no colour":     {map[string]string{"solder_mask": "black"}, standard, "solder_mask"},
		"left empty":    {map[string]string{"surface_finish": ""}, standard, "surface_finish"},
		"another field": {map[string]string{"layers": "4"}, standard, ""},
	} {
		got, wrong := picture.ApplyChoices(standard, words, func(name string) (string, bool) { v, ok := tt.query[name]; return v, ok })
		field := ""
		if len(wrong) > 0 {
			field = wrong[0].Field
		}
		if got != tt.want || field != tt.wrong || len(wrong) > 1 {
			t.Errorf("%s: %v gives %+v, refused %v; want %+v, %q", name, tt.query, got, wrong, tt.want, tt.wrong)
		}
	}
}
