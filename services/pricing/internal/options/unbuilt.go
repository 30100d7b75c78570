package options

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
)

// UnbuiltCheck is the check of findings about what the files state and an instant quote cannot
// build.
const UnbuiltCheck = "instant_options"

// An unbuilt is something that the files state and an instant quote cannot build.
type unbuilt struct {
	text    string // in our words
	field   string // of the request, which decides it otherwise; "" where none does
	words   string // as the files write it
	file    string
	allowed any
}

// quotation says what is not built with the words of the file, which stand in no message.
func (u unbuilt) quotation() string {
	words := untrusted.Line(u.words, 60)
	if words == "" {
		return u.text
	}
	return fmt.Sprintf("%s; %s says %q", u.text, path.Base(u.file), words)
}

// unbuiltReasons are what people must quote, where they are to.
func (d *decision) unbuiltReasons() []string {
	var out []string
	for _, u := range d.unbuildable {
		out = append(out, u.quotation())
	}
	return out
}

// refuseFiles answers files that state what an instant quote cannot build, with the fields
// that decide it otherwise.
func (d *decision) refuseFiles() *contract.Refusal {
	var texts, fields []string
	refusal := &contract.Refusal{Code: contract.DesignFiles, Known: d.known}
	for _, u := range d.unbuildable {
		texts = append(texts, u.text)
		refusal.Findings = append(refusal.Findings, contract.Finding{Level: "must_fix", Check: UnbuiltCheck, What: sentence(u.quotation()), File: u.file})
		if u.field == "" || slices.Contains(fields, u.field) || u.allowed == nil {
			continue
		}
		fields = append(fields, u.field)
		refusal.Fields = append(refusal.Fields, contract.FieldProblem{
			Field: u.field, Problem: "contradicts_files", Allowed: u.allowed,
			Message: fmt.Sprintf("The files state what is not built without asking; one of allowed as %s is built instead.", u.field),
		})
	}
	send := "Send"
	if len(fields) > 0 {
		send = fmt.Sprintf("Send %s with one of the values that fields lists, or", strings.Join(fields, ", "))
	}
	refusal.Message = fmt.Sprintf("The files state what an instant quote cannot build: %s. %s special_requirements: true for a quote by our team.", strings.Join(texts, "; "), send)
	return refusal
}
