package overlay

import (
	"bytes"
	"fmt"
	"image"
	"image/color"

	"boardorder/pkg/board/render/pngstream"
)

// PNG encodes a picture, with few colours so that it stays small.
func PNG(img *image.NRGBA) ([]byte, error) {
	var out bytes.Buffer
	if err := pngstream.Encode(&out, reduceColours(img)); err != nil {
		return nil, fmt.Errorf("encode picture: %w", err)
	}
	return out.Bytes(), nil
}

// reduceColours gives the picture with as many bits of each colour as leave 256 of them.
func reduceColours(img *image.NRGBA) image.Image {
	for drop := range 5 {
		if out, ok := quantise(img, uint(drop)); ok {
			return out
		}
	}
	return img
}

func quantise(img *image.NRGBA, drop uint) (*image.Paletted, bool) {
	const most = 256
	out := image.NewPaletted(img.Rect, nil)
	index := map[uint32]uint8{}
	half, mask := uint32(1)<<drop>>1, uint32(0xff)>>drop<<drop
	var last uint32
	var n uint8
	for i := 0; i < len(img.Pix); i += 4 {
		px := img.Pix[i : i+3 : i+3]
		key := 1<<24 | uint32(px[0])<<16 | uint32(px[1])<<8 | uint32(px[2])
		if key == last { // most pixels are as the one before
			out.Pix[i/4] = n
			continue
		}
		last = key
		coarse := (min(uint32(px[0])+half, 255)&mask)<<16 | (min(uint32(px[1])+half, 255)&mask)<<8 | min(uint32(px[2])+half, 255)&mask
		var ok bool
		if n, ok = index[coarse]; !ok {
			if len(index) == most {
				return nil, false
			}
			n = uint8(len(index))
			index[coarse] = n
			out.Palette = append(out.Palette, color.NRGBA{px[0], px[1], px[2], 0xff})
		}
		out.Pix[i/4] = n
	}
	return out, true
}
