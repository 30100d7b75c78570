package design

import (
	"bytes"
	"net/http"
	"regexp"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/itar"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// mostDeclared bounds how many uploads one request can declare.
const mostDeclared = 20

// DeclaredBeside reports whether a call declares its design ITAR-controlled
// outside of its body: in the query or in a header.
func DeclaredBeside(c *web.Call) bool {
	declared := false
	look := func(name, value []byte) {
		declared = declared || itar.Name(string(name)) && itar.Yes(string(value))
	}
	c.Fiber.Context().QueryArgs().VisitAll(look)
	c.Fiber.Request().Header.VisitAll(look)
	return declared
}

// Unclear refuses a call with a declaration that is neither yes nor no. Nothing
// is deleted for it, and nothing is done with the design.
func Unclear(c *web.Call) error {
	name, where := "", ""
	look := func(in string) func(name, value []byte) {
		return func(key, value []byte) {
			if where == "" && itar.Name(string(key)) && !itar.Yes(string(value)) && !itar.No(string(value)) {
				name, where = string(key), in
			}
		}
	}
	c.Fiber.Context().QueryArgs().VisitAll(look("query"))
	c.Fiber.Request().Header.VisitAll(look("header"))
	if where == "" && c.Route.Access == web.ByKey && HasText(c) {
		if body, err := c.Object(); err == nil {
			if path, found := itar.Unclear(body); found {
				name, where = path, "body"
			}
		}
	}
	if where == "" {
		return nil
	}
	name = jsonbody.CleanLine(name)
	if len(name) > 200 {
		name = "itar"
	}
	if c.Route.Detail {
		return &problem.Problem{Status: http.StatusUnprocessableEntity, Detail: []problem.Detail{{Loc: []any{where, name}, Msg: "Input should be a valid boolean, unable to interpret input", Type: "bool_parsing"}}}
	}
	return UnclearField(name)
}

// UnclearField is the refusal of a declaration that is neither yes nor no.
func UnclearField(name string) error {
	return problem.Fields([]contract.FieldProblem{{Field: name, Problem: jsonbody.WrongType, Message: "Say true or false. Nothing was done with this request, and nothing was deleted.", Allowed: []bool{true, false}}})
}

// DeclaredInText reports whether a body that cannot be read declares.
func DeclaredInText(c *web.Call) bool {
	if _, err := c.Object(); err == nil {
		return false // whoever handles the call looks at what was read
	}
	return itar.InText(c.Text())
}

// DeclaredInBody reports whether a body declares, be it readable or not.
func DeclaredInBody(c *web.Call) bool {
	body, err := c.Object()
	return err == nil && itar.In(body) || err != nil && itar.InText(c.Text())
}

// HasText reports whether a call has a body that is no form with files.
func HasText(c *web.Call) bool {
	kind := strings.TrimSpace(strings.ToLower(c.Header("Content-Type")))
	return !c.Body().Empty() && !strings.HasPrefix(kind, "multipart/")
}

// RefuseITARInText is RefuseITAR of a call whose body may be unreadable.
func (d Designs) RefuseITARInText(c *web.Call) error {
	text := string(bytes.ReplaceAll(c.Text(), []byte{0}, nil)) + " " + string(c.Fiber.Request().URI().QueryString())
	named := map[string]any{}
	for _, id := range uploadID.FindAllString(text, mostLooked) {
		named[id] = id
	}
	if body, err := c.Object(); err == nil {
		named["body"] = body // where ids may be escaped
	}
	return d.RefuseITAR(c, named)
}

// uploadID is what an upload_id looks like, in a text.
var uploadID = regexp.MustCompile(contract.UploadPrefix + `[A-Za-z0-9_-]+`)

// mostLooked bounds how many of those in one text are looked at.
const mostLooked = 1000

// RefuseITAR answers from the request alone. Then the uploads that it names are
// marked, by their refs: the one thing that is kept of the request. An id that
// was not made here leaves nothing. refs are uploads that it names otherwise.
func (d Designs) RefuseITAR(c *web.Call, body map[string]any, refs ...string) error {
	ids := d.named(body, nil)
	if id := c.Param("upload_id"); d.Secrets.MadeUploadID(id) {
		ids = append(ids, id)
	}
	for _, id := range ids {
		refs = append(refs, contract.SecretRef(id))
	}
	for _, ref := range refs {
		if err := d.declare(c, ref); err != nil {
			p := problem.Unavailable(err)
			p.Refusal.Message = "The declaration could not be recorded. Nothing of this request was read or kept; please send it again."
			return p
		}
	}
	return Refusal()
}

// Refusal is the answer to every declaration.
func Refusal() error {
	return contract.Refuse(contract.ITARNotSupported, "Designs declared ITAR-controlled cannot be ordered through this service. Nothing of this request was read or kept, and the files of this account's uploads that it names by upload_id are deleted.")
}

// named adds the ids of uploads that stand anywhere in a value.
func (d Designs) named(v any, ids []string) []string {
	switch v := v.(type) {
	case string:
		if id := strings.TrimSpace(v); len(ids) < mostDeclared && d.Secrets.MadeUploadID(id) {
			ids = append(ids, id)
		}
	case []any:
		for _, inner := range v {
			ids = d.named(inner, ids)
		}
	case map[string]any:
		for _, inner := range v {
			ids = d.named(inner, ids)
		}
	}
	return ids
}

func (d Designs) declare(c *web.Call, ref string) error {
	cmd, err := contract.NewCommand(contract.DeclareITAR, "", c.Caller.Account, d.Now(), contract.UploadData{Ref: ref})
	if err != nil {
		return err
	}
	cmd.ID = contract.DeriveID("declare-itar", ref, c.Caller.Account)
	cmd.Correlation = cmd.ID
	return d.Send.Send(c.Context(), cmd)
}
