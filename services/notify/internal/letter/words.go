package letter

import (
	"fmt"
	"strings"
	text "text/template"
	"time"
	"unicode"
	"unicode/utf8"

	"boardorder/pkg/foreigntext"
	"boardorder/pkg/money"
)

func textFuncs() text.FuncMap {
	return text.FuncMap{
		"plain":  func(s string) string { return plain(s, 300) },
		"url":    func(s string) string { return fitLine(s, 2000) },
		"quoted": quote,
		"paras":  paragraphs,
		"money":  money.Amount,
		"day":    func(t time.Time) string { return t.UTC().Format("2 January 2006") },
		"moment": func(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") },
		"boards": boards,
		"join":   func(words []string) string { return strings.Join(words, ", ") },
		"pad":    pad,
		"link":   func(url, label string) Link { return Link{url, label} },
	}
}

// Longest free text that a letter repeats, in bytes.
const maxNotes = 5000

// plain makes foreign words fit for a sentence of ours.
func plain(s string, n int) string { return foreigntext.Isolate(fitLine(s, n)) }

// fitLine makes foreign words fit for one line.
func fitLine(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		return harmless(r)
	}, s)
	return truncate(strings.Join(strings.Fields(s), " "), n)
}

// harmless drops characters that can hide or turn around what is written.
func harmless(r rune) rune {
	if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == utf8.RuneError || r == '\uFEFF' {
		return -1
	}
	return r
}

func truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.TrimSpace(s[:n]) + "…"
}

// paragraphs splits foreign words into lines.
func paragraphs(s string) []string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\v", "\n", "\f", "\n").Replace(truncate(s, maxNotes))
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		lines = append(lines, strings.TrimRight(strings.Map(func(r rune) rune {
			if r == '\t' {
				return ' '
			}
			return harmless(r)
		}, line), " "))
	}
	return lines
}

// quote marks every line of foreign words, so that none passes for ours.
func quote(s string) string {
	lines := paragraphs(s)
	for i, line := range lines {
		lines[i] = strings.TrimRight("> "+line, " ")
	}
	return strings.Join(lines, "\n")
}

func boards(n int) string {
	if n == 1 {
		return "1 board"
	}
	return fmt.Sprintf("%d boards", n)
}

// pad lines up a label and an amount in a column of 58 characters.
func pad(label, amount string) string {
	label = plain(label, 120)
	gap := 58 - utf8.RuneCountInString(label) - utf8.RuneCountInString(amount)
	return label + " " + strings.Repeat(".", max(2, gap-2)) + " " + amount
}
