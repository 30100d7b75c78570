package contract

import (
	"path"
	"strings"

	"boardorder/pkg/board/untrusted"
)

// Sentence is what the finding says where nothing stands beside it: with its file, unless
// the words name it.
func (f Finding) Sentence() string {
	file := path.Base(f.File)
	if f.File == "" || strings.Contains(f.What, file) {
		return Sentence(f.What)
	}
	return untrusted.Mention(file) + ": " + addStop(strings.TrimSpace(f.What))
}

// Sentence makes a whole sentence of what a finding says, which may be a clause. One
// that begins with the name of a field stays so.
func Sentence(clause string) string {
	clause = strings.TrimSpace(clause)
	if clause == "" {
		return ""
	}
	if first, _, _ := strings.Cut(clause, " "); clause[0] <= 'z' && !strings.ContainsAny(first, "_./\\[") {
		clause = strings.ToUpper(clause[:1]) + clause[1:]
	}
	return addStop(clause)
}

// addStop ends a clause with a full stop.
func addStop(clause string) string { return strings.TrimSuffix(clause, ".") + "." }
