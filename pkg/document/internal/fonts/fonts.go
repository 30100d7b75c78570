// Package fonts has the fonts that documents are drawn with where the Go font
// lacks a character, and says which of them has it.
package fonts

import (
	"bytes"
	"embed"
	"fmt"
	"sync"
	"unicode"

	"github.com/go-text/typesetting/font"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
)

//go:embed bizud droid nanum noto
var files embed.FS

// A shipped font is unpacked when first a character asks for it.
type shipped struct {
	ranges [][2]rune // of characters that it is asked for before others
	font   func() *font.Font
}

func fontOf(file string, ranges ...[2]rune) shipped {
	return shipped{ranges, sync.OnceValue(func() *font.Font {
		packed, err := files.ReadFile(file)
		if err != nil {
			panic(fmt.Sprintf("font %s: %v", file, err))
		}
		unpack, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1)) // no option of these can fail
		defer unpack.Close()
		ttf, err := unpack.DecodeAll(packed, nil)
		if err != nil {
			panic(fmt.Sprintf("font %s: %v", file, err))
		}
		return parse(file, ttf)
	})}
}

// parse panics on a font that cannot be read: all that there are come with the
// program, and a test reads each.
func parse(name string, ttf []byte) *font.Font {
	face, err := font.ParseTTF(bytes.NewReader(ttf))
	if err != nil {
		panic(fmt.Sprintf("font %s: %v", name, err))
	}
	return face.Font
}

var (
	base = sync.OnceValue(func() *font.Font { return parse("Go", goregular.TTF) })
	bold = sync.OnceValue(func() *font.Font { return parse("Go Bold", gobold.TTF) })
	wide = fontOf("noto/NotoSans-Regular.ttf.zst")
	all  = []shipped{
		fontOf("noto/NotoSansArmenian-Regular.ttf.zst", [2]rune{0x530, 0x58f}, [2]rune{0xfb13, 0xfb17}),
		fontOf("noto/NotoSansHebrew-Regular.ttf.zst", [2]rune{0x590, 0x5ff}, [2]rune{0xfb1d, 0xfb4f}),
		fontOf("noto/NotoSansArabic-Regular.ttf.zst", [2]rune{0x600, 0x6ff}, [2]rune{0x750, 0x77f}, [2]rune{0x8a0, 0x8ff}, [2]rune{0xfb50, 0xfdff}, [2]rune{0xfe70, 0xfeff}),
		fontOf("noto/NotoSansDevanagari-Regular.ttf.zst", [2]rune{0x900, 0x97f}, [2]rune{0x1cd0, 0x1cff}, [2]rune{0xa8e0, 0xa8ff}),
		fontOf("noto/NotoSansBengali-Regular.ttf.zst", [2]rune{0x980, 0x9ff}),
		fontOf("noto/NotoSansGurmukhi-Regular.ttf.zst", [2]rune{0xa00, 0xa7f}),
		fontOf("noto/NotoSansGujarati-Regular.ttf.zst", [2]rune{0xa80, 0xaff}),
		fontOf("noto/NotoSansOriya-Regular.ttf.zst", [2]rune{0xb00, 0xb7f}),
		fontOf("noto/NotoSansTamil-Regular.ttf.zst", [2]rune{0xb80, 0xbff}),
		fontOf("noto/NotoSansTelugu-Regular.ttf.zst", [2]rune{0xc00, 0xc7f}),
		fontOf("noto/NotoSansKannada-Regular.ttf.zst", [2]rune{0xc80, 0xcff}),
		fontOf("noto/NotoSansMalayalam-Regular.ttf.zst", [2]rune{0xd00, 0xd7f}),
		fontOf("noto/NotoSansSinhala-Regular.ttf.zst", [2]rune{0xd80, 0xdff}),
		fontOf("noto/NotoSansThai-Regular.ttf.zst", [2]rune{0xe00, 0xe7f}),
		fontOf("noto/NotoSansLao-Regular.ttf.zst", [2]rune{0xe80, 0xeff}),
		fontOf("noto/NotoSansMyanmar-Regular.ttf.zst", [2]rune{0x1000, 0x109f}),
		fontOf("noto/NotoSansGeorgian-Regular.ttf.zst", [2]rune{0x10a0, 0x10ff}, [2]rune{0x1c90, 0x1cbf}, [2]rune{0x2d00, 0x2d2f}),
		fontOf("noto/NotoSansEthiopic-Regular.ttf.zst", [2]rune{0x1200, 0x139f}, [2]rune{0x2d80, 0x2ddf}, [2]rune{0xab00, 0xab2f}),
		fontOf("noto/NotoSansKhmer-Regular.ttf.zst", [2]rune{0x1780, 0x17ff}, [2]rune{0x19e0, 0x19ff}),
		fontOf("nanum/NanumSquareR.ttf.zst", [2]rune{0x1100, 0x11ff}, [2]rune{0x3131, 0x318e}, [2]rune{0xac00, 0xd7a3}),
		fontOf("droid/DroidSansFallbackFull.ttf.zst", [2]rune{0x2e80, 0xabff}, [2]rune{0xf900, 0xfaff}, [2]rune{0xfe30, 0xfe4f}, [2]rune{0xff00, 0xffef}),
	}
)

// japanese has the kanji of JIS X 0208 as they are written in Japan, and kana beside them.
var japanese = fontOf("bizud/BIZUDPGothic-Regular.ttf.zst", [2]rune{0x2e80, 0x9fff}, [2]rune{0xf900, 0xfaff}, [2]rune{0xff00, 0xffef})

// A Set is the fonts as one document uses them. It is not for several goroutines.
type Set struct {
	faces       map[*font.Font]*font.Face
	base, first *font.Font
	own         []shipped // of the document's language, before all others
}

// NewSet gives the fonts to a document in a language, by its code as pkg/language has it.
func NewSet(language string) *Set {
	s := &Set{faces: map[*font.Font]*font.Face{}, base: base(), first: base()}
	if language == "ja" {
		s.own = []shipped{japanese}
	}
	return s
}

// Begin says which text [Set.ResolveFace] is asked for next, and whether it is bold. One
// that has Latin, Greek or Cyrillic letters that the Go font lacks is written in
// another font as a whole, so that no word has letters of two.
func (s *Set) Begin(text []rune, isBold bool) {
	s.base = base()
	if isBold {
		s.base = bold()
	}
	s.first = s.base
	for _, r := range text {
		if unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Inherited) && !has(s.base, r) && has(wide.font(), r) {
			s.first = wide.font()
		}
	}
}

// ResolveFace gives the font of a character: the first one if none has it.
func (s *Set) ResolveFace(r rune) *font.Face {
	if f := s.find(r); f != nil {
		return s.face(f)
	}
	return s.face(s.first)
}

// Has says whether any font has a character.
func (s *Set) Has(r rune) bool { return s.find(r) != nil }

// IsInBase tells whether the Go font has a character.
func (s *Set) IsInBase(r rune) bool { return has(s.base, r) }

// IsBase says whether a face is the Go font, which PDFs hold as a font.
func (s *Set) IsBase(f *font.Face) bool { return f.Font == s.base }

func (s *Set) face(f *font.Font) *font.Face {
	if s.faces[f] == nil {
		s.faces[f] = font.NewFace(f)
	}
	return s.faces[f]
}

func (s *Set) find(r rune) *font.Font {
	if has(s.first, r) {
		return s.first
	}
	for _, list := range [][]shipped{s.own, all} {
		for _, f := range list {
			if f.isFor(r) && has(f.font(), r) {
				return f.font()
			}
		}
	}
	for _, f := range []*font.Font{s.base, wide.font()} {
		if has(f, r) {
			return f
		}
	}
	return nil
}

func (f shipped) isFor(r rune) bool {
	for _, in := range f.ranges {
		if in[0] <= r && r <= in[1] {
			return true
		}
	}
	return false
}

func has(f *font.Font, r rune) bool {
	_, ok := f.NominalGlyph(r)
	return ok
}
