package partsourcing

import (
	"path"
	"regexp"
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/services/part-sourcing/internal/kit"
)

// refuseUnlisted refuses an upload without a bill of materials that can be used, and says of
// each file that looks like one why it cannot. What the design says of its parts will
// do; what a placement file says will not where there was a list.
func refuseUnlisted(k kit.Kit) *contract.Refusal {
	if k.NoSheet {
		return boards.RefuseAnswers([]answers.Refused{{Field: "parts_sheet", Problem: "unknown", Message: "No workbook of the upload has a sheet of that name that lists parts.", Allowed: k.Sheets}})
	}
	if len(k.List.Lines) > 0 && (k.Listed || !k.List.Positions || len(k.Unread) == 0) {
		return nil
	}
	const ask = "add one with reference designators and part numbers, as CSV, XLSX or XLS, or upload the design tool's project."
	if len(k.Unread) == 0 {
		return contract.Refuse(contract.NeedsPartNumbers, "The upload holds no bill of materials for this board: "+ask)
	}
	return contract.Refuse(contract.NeedsPartNumbers, "The upload holds no bill of materials for this board that can be used. %s Please "+ask, strings.Join(unreadNotes(k.Unread), " "))
}

// maxUnread is how many files a sentence names.
const maxUnread = 5

var plainFile = regexp.MustCompile(`^[\p{L}\p{N}][\p{L}\p{N} ._()+-]{0,79}$`)

// unreadNotes say which files were left aside, and why. Their names are foreign.
func unreadNotes(list []kit.Unread) []string {
	var out []string
	for _, u := range list[:min(len(list), maxUnread)] {
		out = append(out, nameInSentence(u.File)+" was left aside: "+u.Why+".")
	}
	return out
}

// nameInSentence is what a file is called at the beginning of a sentence of ours.
func nameInSentence(file string) string {
	if name := path.Base(file); plainFile.MatchString(name) {
		return name
	}
	return "A file"
}
