package pdf

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/ascii85"
	"io"
	"iter"
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
	seems   map[ref]int // of each object, where it seems to begin, for lengths that stand behind
	at      map[ref]int // where it does begin, or the stream that holds it
	ends    []int       // of all streams, in order
	objects map[ref]any
	left    int // bytes that may still be unpacked
	values  int // that may still be read
	locked  bool
	catalog dict
}

// A place is where an object seems to begin, or a trailer, which has no number.
type place struct {
	n         ref
	from, end int // before and behind the words that it begins with
}

// The words that objects, trailers and the ends of streams are found by.
const (
	begin     = "obj"
	trailer   = "trailer"
	endStream = "endstream"
)

// open finds the objects of a file. Of several with one number the last holds.
func open(data []byte) *file {
	f := &file{data: data, seems: map[ref]int{}, at: map[ref]int{}, objects: map[ref]any{}, left: maxUnpacked, values: maxValues}
	f.ends = slices.Collect(indexes(data, endStream))
	places := f.findPlaces()
	root := f.readPlaces(places)
	if f.locked {
		return f
	}
	for _, p := range places {
		if s, ok := f.objects[p.n].(stream); ok && f.at[p.n] == p.from && s.dict["Type"] == name("ObjStm") {
			f.unpackObjects(s, p.from)
		}
	}
	if f.catalog = f.dict(root); f.catalog["Pages"] == nil { // no trailer that holds
		for _, n := range slices.Sorted(maps.Keys(f.objects)) {
			if d, ok := f.objects[n].(dict); ok && d["Type"] == name("Catalog") {
				f.catalog = d
			}
		}
	}
	return f
}

// indexes are the places of a word.
func indexes(data []byte, word string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := 0; ; at += len(word) {
			i := bytes.Index(data[at:], []byte(word))
			if at += i; i < 0 || !yield(at) {
				return
			}
		}
	}
}

// findPlaces finds where objects and trailers seem to begin, in order.
func (f *file) findPlaces() []place {
	var out []place
	for at := range indexes(f.data, begin) {
		if n, from := numberBefore(f.data[:at]); n > 0 && len(out) < maxObjects {
			out = append(out, place{ref(n), from, at + len(begin)})
			f.seems[ref(n)] = at + len(begin)
		}
	}
	for at := range indexes(f.data, trailer) {
		if len(out) < maxObjects {
			out = append(out, place{0, at, at + len(trailer)})
		}
	}
	slices.SortFunc(out, func(a, b place) int { return cmp.Compare(a.from, b.from) })
	return out
}

// readPlaces reads the objects of the file itself, but for those that lie in streams, as files within
// the file do. It gives what the last trailer calls the root, and finds out whether the file is locked.
func (f *file) readPlaces(places []place) (root any) {
	past := 0
	for i, p := range places {
		if p.from < past {
			continue
		}
		limit := len(f.data)
		if i+1 < len(places) {
			limit = places[i+1].from
		}
		v, end := f.parse(p.end, limit)
		var d dict
		switch v := v.(type) {
		case stream:
			d, past = v.dict, end
		case dict:
			d = v
		}
		if p.n == 0 || d["Type"] == name("XRef") {
			f.locked = f.locked || d["Encrypt"] != nil
			if d["Root"] != nil {
				root = d["Root"]
			}
		}
		if d["Filter"] == name("Standard") && d["O"] != nil && d["U"] != nil { // though its trailer be lost
			f.locked = true
		}
		if p.n > 0 {
			f.objects[p.n], f.at[p.n] = v, p.from
		}
	}
	return root
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

// parse reads what begins at a place and stands before another, and where it ends.
func (f *file) parse(from, limit int) (v any, end int) {
	l := &lexer{data: f.data[:limit], at: from, left: &f.values}
	if v, _ = l.value(0); l.cut { // a font would be taken for another
		return nil, l.at
	}
	d, isDict := v.(dict)
	l.skip()
	if !isDict || !bytes.HasPrefix(l.data[l.at:], []byte("stream")) {
		return v, l.at
	}
	from, end = f.findBody(d, l.at+len("stream"))
	return stream{d, f.data[from:end]}, end
}

// findBody finds the bytes of a stream.
func (f *file) findBody(d dict, from int) (_, end int) {
	if bytes.HasPrefix(f.data[from:], []byte("\r\n")) {
		from += 2
	} else if from < len(f.data) && (f.data[from] == '\n' || f.data[from] == '\r') {
		from++
	}
	rest := f.data[from:]
	if n, ok := integer(f.lengthOf(d)); ok && n >= 0 && n <= len(rest) && bytes.HasPrefix(bytes.TrimLeft(rest[n:min(n+16, len(rest))], " \r\n"), []byte(endStream)) {
		return from, from + n
	}
	if i, _ := slices.BinarySearch(f.ends, from); i < len(f.ends) {
		return from, f.ends[i]
	}
	return from, from
}

// lengthOf is how long a stream says to be, which may stand in an object of its own.
func (f *file) lengthOf(d dict) any {
	r, is := d["Length"].(ref)
	if !is {
		return d["Length"]
	}
	at, ok := f.seems[r]
	if !ok {
		return nil
	}
	v, _ := (&lexer{data: f.data[at:min(at+64, len(f.data))]}).value(0)
	return v
}

// unpackObjects reads the objects that lie in a stream, unless they stand behind it once more.
func (f *file) unpackObjects(s stream, begin int) {
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
		last, known := f.at[ref(n)]
		if at := first + offset; offset >= 0 && offset <= len(data)-first && (!known || last < begin) && len(f.objects) < maxObjects {
			inner := &lexer{data: data, at: at, left: &f.values}
			f.objects[ref(n)], _ = inner.value(0)
			f.at[ref(n)] = begin
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
		v = f.objects[r]
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
	parameters := f.list(s.dict["DecodeParms"])
	for i, filter := range f.list(s.dict["Filter"]) {
		var r io.Reader
		var p dict
		if i < len(parameters) {
			p = f.dict(parameters[i])
		}
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
		case "LZWDecode", "LZW":
			early := 1
			if n, ok := integer(f.resolve(p["EarlyChange"])); ok && n == 0 {
				early = 0
			}
			r = bytes.NewReader(unpackLZW(data, early, f.left))
		case "RunLengthDecode", "RL":
			r = bytes.NewReader(repeatRuns(data, f.left))
		default:
			return nil
		}
		data, _ = io.ReadAll(io.LimitReader(r, int64(max(f.left, 0)))) // what was read before an error counts
		f.left -= len(data)
		data = f.predict(p, data)
	}
	return data
}

// repeatRuns undoes run lengths: bytes as they stand behind how many they are less one, and one byte
// many times behind 257 less how often. It stops once there are more than limit.
func repeatRuns(data []byte, limit int) []byte {
	var out []byte
	for len(data) > 1 && data[0] != 128 && len(out) < limit {
		n := int(data[0]) + 1
		if n > 128 {
			out, data = append(out, bytes.Repeat(data[1:2], 258-n)...), data[2:]
			continue
		}
		n = min(n, len(data)-1)
		out, data = append(out, data[1:n+1]...), data[n+1:]
	}
	return out
}

// predict undoes what was done to rows before they were packed: of pictures, tables and object
// streams, the difference to what is beside and above.
func (f *file) predict(p dict, data []byte) []byte {
	number := func(key string, usual int) int {
		if n, ok := integer(f.resolve(p[key])); ok {
			return n
		}
		return usual
	}
	predictor, colors, bits, columns := number("Predictor", 1), number("Colors", 1), number("BitsPerComponent", 8), number("Columns", 1)
	if predictor != 2 && predictor < 10 || colors < 1 || colors > 32 || bits < 1 || bits > 16 || columns < 1 || columns > 1<<16 {
		return data
	}
	width, step := (colors*bits*columns+7)/8, (colors*bits+7)/8 // bytes of a row and of a pixel
	if predictor == 2 {
		for i := range data {
			if bits == 8 && i%width >= step {
				data[i] += data[i-step]
			}
		}
		return data
	}
	var out []byte
	above := make([]byte, width)
	for len(data) > width {
		kind, row := data[0], slices.Clone(data[1:width+1])
		for i := range row {
			left, corner := byte(0), byte(0)
			if i >= step {
				left, corner = row[i-step], above[i-step]
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
