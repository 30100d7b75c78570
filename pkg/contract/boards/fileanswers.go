package boards

import (
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/contract"
)

// FileAnswers is the request property for answers about the files.
const FileAnswers = "file_answers"

// DigestWithAnswers identifies what files hold together with what was answered about
// them: another reading than that of the files alone.
func DigestWithAnswers(digest string, a *answers.FileAnswers) string {
	if key := a.Key(); key != "" && digest != "" {
		return digest + "-" + contract.DeriveID("answers", key)
	}
	return digest
}

// FilesDigest is the digest of the files alone, whatever was answered about them.
func FilesDigest(digest string) string {
	files, _, _ := strings.Cut(digest, "-")
	return files
}

// RefuseAnswers refuses a request for answers that cannot be taken.
func RefuseAnswers(refused []answers.Refused) *contract.Refusal {
	problems := make([]contract.FieldProblem, len(refused))
	for i, r := range refused {
		problems[i] = contract.FieldProblem{Field: FileAnswers + "." + r.Field, Problem: r.Problem, Message: r.Message}
		if r.Allowed != nil {
			problems[i].Allowed = r.Allowed
		}
	}
	return contract.RefuseFields(problems)
}
