package pdf

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestValue: the syntax of objects, ISO 32000-1, 7.2 and 7.3.
func TestValue(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]any{
		"true":  true,
		"false": false,
		"null":  nil,

		// 7.3.3: numbers.
		"123": 123.0, "+17": 17.0, "-98": -98.0, "0": 0.0, "34.5": 34.5, "-3.62": -3.62, "4.": 4.0, "-.002": -0.002, ".5": 0.5,
		"6.02E23": operator("6.02E23"), "16#FFFE": operator("16#FFFE"), "Infinity": operator("Infinity"), "NaN": operator("NaN"), "0x10": operator("0x10"),

		// 7.3.4.2: strings in parentheses.
		"(This is a string)":    text("This is a string"),
		"()":                    text(""),
		"(with (balanced) ())":  text("with (balanced) ()"),
		`(a \( b \) c \\ d)`:    text(`a ( b ) c \ d`),
		`(\n\r\t\b\f)`:          text("\n\r\t\b\f"),
		`(\q\8)`:                text("q8"),
		"(two \\\nlines)":       text("two lines"),
		"(two \\\rlines)":       text("two lines"),
		"(two \\\r\nlines)":     text("two lines"),
		"(one\nend)":            text("one\nend"),
		"(one\rend)":            text("one\nend"),
		"(one\r\nend)":          text("one\nend"),
		"(ends\r)":              text("ends\n"),
		`(\245\307)`:            text("\xa5\xc7"),
		`(\0053)`:               text("\x053"),
		`(\053)`:                text("+"),
		`(\53)`:                 text("+"),
		`(\5x)`:                 text("\x05x"),
		`(\501)`:                text("A"), // high bits are lost
		"(% no comment)":        text("% no comment"),
		"(without end":          text("without end"),
		`(without end\`:         text("without end"),
		"(without end \\\r":     text("without end "),
		"(nested ( without end": text("nested ( without end"),

		// 7.3.4.3: hexadecimal strings.
		"<4E6F762073686D6F7A>":  text("Nov shmoz"),
		"<4e6F 7620\n7368\t6d>": text("Nov shm"),
		"<901FA>":               text("\x90\x1f\xa0"),
		"<>":                    text(""),
		"<41":                   text("A"),

		// 7.3.5: names.
		"/Name1":               name("Name1"),
		"/A;Name_With-Various": name("A;Name_With-Various"),
		"/Lime#20Green":        name("Lime Green"),
		"/paired#28#29paren":   name("paired()paren"),
		"/The_Key_of_F#23_Min": name("The_Key_of_F#_Min"),
		"/A#42":                name("AB"),
		"/1.2":                 name("1.2"),
		"/":                    name(""),
		"/broken#4":            name("broken#4"),
		"/broken#zz":           name("broken#zz"),

		// 7.3.6, 7.3.7, 7.3.10: arrays, dictionaries and references.
		"[549 3.14 false (Ralph) /SomeName]": []any{549.0, 3.14, false, text("Ralph"), name("SomeName")},
		"[]":                                 []any(nil),
		"[[1][2 [3]]]":                       []any{[]any{1.0}, []any{2.0, []any{3.0}}},
		"[12 0 R 1 2 3 R 4 RG]":              []any{ref(12), 1.0, ref(2), 4.0, operator("RG")},
		"[0 0 R -1 0 R 1 -1 R 1 70000 R]":    []any{0.0, 0.0, operator("R"), -1.0, 0.0, operator("R"), 1.0, -1.0, operator("R"), 1.0, 70000.0, operator("R")},
		"<</A 1/B<</C[/D]>>>>":               dict{"A": 1.0, "B": dict{"C": []any{name("D")}}},
		"<</A/B/C(x)/D<78>>>":                dict{"A": name("B"), "C": text("x"), "D": text("x")},
		"<< /A#20B 12 0 R >>":                dict{"A B": ref(12)},
		"<</A 1/A 2>>":                       dict{"A": 2.0},
		"<<1 /A 2>>":                         dict{"A": 2.0},
		"<</A>>":                             dict{},
		"[1 2":                               []any{1.0, 2.0},
		"<</A 1":                             dict{"A": 1.0},

		// 7.2: blanks, delimiters, comments.
		"\x00\t\f\r\n 1":            1.0,
		"% a comment (\r(value)":    text("value"),
		"[1% a comment ]\n2/A(b)3]": []any{1.0, 2.0, name("A"), text("b"), 3.0},
		"{":                         operator("{"),
		"Tj(x)":                     operator("Tj"),
		"T*":                        operator("T*"),
	} {
		if got, ok := (&lexer{data: []byte(in)}).value(0); !ok || !cmp.Equal(got, want) {
			t.Errorf("value of %q: %#v, %t; want %#v", in, got, ok, want)
		}
	}
	for _, in := range []string{"", " ", "% comment", "]", ">>"} {
		if got, ok := (&lexer{data: []byte(in)}).value(0); ok {
			t.Errorf("value of %q: %#v, want none", in, got)
		}
	}
}

// TestValuesInARow: each value ends where the next begins.
func TestValuesInARow(t *testing.T) {
	t.Parallel()
	l := &lexer{data: []byte(`(a)(b\))<63>/d/e[1]<</f 2>>3 4 0 R T*[]`)}
	var got []any
	for v, ok := l.value(0); ok; v, ok = l.value(0) {
		got = append(got, v)
	}
	want := []any{text("a"), text("b)"), text("c"), name("d"), name("e"), []any{1.0}, dict{"f": 2.0}, 3.0, ref(4), operator("T*"), []any(nil)}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("values of %s: (-want +got)\n%s", l.data, d)
	}
}

// TestValueIsBounded: values within each other, and values in all.
func TestValueIsBounded(t *testing.T) {
	t.Parallel()
	for _, shape := range []struct{ open, end string }{{"[", "]"}, {"<</A ", ">>"}} {
		for depth, want := range map[int]bool{maxNested: true, maxNested + 1: false} {
			in := strings.Repeat(shape.open, depth) + "(deep)" + strings.Repeat(shape.end, depth)
			v, _ := (&lexer{data: []byte(in)}).value(0)
			for range depth {
				switch inner := v.(type) {
				case []any:
					v = append(inner, nil)[0]
				case dict:
					v = inner["A"]
				}
			}
			if got := v == text("deep"); got != want {
				t.Errorf("%d of %s within each other: the innermost is read: %t, want %t", depth, shape.open, got, want)
			}
		}
	}
	left := 3
	l := &lexer{data: []byte("1 (b) /c (d)"), left: &left}
	for i, want := range []bool{true, true, true, false, false} {
		if v, ok := l.value(0); ok != want {
			t.Errorf("value %d of %q with room for 3: %v, %t; want %t", i, l.data, v, ok, want)
		}
	}
}

// TestInteger: numbers that may count.
func TestInteger(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v    any
		want int
		ok   bool
	}{
		{0.0, 0, true}, {12.0, 12, true}, {-3.0, -3, true}, {2147483647.0, 2147483647, true},
		{2147483648.0, 0, false}, {-2147483648.0, 0, false}, {1e300, 0, false}, {1.5, 0, false}, {nil, 0, false}, {text("1"), 0, false}, {ref(1), 0, false},
	} {
		if got, ok := integer(c.v); ok != c.ok || ok && got != c.want {
			t.Errorf("integer(%#v) = %d, %t; want %d, %t", c.v, got, ok, c.want, c.ok)
		}
	}
}
