package find

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/search"
)

// tokens are what of the words that somebody looks for can be an id, the likeliest first: the
// words as they are and in lower case, or of an address the parts of its path. What is signed
// begins with what it is about.
func tokens(what string) (out []string) {
	add := func(token string) {
		for _, one := range []string{token, strings.ToLower(token)} {
			if contract.ValidToken(one) && !slices.Contains(out, one) {
				out = append(out, one)
			}
		}
	}
	parts := pathParts(what)
	for _, part := range slices.Backward(parts) {
		about, _, signed := strings.Cut(part, ".")
		add(about)
		if i := strings.LastIndex(about, "_"); signed && i > 0 {
			add(about[:i])
		}
	}
	if len(parts) == 0 {
		add(what)
	}
	return out
}

// pathParts are the parts of the path of an address; none of what is no address.
func pathParts(what string) []string {
	if !strings.Contains(what, "/") || strings.Contains(what, " ") {
		return nil
	}
	if !strings.Contains(what, "://") && !strings.HasPrefix(what, "/") {
		what = "//" + what // as browsers show an address
	}
	if at, err := url.Parse(what); err == nil {
		what = at.Path
	}
	return strings.Split(strings.Trim(what, "/"), "/")
}

// wordsOf are the words that things are found by: of an address the end of its path.
func wordsOf(what string) string {
	if parts := pathParts(what); len(parts) > 0 {
		what, _, _ = strings.Cut(parts[len(parts)-1], ".")
	}
	return search.Term(what)
}

// refs are the numbers that a token can be of an order: people leave out what all begin with.
func refs(token string) []string {
	ref := strings.ToUpper(token)
	return []string{ref, "BO-" + ref, "CO-" + ref}
}

// paper is a number of an invoice or credit note as people write it.
var paper = regexp.MustCompile(`^(inv|test)?[- #]*0*(\d{1,9})$`)

// spellings are the terms that things of a kind are looked for by: the words, and what they
// may be a beginning of where whoever wrote them left out what is the same in all.
func spellings(a contract.Aggregate, term string) []string {
	out := []string{term}
	if a == contract.CaseAggregate { // a note has the words, and not the text as a whole
		words := search.NoteWords(term)
		if len(words) == 0 {
			return nil
		}
		return []string{slices.MaxFunc(words, func(a, b string) int { return len(a) - len(b) })}
	}
	plain := contract.ValidToken(term) && !strings.ContainsAny(term, "-_")
	switch a {
	case contract.OrderAggregate:
		if plain {
			out = append(out, "bo-"+term)
		}
		if m := paper.FindStringSubmatch(term); m != nil {
			n, _ := strconv.Atoi(m[2]) // of nine digits at most
			for _, kind := range []string{"inv", "test"} {
				if m[1] == "" || m[1] == kind {
					out = append(out, fmt.Sprintf("%s-%06d", kind, n))
				}
			}
		}
	case contract.QuoteAggregate:
		if plain {
			out = append(out, "bo-"+term)
		}
	case contract.FormalAggregate:
		if plain {
			out = append(out, "co-"+term)
		}
	}
	if phone := search.Phone(term); phone != "" && slices.Contains(people, a) {
		out = append(out, search.PhoneTerm(phone))
	}
	return out
}

// people are the kinds of things that have the telephone of a customer.
var people = []contract.Aggregate{contract.OrderAggregate, contract.QuoteAggregate, contract.CustomerAggregate}
