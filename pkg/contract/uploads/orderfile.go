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
// nearest to the top, the first by name where there are several.
func FindOrderFile(files []File) (found File, ok bool) {
	depth := 0
	for _, f := range files {
		if !strings.EqualFold(path.Base(f.Name), answers.OrderFileName) {
			continue
		}
		if n := strings.Count(f.Name, "/"); !ok || n < depth {
			found, ok, depth = f, true, n
		}
	}
	return found, ok
}
