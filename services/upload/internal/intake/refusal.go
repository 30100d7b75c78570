package intake

import (
	"errors"

	"boardorder/pkg/board/archive"
	"boardorder/pkg/contract"
	"boardorder/pkg/worker"
)

// refusal says to the client what is wrong with an archive.
func refusal(e *archive.Error) *contract.Refusal {
	code := contract.UnreadableArchive
	if e.Code == archive.TooLarge {
		code = contract.UploadTooLarge
	}
	field := e.Archive
	if e.Member != "" {
		field += "!/" + e.Member
	}
	r := contract.Refuse(code, "An archive could not be unpacked; fields names it, its member and why.")
	r.Fields = []contract.FieldProblem{{Field: field, Problem: string(e.Code), Message: sentence(e)}}
	return r
}

// refuseNonArchive refuses a file that is one by its name only: what the sender means
// to send is not in it.
func refuseNonArchive(name string) *contract.Refusal {
	r := contract.Refuse(contract.UnreadableArchive, "A file is named like an archive but is not one; fields names it.")
	r.Fields = []contract.FieldProblem{{
		Field: name, Problem: string(archive.NotArchive), Message: "This is no archive, whatever its name says: pack the files anew, or send them as they are.",
	}}
	return r
}

// refuseFile refuses a file for what the scanner said of it.
func refuseFile(name, why string) *contract.Refusal {
	r := contract.Refuse(contract.InvalidRequest, "A file was not taken; fields names it.")
	r.Fields = []contract.FieldProblem{{Field: name, Problem: "not_allowed", Message: why}}
	return r
}

// refuseHardArchive refuses an archive whose worker ended.
func refuseHardArchive(name string, why error) *contract.Refusal {
	problem, message := archive.Damaged, "cannot be unpacked: pack it as an ordinary .zip"
	switch {
	case errors.Is(why, worker.ErrMemory):
		problem, message = archive.TooLarge, "takes too much memory to unpack: pack it as an ordinary .zip"
	case errors.Is(why, worker.ErrTime):
		problem, message = archive.TooLarge, "takes too long to unpack: pack it as an ordinary .zip"
	}
	return refusal(&archive.Error{Code: problem, Archive: name, Reason: message})
}

// sentence says of an archive, or of a member, what its reason begins in the middle.
func sentence(e *archive.Error) string {
	if e.Member != "" {
		return contract.Sentence("the member " + e.Reason)
	}
	return contract.Sentence("the archive " + e.Reason)
}
