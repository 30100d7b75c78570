package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// minNoteWord is how many letters a word of a note has that it is found by.
const minNoteWord = 3

// notes adds the words of notes, the newest note first. Of more than a document can have those
// with a digit or an at sign come before the others: names of people and numbers of things are
// looked for the most.
func (t *termSet) notes(notes []gjson.Result) {
	var words termSet
	for _, note := range slices.Backward(notes) {
		for _, word := range NoteWords(note.Get("text").Str) {
			of := &words
			if strings.ContainsAny(word, "0123456789@") {
				of = t
			}
			if len(*of) < maxTerms {
				of.add(word)
			}
		}
		if len(*t) >= maxTerms {
			return
		}
	}
	for _, word := range words {
		t.add(word)
	}
}

// NoteWords are the words that a note is found by, as terms are kept.
func NoteWords(text string) (words []string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("@.-_+’'", r)
	}) {
		if word = Term(strings.Trim(word, ".-_+’'")); utf8.RuneCountInString(word) >= minNoteWord {
			words = append(words, word)
		}
	}
	return words
}
