package edge_test

import (
	"strings"
	"testing"
)

// TestErrorPagesInEachLanguage: what a browser is shown of a problem is in its language; what the
// language has no words for is marked as English.
func TestErrorPagesInEachLanguage(t *testing.T) {
	t.Parallel()
	w := start(t, openShop(nil))
	for language, words := range map[string]string{
		"en-GB": "There is nothing at this address", "de-AT": "Unter dieser Adresse gibt es nichts", "fr": "Il n’y a rien à cette adresse", "es-MX": "No hay nada en esta dirección",
		"it": "A questo indirizzo non c’è nulla", "ja": "このアドレスには何もありません", "zh-CN": "此地址没有内容",
	} {
		a := w.visit("GET", "/nope", nil, "Accept-Language", language)
		hold(t, a, 404, words, `<html lang="`+map[bool]string{true: "zh-Hans", false: language[:2]}[language == "zh-CN"]+`">`)
		if vary := a.header.Get("Vary"); !strings.Contains(vary, "Accept-Language") {
			t.Errorf("Vary of a page in %s is %q, want Accept-Language in it", language, vary)
		}
	}
	hold(t, w.visit("GET", "/docs/nope", nil, "Accept-Language", "de"), 404, `<p lang="en">There is no such page of the reference.`)
	hold(t, w.visit("GET", "/v1/uploads", nil, "Accept-Language", "ja"), 405, "このアドレスはプログラム用です")
	hold(t, w.visit("GET", "/leaked-key", nil, "Accept-Language", "fr"), 200, "Signaler une clé d’API divulguée", `lang="fr"`)
	hold(t, w.visit("GET", "/leaked-key?lang=es", nil, "Accept-Language", "fr"), 200, "Avisar de una clave de API filtrada")
}
