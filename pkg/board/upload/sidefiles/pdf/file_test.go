package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// show draws a word where lines begin.
func show(words string) string { return "BT /F 10 Tf 50 700 Td (" + words + ") Tj ET" }

// head is a file of one page up to the objects that hold its content: 4, of what it draws.
const head = "%PDF-1.5\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n2 0 obj <</Type/Pages/Kids[3 0 R]>> endobj\n" +
	"3 0 obj <</Type/Page/Contents 4 0 R/Resources<</Font<<" + helvetica + ">>>>>> endobj\n"

// packObjects is a stream of objects: each number followed by what it is.
func packObjects(n int, objects ...any) string {
	var index, body strings.Builder
	for i := 0; i < len(objects); i += 2 {
		fmt.Fprintf(&index, "%d %d ", objects[i], body.Len())
		fmt.Fprintf(&body, "%s ", objects[i+1])
	}
	return object(n, fmt.Sprintf("/Type/ObjStm/N %d/First %d/Filter/FlateDecode", len(objects)/2, index.Len()), deflate(index.String()+body.String()))
}

// TestOpen: which objects a file has, whatever its tables say (ISO 32000-1, 7.5).
func TestOpen(t *testing.T) {
	t.Parallel()
	const (
		page   = "<</Type/Page/Contents 4 0 R/Resources<</Font<<" + helvetica + ">>>>>>"
		toNew  = "<</Type/Page/Contents 8 0 R/Resources<</Font<<" + helvetica + ">>>>>>"
		table  = "xref\n0 5\n0000000000 65535 f \n0000000009 00000 n \n0000000060 00000 n \n0000000110 00000 n \n0000000200 00000 n \n"
		rooted = "trailer <</Size 5/Root 1 0 R>>\nstartxref\n0\n%%EOF\n"
	)
	within := "%PDF-1.4\n" + object(4, "", show("within")) + "9 0 obj <</Type/Catalog/Pages 2 0 R>> endobj trailer <</Root 9 0 R/Encrypt 7 0 R>>"
	for name, c := range map[string]struct{ file, want string }{
		"a table and a trailer":          {head + object(4, "", show("words")) + table + rooted, "1:words"},
		"no table, no trailer":           {head + object(4, "", show("words")), "1:words"},
		"a start that leads nowhere":     {head + object(4, "", show("words")) + strings.Replace(table+rooted, "startxref\n0", "startxref\n99999999", 1), "1:words"},
		"a table that lies":              {head + object(4, "", show("words")) + strings.ReplaceAll(table, "0000000", "0000999") + rooted, "1:words"},
		"tables that lead to each other": {head + object(4, "", show("words")) + table + "trailer <</Root 1 0 R/Prev 1>>" + table + "trailer <</Root 1 0 R/Prev 0>>", "1:words"},
		"something before the header":    {"HTTP/1.1 200 OK\r\n\r\n" + head + object(4, "", show("words")), "1:words"},
		"line ends of one kind":          {strings.ReplaceAll(head+object(4, "", show("words"))+table+rooted, "\n", "\r"), "1:words"},
		"line ends of the other kind":    {strings.ReplaceAll(head, "\n", "\r\n") + "4 0 obj\r\n<<\r\n/Length 99>>\r\nstream\r\n" + show("words") + "\r\nendstream", "1:words"},
		"objects without ends":           {strings.ReplaceAll(head, "endobj", "") + object(4, "", show("words")), "1:words"},
		"another generation":             {strings.ReplaceAll(head, "4 0 R", "4 7 R") + strings.Replace(object(4, "", show("words")), "4 0 obj", "4 7 obj", 1), "1:words"},
		"a null object":                  {head + "4 0 obj null endobj", ""},
		"an object that is nowhere":      {head, ""},

		// 7.5.6: what is appended replaces.
		"saved again":                     {head + object(4, "", show("old")) + rooted + object(4, "", show("new")) + rooted, "1:new"},
		"saved three times":               {head + object(4, "", show("old")) + rooted + object(4, "", show("newer")) + rooted + object(4, "", show("last")) + rooted, "1:last"},
		"saved into a stream":             {head + object(4, "", show("old")) + rooted + object(8, "", show("new")) + packObjects(9, 3, toNew), "1:new"},
		"saved out of a stream":           {head[:bytes.Index([]byte(head), []byte("3 0 obj"))] + object(4, "", show("old")) + packObjects(9, 3, page) + object(8, "", show("new")) + "3 0 obj " + toNew + " endobj", "1:new"},
		"saved from stream to stream":     {head + packObjects(9, 3, page) + object(4, "", show("old")) + object(8, "", show("new")) + packObjects(7, 3, toNew), "1:new"},
		"a stream of objects saved again": {head + object(4, "", show("old")) + object(8, "", show("new")) + packObjects(9, 3, page) + packObjects(9, 3, toNew), "1:new"},
		"another root":                    {head + object(4, "", show("old")) + rooted + object(8, "", show("new")) + "7 0 obj " + toNew + " endobj 6 0 obj <</Kids[7 0 R]>> endobj 5 0 obj <</Type/Catalog/Pages 6 0 R>> endobj trailer <</Root 5 0 R>>", "1:new"},
		"a root of a lower number":        {"20 0 obj <</Type/Catalog/Pages 21 0 R>> endobj 21 0 obj <</Kids[22 0 R]>> endobj 22 0 obj " + toNew + " endobj " + object(8, "", show("old")) + "trailer <</Root 20 0 R>>" + head + object(4, "", show("new")) + rooted, "1:new"},
		"a root in a table of streams":    {"20 0 obj <</Type/Catalog/Pages 2 0 R>> endobj 30 0 obj <</Type/Catalog/Pages 31 0 R>> endobj " + head + object(4, "", show("words")) + object(40, "/Type/XRef/Root 20 0 R/W[1 2 1]", "\x01\x00\x00\x00"), "1:words"},
		"a root that is no catalog":       {head + object(4, "", show("words")) + "trailer <</Root 99 0 R>>", "1:words"},

		// 7.5.7, 7.5.8: objects in streams, and files for readers of both kinds.
		"objects in a stream":           {"%PDF-1.5\n" + object(4, "", show("packed")) + packObjects(5, 1, "<</Type/Catalog/Pages 2 0 R>>", 2, "<</Type/Pages/Kids[3 0 R]>>", 3, page), "1:packed"},
		"streams that extend others":    {"%PDF-1.5\n" + object(4, "", show("packed")) + packObjects(5, 3, page) + strings.Replace(packObjects(6, 1, "<</Type/Catalog/Pages 2 0 R>>", 2, "<</Type/Pages/Kids[3 0 R]>>"), "/N 2", "/N 2/Extends 5 0 R", 1), "1:packed"},
		"hidden from readers of tables": {head[:bytes.Index([]byte(head), []byte("3 0 obj"))] + object(4, "", show("hybrid")) + packObjects(5, 3, page) + table + "trailer <</Root 1 0 R/XRefStm 300>>", "1:hybrid"},
		"an index that ends early":      {head + object(4, "", show("words")) + object(9, "/Type/ObjStm/N 5/First 4", "7 0 null"), "1:words"},
		"an index of no numbers":        {head + object(4, "", show("words")) + object(9, "/Type/ObjStm/N 2/First 8", "4 x 3 0 null"), "1:words"},
		"a first object past the end":   {head + object(4, "", show("words")) + object(9, "/Type/ObjStm/N 1/First 80", "4 0 null"), "1:words"},
		"an offset past the end":        {head + object(4, "", show("words")) + object(9, "/Type/ObjStm/N 1/First 5", "4 99 null"), "1:words"},

		// 7.3.8: how long a stream is.
		"a length of another object":      {head + "4 0 obj <</Length 7 0 R>> stream\n" + show("own endstream") + "\nendstream endobj\n7 0 obj 43 endobj", "1:own endstream"},
		"a length too small":              {head + "4 0 obj <</Length 3>> stream\n" + show("long") + "\nendstream", "1:long"},
		"a length too large":              {head + "4 0 obj <</Length 3000>> stream\n" + show("long") + "\nendstream", "1:long"},
		"a length below zero":             {head + "4 0 obj <</Length -1>> stream\n" + show("long") + "\nendstream", "1:long"},
		"no length":                       {head + "4 0 obj <<>> stream\n" + show("long") + "\nendstream", "1:long"},
		"a length of itself":              {head + "4 0 obj <</Length 4 0 R>> stream\n" + show("long") + "\nendstream", "1:long"},
		"the end of a stream in a stream": {head + object(4, "", show("the word endstream")), "1:the word endstream"},
		"no end":                          {head + "4 0 obj <</Length 300>> stream\n" + show("cut o"), ""},

		// What looks like objects, in a stream, is none.
		"a text of objects":           {head + object(4, "", show("see 4 0 obj null")), "1:see 4 0 obj null"},
		"a file within the file":      {head + object(4, "", show("outside")) + object(8, "/Type/EmbeddedFile", within), "1:outside"},
		"a text that tells of keys":   {head + object(4, "", show("/Encrypt")), "1:/Encrypt"},
		"an encryption that was null": {head + object(4, "", show("words")) + "trailer <</Root 1 0 R/Encrypt null>>", "1:words"},

		"no page":   {"%PDF-1.4\n1 0 obj <</Type/Catalog>> endobj", ""},
		"no object": {"%PDF-1.4\n", ""},
		"nothing":   {"", ""},
	} {
		got, err := Read([]byte(c.file))
		if d := cmp.Diff(c.want, flat(got)); err != nil || d != "" {
			t.Errorf("%s: error %v; (-want +got)\n%s\nof %q", name, err, d, c.file)
		}
	}
}

// TestRefused: what is encrypted (7.6), and what is too large.
func TestRefused(t *testing.T) {
	t.Parallel()
	const keys = "8 0 obj <</Filter/Standard/V 2/R 3/O(o)/U(u)/P -4>> endobj "
	file := head + object(4, "", show("\x8a\x01")) + keys
	for name, c := range map[string]struct {
		file []byte
		want error
	}{
		"encrypted":                     {[]byte(file + "trailer <</Root 1 0 R/Encrypt 8 0 R>>"), ErrProtected},
		"encrypted in place":            {[]byte(file + "trailer <</Root 1 0 R/Encrypt<</Filter/Other>>>>"), ErrProtected},
		"encrypted, a table of streams": {[]byte(file + object(9, "/Type/XRef/Encrypt 8 0 R/Root 1 0 R", "")), ErrProtected},
		"encrypted, its trailer lost":   {[]byte(file), ErrProtected},
		"encrypted, saved again":        {[]byte(file + "trailer <</Encrypt 8 0 R>>" + object(4, "", show("x")) + "trailer <</Root 1 0 R>>"), ErrProtected},
		"encrypted, written otherwise":  {[]byte(head + "trailer\n<<\n/#45ncrypt 8 0 R>>"), ErrProtected},
		"too large":                     {make([]byte, MaxSize+1), ErrTooLarge},
		"as large as can be":            {make([]byte, MaxSize), nil},
	} {
		if got, err := Read(c.file); !errors.Is(err, c.want) || got != nil {
			t.Errorf("%s: %v, %v; want %v", name, got, err, c.want)
		}
	}
}

// TestReadOfCutFiles: what is left of a file is read as it stands in the whole one, or not at all.
func TestReadOfCutFiles(t *testing.T) {
	t.Parallel()
	printed, err := os.ReadFile("testdata/notes.pdf")
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{"printed": printed, "made": plain(show("first")+show("second"), helvetica)} {
		whole, _ := Read(file)
		step := max(1, len(file)/500)
		for n := 0; n < len(file); n += step {
			got, err := Read(file[:n])
			if err != nil || slices.ContainsFunc(got, func(l Line) bool { return !slices.Contains(whole, l) }) {
				t.Errorf("the first %d of %d bytes of the %s file: %v, error %v; want lines of %v", n, len(file), name, got, err, whole)
			}
		}
	}
}

// TestUnpack: filters, alone and in chains (7.4).
func TestUnpack(t *testing.T) {
	t.Parallel()
	const words = "the quick brown fox"
	differences := dict{"Predictor": 12.0, "Columns": 4.0}
	rows := "\x02abcd\x02\x01\x01\x01\x01" // abcd, and each one more
	for _, c := range []struct {
		about, raw string
		dict       dict
		want       string
	}{
		{"nothing", words, nil, words},
		{"no filters", words, dict{"Filter": []any{}}, words},
		{"flate", deflate(words), dict{"Filter": name("FlateDecode")}, words},
		{"flate, without its sum", deflate(words)[:len(deflate(words))-4], dict{"Filter": name("FlateDecode")}, words},
		{"flate that is none", words, dict{"Filter": name("FlateDecode")}, ""},
		{"hex", "74 68\n65>garbage", dict{"Filter": name("ASCIIHexDecode")}, "the"},
		{"hex, odd", "746>", dict{"Filter": name("ASCIIHexDecode")}, "t`"},
		{"hex, no end", "7468", dict{"Filter": name("ASCIIHexDecode")}, "th"},
		{"base 85", "9jqo^BlbD-BleB1DJ+*+F(f,q~>garbage", dict{"Filter": name("ASCII85Decode")}, "Man is distinguished"},
		{"base 85, blanks", "9jqo^ Blb\nD-Ble\r\nB1DJ~>", dict{"Filter": name("ASCII85Decode")}, "Man is distin"},
		{"base 85, zeros", "z9jqo^~>", dict{"Filter": name("ASCII85Decode")}, "\x00\x00\x00\x00Man "},
		{"run lengths", "\x02abc\xfed\x00e\x80garbage", dict{"Filter": name("RunLengthDecode")}, "abcddde"},
		{"run lengths, longest", "\x81x", dict{"Filter": name("RunLengthDecode")}, strings.Repeat("x", 128)},
		{"run lengths, cut", "\x05abc", dict{"Filter": name("RunLengthDecode")}, "abc"},
		{"run lengths, cut before a byte", "\x00a\xfe", dict{"Filter": name("RunLengthDecode")}, "a"},
		{"short names", base85(deflate(words)), dict{"Filter": []any{name("A85"), name("Fl")}}, words},
		{"more short names", fmt.Sprintf("%x>", "\x12"+words), dict{"Filter": []any{name("AHx"), name("RL")}}, words},
		{"a chain of three", fmt.Sprintf("%x>", base85(deflate(words))), dict{"Filter": []any{name("ASCIIHexDecode"), name("ASCII85Decode"), name("FlateDecode")}}, words},
		{"differences", deflate(rows), dict{"Filter": name("FlateDecode"), "DecodeParms": differences}, "abcdbcde"},
		{"differences of the second filter", base85(deflate(rows)), dict{"Filter": []any{name("ASCII85Decode"), name("FlateDecode")}, "DecodeParms": []any{nil, differences}}, "abcdbcde"},
		{"differences of none", deflate(rows), dict{"Filter": []any{name("FlateDecode")}, "DecodeParms": []any{nil}}, rows},
		{"a picture", words, dict{"Filter": name("DCTDecode")}, ""},
		{"a filter that is not known", deflate(words), dict{"Filter": []any{name("FlateDecode"), name("Crypt")}}, ""},
	} {
		f := &file{left: maxUnpacked}
		if got := string(f.unpack(stream{c.dict, []byte(c.raw)})); got != c.want {
			t.Errorf("%s: %q becomes %q, want %q", c.about, c.raw, got, c.want)
		}
	}
	cut := deflate(strings.Repeat(words, 10))[:16]
	if got := string((&file{left: maxUnpacked}).unpack(stream{dict{"Filter": name("FlateDecode")}, []byte(cut)})); !strings.HasPrefix(got, "the") {
		t.Errorf("flate, cut: %q becomes %q, want what was packed first", cut, got)
	}
}

// packRows is the inverse of what predictors undo, as the PNG specification (ISO/IEC 15948, 9) and TIFF have it.
func packRows(kind int, data []byte, width, step int) []byte {
	var out []byte
	above := make([]byte, width)
	for row := range slices.Chunk(data, width) {
		if kind >= 0 {
			out = append(out, byte(kind))
		}
		for i, x := range row {
			var a, c int
			b := int(above[i])
			if i >= step {
				a, c = int(row[i-step]), int(above[i-step])
			}
			distance := func(v int) int { return max(a+b-c-v, v-a-b+c) }
			nearest := c
			switch pa, pb, pc := distance(a), distance(b), distance(c); {
			case pa <= pb && pa <= pc:
				nearest = a
			case pb <= pc:
				nearest = b
			}
			out = append(out, x-byte(map[int]int{-1: a, 0: 0, 1: a, 2: b, 3: (a + b) / 2, 4: nearest}[kind]))
		}
		above = row
	}
	return out
}

// TestPredict: differences between rows (7.4.4.4), of every kind and of pixels of every size.
func TestPredict(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, pixel := range []struct{ colors, bits, columns, width, step int }{{1, 8, 5, 5, 1}, {3, 8, 4, 12, 3}, {4, 16, 2, 16, 8}, {1, 1, 13, 2, 1}, {1, 4, 3, 2, 1}, {1, 8, 1, 1, 1}} {
		want := make([]byte, 6*pixel.width)
		for i := range want {
			want[i] = byte(random.Uint32())
		}
		p := dict{"Colors": float64(pixel.colors), "BitsPerComponent": float64(pixel.bits), "Columns": float64(pixel.columns)}
		for kind := range 5 {
			p["Predictor"] = float64(10 + kind)
			packed := packRows(kind, want, pixel.width, pixel.step)
			if got := (&file{}).predict(p, packed); !bytes.Equal(got, want) {
				t.Errorf("rows of kind %d, %+v: %v become %v, want %v", kind, pixel, packed, got, want)
			}
		}
		var mixed []byte // each row says its kind, whatever the predictor
		for i := range 6 {
			rows := packRows(i%5, want[:(i+1)*pixel.width], pixel.width, pixel.step)
			mixed = append(mixed, rows[i*(pixel.width+1):]...)
		}
		p["Predictor"] = 15.0
		if got := (&file{}).predict(p, append(mixed, 1)); !bytes.Equal(got, want) {
			t.Errorf("rows of many kinds, %+v: %v become %v, want %v", pixel, mixed, got, want)
		}
		p["Predictor"] = 2.0
		if packed := packRows(-1, want, pixel.width, pixel.step); pixel.bits == 8 {
			if got := (&file{}).predict(p, slices.Clone(packed)); !bytes.Equal(got, want) {
				t.Errorf("pixels beside each other, %+v: %v become %v, want %v", pixel, packed, got, want)
			}
		}
	}
	rows := []byte{2, 1, 2, 1}
	if got, want := (&file{}).predict(dict{"Predictor": 12.0}, rows), []byte{1, 2}; !bytes.Equal(got, want) {
		t.Errorf("rows %v without a width become %v, want %v: a column is usual", rows, got, want)
	}
	for _, p := range []dict{nil, {"Predictor": 1.0, "Columns": 3.0}, {"Predictor": 9.0, "Columns": 3.0}, {"Predictor": 12.0, "Columns": 1e9}, {"Predictor": 12.0, "Columns": 0.0}, {"Predictor": 12.0, "Colors": 33.0}, {"Predictor": 2.0, "Colors": -1.0}, {"Predictor": 12.0, "BitsPerComponent": 17.0}} {
		if got := (&file{}).predict(p, slices.Clone(rows)); !bytes.Equal(got, rows) {
			t.Errorf("rows with %v become %v, want them as they are", p, got)
		}
	}
}

// TestOpenIsBounded: each bound, just within it and just beyond.
func TestOpenIsBounded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		bound        string
		within, over int
		file         func(n int) string
	}{
		{"objects", maxObjects - 4, maxObjects - 3, func(n int) string {
			return head[:bytes.Index([]byte(head), []byte("3 0 obj"))] + strings.Repeat("9 0 obj 1 ", n) + head[bytes.Index([]byte(head), []byte("3 0 obj")):] + object(4, "", show("words"))
		}},
		{"bytes unpacked", maxUnpacked - 100_000, maxUnpacked + 1, func(n int) string {
			return head + object(4, "/Filter/FlateDecode", deflate(strings.Repeat(" ", n)+show("words")))
		}},
		{"bytes unpacked on the way", maxUnpacked/2 - 100_000, maxUnpacked / 2, func(n int) string {
			return head + object(4, "/Filter[/FlateDecode/ASCII85Decode]", deflate(strings.Repeat(" ", 2*n)+base85(show("words"))))
		}},
		{"values", maxValues - 100, maxValues, func(n int) string {
			return "8 0 obj [" + strings.Repeat("0 ", n) + "] endobj " + head + object(4, "", show("words"))
		}},
		{"links", maxLinks - 1, maxLinks, func(n int) string {
			file := strings.Replace(head, "4 0 R", "100 0 R", 1)
			for i := range n - 1 {
				file += fmt.Sprintf("%d 0 obj %d 0 R endobj ", 100+i, 101+i)
			}
			return file + object(99+n, "", show("words"))
		}},
	} {
		for n, want := range map[int]string{c.within: "1:words", c.over: ""} {
			if got, err := Read([]byte(c.file(n))); err != nil || flat(got) != want {
				t.Errorf("%d %s: %q, error %v; want %q", n, c.bound, flat(got), err, want)
			}
		}
	}
}
