package checkout

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"path"
	"strings"

	"boardorder/services/edge/internal/web"
)

//go:embed style
var styleFiles embed.FS

// forever holds for an address that names its content.
const forever = "public, max-age=31536000, immutable"

// An asset is a file that pages load, at an address that names its content.
type asset struct {
	name, path string
	body       *web.Static
}

func loadAssets() ([]asset, error) {
	var out []asset
	for name, kind := range map[string]string{
		"checkout.css": "text/css; charset=utf-8", "checkout.js": "text/javascript; charset=utf-8", "order.js": "text/javascript; charset=utf-8", "mark.svg": "image/svg+xml",
	} {
		data, err := styleFiles.ReadFile("style/" + name)
		if err != nil {
			return nil, fmt.Errorf("asset %s: %w", name, err)
		}
		out = append(out, asset{name: name, path: assetPath(name, data), body: web.NewStatic(kind, forever, data)})
	}
	return out, nil
}

func assetPath(name string, data []byte) string {
	sum := sha256.Sum256(data)
	ext := path.Ext(name)
	return "/assets/" + strings.TrimSuffix(name, ext) + "-" + hex.EncodeToString(sum[:6]) + ext
}

// Stylesheet is the path of the stylesheet that all pages for people may use.
func Stylesheet() (string, error) {
	data, err := styleFiles.ReadFile("style/checkout.css")
	if err != nil {
		return "", fmt.Errorf("stylesheet: %w", err)
	}
	return assetPath("checkout.css", data), nil
}

func (p *Pages) asset(name string) string {
	for _, a := range p.assets {
		if a.name == name {
			return p.base + a.path
		}
	}
	return ""
}
