package format

import "testing"

func TestLanguage(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{"de": "German (Deutsch)", "zh-Hans": "Simplified Chinese (简体中文)", "ja": "Japanese (日本語)", "en": "English", "": "English", "xx": "English"} {
		if got := Language(code); got != want {
			t.Errorf("Language(%q) = %q, want %q", code, got, want)
		}
	}
}
