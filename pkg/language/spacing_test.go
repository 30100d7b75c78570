package language

import "testing"

func TestSentencesJoinAsTheirLanguageDoes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ code, text, want string }{
		{"ja", "<p>例です。 <a href=\"#x\">国を選択</a>すると、 A B</p>", "<p>例です。<a href=\"#x\">国を選択</a>すると、A B</p>"},
		{"ja", "<strong>注意：</strong> 次。\n  <p>", "<strong>注意：</strong>次。\n  <p>"},
		{"zh-Hans", "价格。 请付款", "价格。请付款"},
		{"de", "Preis。 Bitte", "Preis。 Bitte"},
	} {
		if got := string(Find(c.code).Tighten([]byte(c.text))); got != c.want {
			t.Errorf("%s: %q = %q, want %q", c.code, c.text, got, c.want)
		}
	}
}
