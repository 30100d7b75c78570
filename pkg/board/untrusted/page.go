package untrusted

import (
	"bytes"
	"html"
)

// IsolatePage is IsolateNames for each text of a page that html/template made. What is
// typed into, and scripts and styles, stay as they are.
func IsolatePage(page []byte) []byte {
	if bytes.IndexFunc(page, turns) < 0 {
		return page
	}
	var out bytes.Buffer
	for len(page) > 0 {
		n := bytes.IndexByte(page, '<')
		if n < 0 {
			n = len(page)
		}
		out.Write(isolateText(page[:n]))
		tag := tagEnd(page[n:])
		out.Write(page[n : n+tag])
		page = page[n+tag:]
	}
	return out.Bytes()
}

func isolateText(text []byte) []byte {
	if bytes.IndexFunc(text, turns) < 0 {
		return text
	}
	return []byte(html.EscapeString(IsolateNames(html.UnescapeString(string(text)))))
}

// tagEnd is the length of the tag that a page begins with, with all that it holds where
// that is no text of the page.
func tagEnd(page []byte) int {
	var quote byte
	end := len(page)
	for i, c := range page {
		if quote == 0 && c == '>' {
			end = i + 1
			break
		}
		switch {
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case c == quote:
			quote = 0
		}
	}
	for _, name := range []string{"script", "style", "textarea"} {
		if bytes.HasPrefix(page, []byte("<"+name)) {
			if n := bytes.Index(page[end:], []byte("</"+name)); n >= 0 {
				return end + n
			}
			return len(page)
		}
	}
	return end
}
