package operator

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"
)

// Book holds the operators of a file and, perhaps, one more that comes in by
// the sign-in link of the start.
type Book struct {
	path  string
	extra []Operator

	mu       sync.Mutex
	modified time.Time
	size     int64
	byName   map[string]Operator
	checking chan struct{} // bounds how many passwords are hashed at once
}

// checksAtOnce bounds the memory and the work that signing in can cost.
const checksAtOnce = 2

// Open reads the file; an empty path is a book without a file. The extra
// operators are known in any case, but one of the same name in the file wins.
func Open(path string, extra ...Operator) (*Book, error) {
	b := &Book{path: path, extra: extra, checking: make(chan struct{}, checksAtOnce)}
	if err := b.refresh(); err != nil {
		return nil, err
	}
	return b, nil
}

// Empty reports that nobody can sign in.
func (b *Book) Empty() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.byName) == 0
}

// Find gives an operator by name, as the file has it now. While the file cannot
// be read the operators are those that it had.
func (b *Book) Find(name string) (Operator, bool) {
	_ = b.refresh()
	b.mu.Lock()
	defer b.mu.Unlock()
	o, ok := b.byName[name]
	return o, ok
}

// Names lists who is known, in alphabetical order.
func (b *Book) Names() []string {
	_ = b.refresh()
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.byName))
}

// Check gives the operator of a name and a password. It takes as long whether
// or not there is one.
func (b *Book) Check(name, password string) (Operator, bool) {
	o, known := b.Find(name)
	b.checking <- struct{}{}
	defer func() { <-b.checking }()
	return o, matches(o.Hash, password) && known
}

// refresh reads the file again if it has changed.
func (b *Book) refresh() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.path == "" {
		b.byName = index(b.extra, nil)
		return nil
	}
	info, err := os.Stat(b.path)
	if err != nil {
		return fmt.Errorf("operators: %w", err)
	}
	if b.byName != nil && info.ModTime().Equal(b.modified) && info.Size() == b.size {
		return nil
	}
	text, err := os.ReadFile(b.path)
	if err != nil {
		return fmt.Errorf("operators: %w", err)
	}
	list, err := Parse(text)
	if err != nil {
		return err
	}
	b.byName, b.modified, b.size = index(b.extra, list), info.ModTime(), info.Size()
	return nil
}

func index(lists ...[]Operator) map[string]Operator {
	byName := map[string]Operator{}
	for _, list := range lists {
		for _, o := range list {
			byName[o.Name] = o
		}
	}
	return byName
}

// Parse reads operators from YAML or JSON: {"operators": [{"name", "roles",
// "password_hash"}]}. It says all that is wrong.
func Parse(text []byte) ([]Operator, error) {
	var file struct {
		Operators []Operator `yaml:"operators"`
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&file); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("operators: %w", err)
	}
	var problems []error
	seen := map[string]bool{}
	for _, o := range file.Operators {
		for i, r := range o.Roles {
			o.Roles[i] = cmp.Or(former[r], r)
		}
		problems = append(problems, o.validate())
		if seen[o.Name] {
			problems = append(problems, fmt.Errorf("operator %s is there twice", o.Name))
		}
		seen[o.Name] = true
	}
	return file.Operators, errors.Join(problems...)
}
