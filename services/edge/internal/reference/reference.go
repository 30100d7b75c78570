// Package reference writes the API's reference from its OpenAPI description: one
// page for each group of endpoints, one that finds them, and guides: a first quote,
// all errors, changes. The pages are whole without a script; a little of it copies,
// filters, and calls endpoints with a test key.
package reference

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/openapi"
	"boardorder/services/edge/internal/problem"
)

//go:embed page guide
var files embed.FS

// A Page is one page, and where it is found.
type Page struct {
	Path string // from the root of the server
	HTML []byte
}

// Root is where the reference begins.
const Root = "/docs"

// sampleServer stands for the service in guides.
const sampleServer = "https://api.example.com"

type group struct {
	Name, Path string
	Text       template.HTML
	Operations []operation
	Objects    []namedObject
}

// namedObject is an object of the interface that has a name.
type namedObject struct {
	Name   string
	Text   template.HTML
	Fields []field
	Values []string
}

type view struct {
	Title   string
	Here    string // path of this page
	Groups  []group
	Server  string
	Intro   template.HTML
	Quote   []program     // a first quote in several languages
	Text    template.HTML // of a guide that is nothing else
	Group   *group
	Errors  []errorView
	Objects []namedObject
}

// errorView is a code of the closed list.
type errorView struct {
	Code, Message string
	Meaning       explanation
	Status        int
	Name          string
	Where         []operation
	Paths         []string
}

// Pages writes the reference of a server at publicURL.
func Pages(publicURL string) ([]Page, error) {
	d, err := load(publicURL)
	if err != nil {
		return nil, err
	}
	t, err := template.New("layout.html").Funcs(template.FuncMap{"lower": strings.ToLower}).ParseFS(files, "page/*.html")
	if err != nil {
		return nil, fmt.Errorf("reference: %w", err)
	}
	groups := d.groups(publicURL)
	views, err := d.guides(groups, publicURL)
	if err != nil {
		return nil, fmt.Errorf("reference: %w", err)
	}
	for i := range groups {
		views = append(views, view{Title: groups[i].Name, Here: groups[i].Path, Group: &groups[i], Objects: groups[i].Objects})
	}
	var out []Page
	for _, v := range views {
		v.Groups, v.Server = groups, publicURL
		var page bytes.Buffer
		if err := t.Execute(&page, v); err != nil {
			return nil, fmt.Errorf("reference page %s: %w", v.Here, err)
		}
		out = append(out, Page{Path: v.Here, HTML: page.Bytes()})
	}
	return out, nil
}

// load reads the description of a server at publicURL.
func load(publicURL string) (*document, error) {
	served, err := openapi.JSON(publicURL)
	if err != nil {
		return nil, err
	}
	d, err := readDocument(served, openapi.Source())
	if err != nil {
		return nil, fmt.Errorf("reference: %w", err)
	}
	return d, nil
}

// guides are the pages that stand before those of the endpoints.
func (d *document) guides(groups []group, server string) ([]view, error) {
	quote, err := programs()
	if err != nil {
		return nil, err
	}
	meanings, err := explanations()
	if err != nil {
		return nil, err
	}
	changes, err := files.ReadFile("guide/changes.md")
	if err != nil {
		return nil, err
	}
	agents, err := writeAgentGuide(server)
	if err != nil {
		return nil, err
	}
	board, err := files.ReadFile("guide/board.md")
	if err != nil {
		return nil, err
	}
	kicad, err := files.ReadFile("guide/kicad.md")
	if err != nil {
		return nil, err
	}
	buttons, err := files.ReadFile("guide/buttons.md")
	if err != nil {
		return nil, err
	}
	_, info := d.get(nil, d.root, "info")
	return []view{
		{Title: text(info["title"]) + " API", Here: Root, Intro: words(info["description"])},
		{Title: "Your first quote", Here: Root + "/first-quote", Quote: quote},
		{Title: "Errors", Here: Root + "/errors", Errors: errorsOf(groups, meanings), Objects: d.errorObjects()},
		{Title: "Agents", Here: Root + "/agents", Text: words(agents)},
		{Title: "Command line", Here: Root + "/board", Text: words(strings.ReplaceAll(string(board), sampleServer, server))},
		{Title: "KiCad", Here: Root + "/kicad", Text: words(strings.ReplaceAll(string(kicad), sampleServer, server))},
		{Title: "Buttons and cards", Here: Root + "/buttons", Text: words(strings.ReplaceAll(string(buttons), sampleServer, server))},
		{Title: "Changes", Here: Root + "/changes", Text: words(string(changes))},
	}, nil
}

// groups lists the endpoints by their tags. Second addresses of the same endpoints
// are left out: the first ones say that there are such.
func (d *document) groups(server string) []group {
	var out []group
	for _, tag := range list(d.root["tags"]) {
		tag, ok := tag.(object)
		if !ok {
			continue
		}
		g := group{Name: text(tag["name"]), Text: words(tag["description"])}
		g.Path = Root + "/" + strings.ToLower(strings.ReplaceAll(g.Name, " ", "-"))
		seen := []string{errorReply}
		d.walkEndpoints(func(at place, path, method string, o object) {
			if slices.Contains(list(o["tags"]), any(g.Name)) {
				g.Operations = append(g.Operations, d.operation(at, path, method, o, server))
				d.collectObjects(at, o, &seen)
			}
		})
		g.Objects = d.objects(seen[1:])
		out = append(out, g)
	}
	return out
}

// walkEndpoints calls f with every endpoint that was written down, in that order.
func (d *document) walkEndpoints(f func(at place, path, method string, o object)) {
	at, paths := d.get(nil, d.root, "paths")
	for _, path := range d.order[at.key()] {
		to, item := d.get(at, paths, path)
		for _, method := range d.names(to, item) {
			if where, o := d.get(to, item, method); o["operationId"] != nil {
				f(where, path, method, o)
			}
		}
	}
}

// errorReply is the object of all errors. It stands on their page.
const errorReply = "ErrorReply"

func (d *document) errorObjects() []namedObject {
	var seen []string
	d.collectObjects(nil, object{"$ref": "#/components/schemas/" + errorReply}, &seen)
	return d.objects(seen)
}

func (d *document) objects(names []string) []namedObject {
	out := make([]namedObject, len(names))
	for i, name := range names {
		out[i] = d.object(name)
	}
	return out
}

func (d *document) object(name string) namedObject {
	at := place{"components", "schemas"}
	_, schemas := d.get(at[:1], d.root["components"].(object), "schemas")
	to, schema := d.get(at, schemas, name)
	out := namedObject{Name: name, Text: words(schema["description"]), Fields: d.fields(to, schema)}
	for _, v := range list(schema["enum"]) {
		out.Values = append(out.Values, encodePlain(v))
	}
	return out
}

// errorsOf lists the closed list of codes, and which endpoints speak of each.
func errorsOf(groups []group, meanings map[contract.Code]explanation) []errorView {
	var out []errorView
	for _, c := range contract.Codes() {
		v := errorView{Code: string(c), Meaning: meanings[c], Status: problem.Status(c)}
		v.Name = statusName(fmt.Sprint(v.Status))
		for _, g := range groups {
			for _, op := range g.Operations {
				if message, ok := op.mentions(v.Code); ok {
					v.Where, v.Paths = append(v.Where, op), append(v.Paths, g.Path)
					if v.Message == "" {
						v.Message = message
					}
				}
			}
		}
		out = append(out, v)
	}
	slices.SortStableFunc(out, func(a, b errorView) int { return a.Status - b.Status })
	return out
}

func (op operation) mentions(name string) (message string, ok bool) {
	for _, r := range op.Errors {
		for _, c := range r.Codes {
			if c.Code == name {
				return c.Message, true
			}
		}
	}
	return "", false
}
