package designchecks

import (
	"time"

	"boardorder/pkg/contract"
)

// ReportOf is a check of an upload's files as they are now; digest is an [boards.DigestWithAnswers].
func ReportOf(upload, digest string, until time.Time, check contract.CheckDesignData) *contract.ReportSubject {
	check.Upload = upload
	return &contract.ReportSubject{ID: ID(digest, check.Board, check.CopperOz, check.ThicknessMM), Check: check, Until: until}
}
