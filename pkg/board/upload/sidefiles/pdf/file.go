package pdf

import (
	"bytes"
	"compress/zlib"
	"encoding/ascii85"
	"io"
	"maps"
	"slices"
	"strconv"
)

// Bounds on what is read of one file.
const (
	maxObjects  = 200_000
	maxUnpacked = 8 << 20 // bytes of all streams together
	maxValues   = 1_000_000
	maxLinks    = 16 // from one object to another, to reach a value
)

// A file is an open PDF file.
type file struct {
	data    []byte
	at      map[ref]int // of each object, where it begins
	begins  []int       // of all objects, in order: each ends before the next
	ends    []int       // of all streams, in order
	packed  map[ref]any // objects that lie in streams
	read    map[ref]any
	left    int // bytes that may still be unpacked
	values  int // that may still be read
	locked  bool
	catalog dict
}

// The words round an object and at the end of a stream.
const (
	begin     = "obj"
	endStream = "endstream"
)

// open finds the objects of a file. Of several with one number the last holds.
func open(data []byte) *file {
	f := &file{data: data, at: map[ref]int{}, packed: map[ref]any{}, read: map[ref]any{}, left: maxUnpacked, values: maxValues}
	for at := 0; len(f.begins) < maxObjects; at += len(begin) {
		i := bytes.Index(data[at:], []byte(begin))
		if i < 0 {
			break
		}
		at += i
		if n, from := numberBefore(data[:at]); n > 0 {
			f.at[ref(n)], f.begins = at+len(begin), append(f.begins, from)
		}
	}
	for at := 0; ; at += len(endStream) {
		i := bytes.Index(data[at:], []byte(endStream))
		if i < 0 {
			break
		}
		at += i
		f.ends = append(f.ends, at)
	}
	f.locked = bytes.Contains(data, []byte("/Encrypt"))
	for _, n := range slices.Sorted(maps.Keys(f.at)) {
		switch v := f.object(n).(type) {
		case stream:
			if v.dict["Type"] == name("ObjStm") {
				f.unpackObjects(v)
			}
			f.locked = f.locked || v.dict["Encrypt"] != nil
		case dict:
			if v["Type"] == name("Catalog") {
				f.catalog = v
			}
		}
	}
	for _, n := range slices.Sorted(maps.Keys(f.packed)) {
		if d, ok := f.packed[n].(dict); ok && d["Type"] == name("Catalog") {
			f.catalog = d
		}
	}
	return f
}

// numberBefore is the number of the object that begins behind "12 0 ", and where that stands; 0 for
// none.
func numberBefore(data []byte) (n, at int) {
	const longest = 8 // digits, and blanks between
	at = len(data)
	back := func(is func(byte) bool) int {
		from := at
		for at > 0 && from-at < longest && is(data[at-1]) {
			at--
		}
		return from - at
	}
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	if back(isSpace) == 0 || back(digit) == 0 || back(isSpace) == 0 {
		return 0, 0
	}
	end := at
	if back(digit) == 0 {
		return 0, 0
	}
	n, _ = strconv.Atoi(string(data[at:end]))
	return n, at
}

// object reads an object of the file itself.
func (f *file) object(n ref) any {
	if v, done := f.read[n]; done {
		return v
	}
	at, ok := f.at[n]
	if !ok {
		return f.packed[n]
	}
	f.read[n] = nil // should it need itself
	l := &lexer{data: f.data, at: at, left: &f.values}
	if i, _ := slices.BinarySearch(f.begins, at); i < len(f.begins) {
		l.data = f.data[:f.begins[i]]
	}
	v, _ := l.value(0)
	if d, isDict := v.(dict); isDict {
		l.skip()
		if bytes.HasPrefix(l.data[l.at:], []byte("stream")) {
			v = stream{d, f.body(d, l.at+len("stream"))}
		}
	}
	f.read[n] = v
	return v
}

// body gives the bytes of a stream.
func (f *file) body(d dict, at int) []byte {
	if bytes.HasPrefix(f.data[at:], []byte("\r\n")) {
		at += 2
	} else if at < len(f.data) && (f.data[at] == '\n' || f.data[at] == '\r') {
		at++
	}
	rest := f.data[at:]
	if n, ok := integer(f.lengthOf(d)); ok && n >= 0 && n <= len(rest) && bytes.HasPrefix(bytes.TrimLeft(rest[n:min(n+16, len(rest))], " \r\n"), []byte(endStream)) {
		return rest[:n]
	}
	if i, _ := slices.BinarySearch(f.ends, at); i < len(f.ends) {
		return f.data[at:f.ends[i]]
	}
	return nil
}

// lengthOf is how long a stream says to be, which may stand in an object of its own.
func (f *file) lengthOf(d dict) any {
	r, is := d["Length"].(ref)
	if !is {
		return d["Length"]
	}
	if at, ok := f.at[r]; ok {
		v, _ := (&lexer{data: f.data[at:min(at+64, len(f.data))]}).value(0)
		return v
	}
	return f.packed[r]
}

// unpackObjects reads the objects that lie in a stream.
func (f *file) unpackObjects(s stream) {
	count, _ := integer(f.resolve(s.dict["N"]))
	first, ok := integer(f.resolve(s.dict["First"]))
	data := f.unpack(s)
	if !ok || first < 0 || first > len(data) {
		return
	}
	l := &lexer{data: data[:first]}
	for range min(count, maxObjects) {
		n, isNumber := l.bareNumber()
		offset, alsoNumber := l.bareNumber()
		if !isNumber || !alsoNumber {
			return
		}
		if at := first + offset; offset >= 0 && offset <= len(data)-first && f.at[ref(n)] == 0 && len(f.packed) < maxObjects {
			inner := &lexer{data: data, at: at, left: &f.values}
			f.packed[ref(n)], _ = inner.value(0)
			if f.left -= inner.at - at; f.left <= 0 {
				return
			}
		}
	}
}

// bareNumber reads a whole number that is not looked at as a reference.
func (l *lexer) bareNumber() (int, bool) {
	l.skip()
	n, err := strconv.Atoi(l.word())
	return n, err == nil
}

// resolve gives the value that a reference leads to.
func (f *file) resolve(v any) any {
	for range maxLinks {
		r, is := v.(ref)
		if !is {
			return v
		}
		v = f.object(r)
	}
	return nil
}

func (f *file) dict(v any) dict {
	switch v := f.resolve(v).(type) {
	case dict:
		return v
	case stream:
		return v.dict
	}
	return nil
}

func (f *file) list(v any) []any {
	switch v := f.resolve(v).(type) {
	case []any:
		return v
	case nil:
		return nil
	default:
		return []any{v}
	}
}

// unpack gives what a stream holds; nothing of filters that are not known.
func (f *file) unpack(s stream) []byte {
	data := s.raw
	if f.left -= len(data) / 8; f.left <= 0 { // what is packed costs as well
		return nil
	}
	for _, filter := range f.list(s.dict["Filter"]) {
		var r io.Reader
		switch n, _ := f.resolve(filter).(name); n {
		case "FlateDecode", "Fl":
			z, err := zlib.NewReader(bytes.NewReader(data))
			if err != nil {
				return nil
			}
			r = z
		case "ASCII85Decode", "A85":
			data, _, _ = bytes.Cut(data, []byte("~>"))
			r = ascii85.NewDecoder(bytes.NewReader(data))
		case "ASCIIHexDecode", "AHx":
			l := &lexer{data: data}
			r = bytes.NewReader([]byte(l.hex()))
		default:
			return nil
		}
		data, _ = io.ReadAll(io.LimitReader(r, int64(max(f.left, 0)))) // what was read before an error counts
		f.left -= len(data)
	}
	return f.predict(s, data)
}

// predict undoes what was done to rows before they were packed: of tables and object streams, the
// difference to the row above.
func (f *file) predict(s stream, data []byte) []byte {
	parameters := f.list(s.dict["DecodeParms"])
	if len(parameters) == 0 {
		return data
	}
	p := f.dict(parameters[0])
	if v, _ := f.resolve(p["Predictor"]).(float64); v < 10 {
		return data
	}
	width, _ := integer(f.resolve(p["Columns"]))
	if width < 1 || width > 1<<16 {
		return data
	}
	var out []byte
	above := make([]byte, width)
	for len(data) > width {
		kind, row := data[0], slices.Clone(data[1:width+1])
		for i := range row {
			left, corner := byte(0), byte(0)
			if i > 0 {
				left, corner = row[i-1], above[i-1]
			}
			switch kind {
			case 1:
				row[i] += left
			case 2:
				row[i] += above[i]
			case 3:
				row[i] += byte((int(left) + int(above[i])) / 2)
			case 4:
				row[i] += paeth(left, above[i], corner)
			}
		}
		out, above, data = append(out, row...), row, data[width+1:]
	}
	return out
}

// paeth is the neighbour that is nearest to left + above - corner, as PNG has it.
func paeth(left, above, corner byte) byte {
	p := int(left) + int(above) - int(corner)
	distance := func(v byte) int { return max(p-int(v), int(v)-p) }
	switch {
	case distance(left) <= distance(above) && distance(left) <= distance(corner):
		return left
	case distance(above) <= distance(corner):
		return above
	}
	return corner
}
