// Package index brings the index that a broker keeps beside a stream up to the stream's
// last message. The broker (2.15) writes it every two minutes and when it is ended in
// order; one that is behind it does not use, but reads every block of the stream again,
// twice, which a kill makes minutes of where the stream is large. What is appended since
// lies in the last few blocks, so these are enough.
//
// The result is what the broker itself makes of the same blocks. Wherever more than
// appending may have happened, or anything looks unlike what the broker of this version
// writes, the index stays as it is, and the broker reads everything again.
package index

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// worthwhile is how many bytes the broker must be spared: less it reads in a moment.
const worthwhile = 32 << 20

// errOther says that more was done to a stream than appending, or something unknown:
// the broker must look at all of it.
var errOther = errors.New("not appended to only")

// AdvanceAll advances the indexes of all streams of a broker that does not run, whose
// store is dir. Those that it cannot advance, for whatever reason, are left to the broker.
func AdvanceAll(dir string) {
	streams, _ := filepath.Glob(filepath.Join(dir, "jetstream", "*", "streams", "*")) // the pattern is sound
	for _, stream := range streams {
		_ = advance(stream)
	}
}

// advance advances the index of the stream in dir. It returns errOther where that is
// not possible, and changes nothing then.
func advance(dir string) error {
	name, err := readName(dir)
	if err != nil {
		return err
	}
	messages := filepath.Join(dir, "msgs")
	files, err := listBlocks(messages)
	if err != nil {
		return err
	}
	file := filepath.Join(messages, "index.db")
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	s, err := decode(name, data)
	if err != nil {
		return err
	}
	written, err := os.Stat(file)
	if err != nil {
		return err
	}
	reprieved, err := s.checkBlocks(files, written)
	if err != nil {
		return err
	}
	if reprieved < worthwhile {
		return nil
	}
	t := newTail(name, s)
	for _, f := range files {
		if f.index < s.lastBlock {
			continue
		}
		data, err := os.ReadFile(filepath.Join(messages, f.name))
		if err != nil {
			return err
		}
		if err := t.read(f.index, data); err != nil {
			return err
		}
	}
	if len(t.subjects) == 0 { // the index is not behind
		return nil
	}
	encoded, err := s.encode(name, t)
	if err != nil {
		return err
	}
	return replace(file, encoded)
}

// replace writes a file so that nobody sees half of it. It is not synced: what a power
// cut leaves of it does not carry its checksum.
func replace(file string, data []byte) error {
	if err := os.WriteFile(file+".tmp", data, 0o600); err != nil {
		return err
	}
	return os.Rename(file+".tmp", file)
}

// readName is the name of a stream that messages are only appended to, dropped from its
// beginning, or deleted with a mark.
func readName(dir string) (string, error) {
	if _, err := os.Stat(filepath.Join(dir, "meta.key")); err == nil {
		return "", errOther // its blocks are encrypted
	}
	data, err := os.ReadFile(filepath.Join(dir, "meta.inf"))
	if err != nil {
		return "", err
	}
	var meta struct {
		Name        string `json:"name"`
		Retention   string `json:"retention"`
		Compression string `json:"compression"`
		TTL         bool   `json:"allow_msg_ttl"`
		Schedules   bool   `json:"allow_msg_schedules"`
		PerSubject  int64  `json:"max_msgs_per_subject"`
		DiscardNew  bool   `json:"discard_new_per_subject"`
		Sources     []any  `json:"sources"`
		Mirror      any    `json:"mirror"`
	}
	if err := json.Unmarshal(data, &meta); err != nil {
		return "", err
	}
	drops := meta.PerSubject > 0 && !meta.DiscardNew // the oldest of a subject, without a mark
	if meta.Retention != "limits" || meta.Compression != "none" || meta.TTL || meta.Schedules || drops || len(meta.Sources) > 0 || meta.Mirror != nil {
		return "", errOther
	}
	return meta.Name, nil
}

// A blockFile is a block of a stream on the disk.
type blockFile struct {
	name  string
	index uint32
	info  os.FileInfo
}

// listBlocks are the blocks in a folder in their order.
func listBlocks(dir string) ([]blockFile, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []blockFile
	for _, e := range entries {
		number, is := strings.CutSuffix(e.Name(), ".blk")
		if !is {
			continue
		}
		n, err := strconv.ParseUint(number, 10, 32)
		if err != nil {
			return nil, errOther
		}
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		files = append(files, blockFile{e.Name(), uint32(n), info})
	}
	slices.SortFunc(files, func(a, b blockFile) int { return int(int64(a.index) - int64(b.index)) })
	return files, nil
}

// checkBlocks holds the blocks before the last one that the index knows to what it says
// of them, and gives their bytes on the disk: each is there, none was written after the
// index or holds less than it did.
func (s *state) checkBlocks(files []blockFile, written os.FileInfo) (bytes int64, err error) {
	sizes := map[uint32]os.FileInfo{}
	for _, f := range files {
		sizes[f.index] = f.info
	}
	for _, b := range s.blocks {
		info := sizes[b.index]
		if info == nil || uint64(info.Size()) < b.bytes {
			return 0, errOther
		}
		delete(sizes, b.index)
		if b.index == s.lastBlock {
			continue
		}
		if info.ModTime().After(written.ModTime()) {
			return 0, errOther
		}
		bytes += info.Size()
	}
	for index := range sizes {
		if index < s.lastBlock { // one that holds nothing but marks
			return 0, errOther
		}
	}
	return bytes, nil
}
