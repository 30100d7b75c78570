package partcheck

import (
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract/partchecks"
)

// Reply is the part check reply of the interface.
type Reply struct {
	OK      bool   `json:"ok"`
	CheckID string `json:"check_id"`
	partchecks.Report
}

// firstRetry is when asking again makes sense while nothing is known, in seconds.
const firstRetry = 3

const notRead = "The list has not been read yet."

// replyOf puts a check into the words of the interface. check may be nil.
func replyOf(r request, check *partchecks.PartCheck) Reply {
	reply := Reply{OK: true, CheckID: r.data.Check}
	if check != nil && check.Report != nil {
		reply.Report = *check.Report
	} else {
		reply.Report = partchecks.Report{Phase: partchecks.AtFab, Boards: r.data.Boards, Parts: r.linesToCheck(),
			Summary: partchecks.Summary{Lines: map[string]int{}}, RetryAfterS: firstRetry}
		if n := len(reply.Parts); n > 0 {
			reply.Summary.Lines["checking"] = n
		} else {
			reply.Notes = []string{notRead}
		}
	}
	for i := range reply.Parts { // as a file has them
		p := &reply.Parts[i]
		p.Reference, p.Part = untrusted.CleanLine(p.Reference), untrusted.CleanLine(p.Part)
	}
	if check != nil && !hasEnded(check) {
		reply.RetryAfterS = max(reply.RetryAfterS, firstRetry)
	}
	reply.Notes = append(reply.Notes[:len(reply.Notes):len(reply.Notes)], r.notes...)
	return reply
}
