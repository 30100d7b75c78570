package pricing

import (
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
)

// teamWay is how people come to quote what a machine does not.
const teamWay = "If the files cannot be mended or answered for, send the same request with special_requirements: true, and what is special in special_notes: our team then quotes the files as they are."

// answerWay is how it goes on from answers about the files that cannot be taken.
const answerWay = "Send the same request with the answers that fields names corrected. If the files cannot be answered for, send it without them and with special_requirements: true, and what is special in special_notes: our team then quotes the files as they are."

// addGuidance adds to a refusal what was read of the board, where a report of it is, and, where
// the files are the reason, the way that is open whatever they hold.
func addGuidance(refusal *contract.Refusal, u uploads.Brief, r quotes.Request, b boards.Board, files boards.ReadFiles) *contract.Refusal {
	out := addReport(refusal, u, r, b, files)
	if len(files.Refused) > 0 {
		out.Next = answerWay
	} else if (out.Code == contract.DesignFiles || out.Code == contract.NeedsDetails) && legible(files) {
		out.Next = teamWay
	}
	return out
}

// addReport adds to a refusal what was read of the board, and where a report of it is.
func addReport(refusal *contract.Refusal, u uploads.Brief, r quotes.Request, b boards.Board, files boards.ReadFiles) *contract.Refusal {
	out := boards.AddSizes(refusal, b, files.Boards)
	if u.ExpiresAt.IsZero() { // of an earlier order, whose upload has ended
		return out
	}
	check := contract.CheckDesignData{
		CopperOz:    buildValue(r.CopperOz, b.Facts["copper_oz"], 0.5, 6, 1),
		ThicknessMM: buildValue(r.ThicknessMM, b.Facts["thickness_mm"], 0.2, 6, 1.6),
	}
	if u.Digest != boards.FilesDigest(u.Digest) {
		check.Answers = r.FileAnswers
	}
	if r.Board != nil {
		check.Board = *r.Board
	}
	out.Report = designchecks.ReportOf(u.Ref, u.Digest, u.ExpiresAt, check)
	return out
}

// buildValue is what a check is made for: what the request says, or else the files, or
// else what is usual; within the bounds of checks.
func buildValue(requested *float64, file boards.Fact, least, most, usual float64) float64 {
	stated, ok := file.Value.(float64)
	switch {
	case requested != nil:
		stated = *requested
	case !ok || file.Default || file.Doubtful:
		return usual
	}
	return min(max(stated, least), most)
}
