package overlay

import (
	"bytes"
	"fmt"
	"image"
	"image/color"

	"boardorder/pkg/board/draw"
)

// PNG encodes a picture, with few colours so that it stays small.
func PNG(img *image.NRGBA) ([]byte, error) {
	var out bytes.Buffer
	if err := draw.PNG(&out, few(img)); err != nil {
		return nil, fmt.Errorf("encode picture: %w", err)
	}
	return out.Bytes(), nil
}

// few gives the picture with as many bits of each colour as leave 256 of them.
func few(img *image.NRGBA) image.Image {
	for drop := range 5 {
		if out, ok := paletted(img, uint(drop)); ok {
			return out
		}
	}
	return img
}

func paletted(img *image.NRGBA, drop uint) (*image.Paletted, bool) {
	const most = 256
	out := image.NewPaletted(img.Rect, nil)
	index := map[[3]uint8]uint8{}
	half := uint8(1) << drop >> 1
	mask := ^(uint8(1)<<drop - 1)
	for i := 0; i < len(img.Pix); i += 4 {
		var key [3]uint8
		for k := range key {
			key[k] = min(img.Pix[i+k], 255-half) + half&mask
			key[k] &= mask
		}
		n, ok := index[key]
		if !ok {
			if len(index) == most {
				return nil, false
			}
			n = uint8(len(index))
			index[key] = n
			out.Palette = append(out.Palette, color.NRGBA{img.Pix[i], img.Pix[i+1], img.Pix[i+2], 0xff})
		}
		out.Pix[i/4] = n
	}
	return out, true
}
