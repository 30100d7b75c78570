package pricing

import "testing"

func TestReadMargin(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"2": "2", "0": "0", "2.5": "2.5", "": "none", "off": "none", "-1": "error", "21": "error", "two": "error", "200": "error", "2 %": "error", "0.00001": "error", "1e99999": "error"} {
		got, err := readMargin(text)
		words := "none"
		switch {
		case err != nil:
			words = "error"
		case got != nil:
			words = got.String()
		}
		if words != want {
			t.Errorf("CURRENCY_MARGIN=%q is %s (%v), want %s", text, words, err, want)
		}
	}
}
