package overlay

import (
	"bytes"
	"fmt"
	"image"

	"boardorder/pkg/board/draw"
)

// PNG encodes a picture.
func PNG(img image.Image) ([]byte, error) {
	var out bytes.Buffer
	if err := draw.PNG(&out, img); err != nil {
		return nil, fmt.Errorf("encode picture: %w", err)
	}
	return out.Bytes(), nil
}
