package checkout

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"boardorder/services/edge/internal/web"
)

//go:embed style
var styleFiles embed.FS

// forever holds for an address that names its content.
const forever = "public, max-age=31536000, immutable"

// Assets are files that pages load, each at an address that names its content.
type Assets map[string]asset

type asset struct {
	path string
	body *web.Static
}

// LoadAssets reads files by their names.
func LoadAssets(files fs.FS, names ...string) (Assets, error) {
	kinds := map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
	out := Assets{}
	for _, name := range names {
		data, err := fs.ReadFile(files, "style/"+name)
		if err != nil {
			return nil, fmt.Errorf("asset %s: %w", name, err)
		}
		out[name] = asset{assetPath(name, data), web.NewStatic(kinds[path.Ext(name)], forever, data)}
	}
	return out, nil
}

// Path is where a file is, below the address of the service.
func (a Assets) Path(name string) string { return a[name].path }

// Routes serve the files.
func (a Assets) Routes() []web.Route {
	var routes []web.Route
	for _, one := range a {
		routes = append(routes, web.Route{Method: http.MethodGet, Path: one.path, Access: web.Public, Page: true, Handle: one.body.Serve})
	}
	return routes
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

func (p *Pages) asset(name string) string { return p.base + p.assets.Path(name) }
