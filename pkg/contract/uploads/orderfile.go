package uploads

import (
	"path"
	"strings"

	"boardorder/pkg/board/answers"
)

// MaxOrderFile is how many bytes such a file may have.
const MaxOrderFile = 32 << 10

// OrderFile is the file of an upload that states how its board is ordered.
type OrderFile struct {
	Name string `json:"name"`
	Key  string `json:"key"`            // in the blob store: what it was read from
	Text string `json:"text,omitempty"` // as it stands: nobody has looked at it
	// Problem is why it could not be read, as a sentence; "" where it could.
	Problem string `json:"problem,omitempty"`
}

// FindOrderFile is the order file that counts among files in order of name: that in the folder
// nearest to the top, and in one folder the one that is spelt as it should be. other is the
// name of one in another folder as near, so that nobody knows which of them counts.
func FindOrderFile(files []File) (found File, other string, ok bool) {
	depth := 0
	for _, f := range files {
		if !IsOrderFile(f.Name) {
			continue
		}
		n := strings.Count(f.Name, "/")
		switch beside := n == depth && path.Dir(f.Name) == path.Dir(found.Name); {
		case !ok || n < depth:
			found, other, ok, depth = f, "", true, n
		case beside && path.Base(f.Name) == answers.OrderFileName:
			found = f
		case n == depth && !beside && other == "":
			other = f.Name
		}
	}
	return found, other, ok
}

// IsOrderFile reports whether a file is an order file by its name, in any case of letters.
func IsOrderFile(name string) bool {
	return strings.EqualFold(path.Base(name), answers.OrderFileName)
}
