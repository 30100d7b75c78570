package email

import (
	"fmt"
	"strings"
	text "text/template"
	"time"
	"unicode/utf8"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/money"
)

func textFuncs() text.FuncMap {
	return text.FuncMap{
		"plain":  func(s string) string { return plain(s, 300) },
		"url":    func(s string) string { return untrusted.Line(s, 2000) },
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

// Longest free text that an e-mail repeats, in bytes.
const maxNotes = 5000

// plain makes foreign words fit for a sentence of ours.
func plain(s string, n int) string { return untrusted.Isolate(untrusted.Line(s, n)) }

// truncate bounds what an e-mail weighs, whatever it is written in.
func truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.TrimSpace(untrusted.CutBytes(s, n)) + "…"
}

// paragraphs splits foreign words into lines.
func paragraphs(s string) []string {
	lines := strings.Split(untrusted.Block(truncate(s, maxNotes), maxNotes), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
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
