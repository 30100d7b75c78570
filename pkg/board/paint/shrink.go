package paint

import "image"

// fits gives the size of a picture that fits into another's, in the same
// proportions and never larger than it was.
func fits(w, h, maxW, maxH int) (int, int) {
	scale := min(1, float64(maxW)/float64(max(w, 1)), float64(maxH)/float64(max(h, 1)))
	return max(1, int(float64(w)*scale+.5)), max(1, int(float64(h)*scale+.5))
}

// shrink makes a map small. Each pixel shows what the pixels that it stands for
// show on the whole.
func shrink(img *image.Paletted, w, h int) *image.Paletted {
	b := img.Bounds()
	out := image.NewPaletted(image.Rect(0, 0, w, h), img.Palette)
	for y := range h {
		y0, y1 := span(y, h, b.Dy())
		for x := range w {
			x0, x1 := span(x, w, b.Dx())
			out.Pix[y*out.Stride+x] = mean(img, x0, y0, x1, y1)
		}
	}
	return out
}

// span is which of n pixels the i-th of m stands for.
func span(i, m, n int) (from, to int) {
	from, to = i*n/m, ((i+1)*n+m-1)/m
	return from, max(to, from+1)
}

// mean is the mixture of a rectangle of a map.
func mean(img *image.Paletted, x0, y0, x1, y1 int) uint8 {
	var sum weights
	covers := int32(0)
	for y := y0; y < y1; y++ {
		for _, i := range img.Pix[y*img.Stride+x0 : y*img.Stride+x1] {
			m := mixtures[i]
			covers += int32(m.covers)
			sum[m.a] += int32((steps - m.of) * m.covers)
			sum[m.b] += int32(m.of * m.covers)
		}
	}
	return sum.index(int(covers) * 255 / (alphas * (x1 - x0) * (y1 - y0)))
}
