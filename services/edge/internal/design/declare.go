package design

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/foreigntext"
	"boardorder/pkg/projection"
	"boardorder/services/edge/internal/itar"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
	"boardorder/services/edge/internal/web"
)

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
	name = foreigntext.CleanLine(name)
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

// RefuseITAR answers from the request alone. Then the uploads that it is about are
// marked, by their refs: the one thing that is kept of the request. An id that
// was not made here leaves nothing. refs are uploads that it names otherwise.
func (d Designs) RefuseITAR(c *web.Call, refs ...string) error {
	about, err := d.about(c)
	if err != nil {
		return unrecorded(err)
	}
	refs = append(refs, about...)
	slices.Sort(refs)
	refs = slices.Compact(refs)
	held, err := d.unfinished(c.Context(), c.Caller.Account, refs)
	if err != nil {
		return unrecorded(err)
	}
	for _, ref := range refs {
		if err := d.declare(c, ref); err != nil {
			return unrecorded(err)
		}
	}
	return Refusal(held...)
}

// unfinished gives the numbers of an account's paid orders of uploads that are
// neither shipped nor cancelled: those that a declaration holds.
func (d Designs) unfinished(ctx context.Context, account string, uploads []string) ([]string, error) {
	var held []string
	for _, ref := range uploads {
		up, found, err := outcome.Read[contract.Upload](ctx, d.Docs, string(contract.UploadAggregate), ref)
		if err != nil {
			return nil, err
		}
		if !found || up.Account != account || up.Content == "" {
			continue
		}
		for _, content := range append(slices.Clone(up.Earlier), up.Content) {
			orders, err := d.ordersOf(ctx, contract.BoardDigest(ref, content))
			if err != nil {
				return nil, err
			}
			held = append(held, orders...)
		}
	}
	slices.Sort(held)
	return slices.Compact(held), nil
}

// mostHeld bounds how many quotes of one set of files are looked at.
const mostHeld = 200

// ordersOf gives the numbers of the unfinished orders of a set of files.
func (d Designs) ordersOf(ctx context.Context, digest string) ([]string, error) {
	quotes, _, err := d.Docs.List(ctx, string(contract.QuoteAggregate), "digest", digest, projection.Page{Limit: mostHeld})
	if err != nil {
		return nil, problem.Unavailable(err)
	}
	var refs []string
	for _, q := range quotes {
		o, found, err := outcome.Read[contract.Order](ctx, d.Docs, string(contract.OrderAggregate), q.ID)
		if err != nil {
			return nil, err
		}
		if found && !o.Ended() {
			refs = append(refs, o.Ref)
		}
	}
	return refs, nil
}

func unrecorded(err error) error {
	p := problem.Unavailable(err)
	p.Refusal.Message = "The declaration could not be recorded. Nothing of this request was read or kept; please send it again."
	return p
}

// Refusal is the answer to every declaration. held are the numbers of the orders
// that wait for people because of it.
func Refusal(held ...string) error {
	r := contract.Refuse(contract.ITARNotSupported, "Designs declared ITAR-controlled cannot be ordered through this service. Nothing of this request was read or kept, and the files of this account's uploads that it names by upload_id are deleted.")
	if len(held) > 0 {
		r.HeldOrders = held
		r.Message += " Orders of them that are paid and not shipped are held for our team and listed in held_orders: none was cancelled and no money was given back."
	}
	return r
}

// declareTime is how long a declaration waits to be seen by readers.
const declareTime = 10 * time.Second

// declare has an upload marked. It comes back when readers see it, so that whoever
// was answered finds the upload closed; one that takes longer is closed soon after.
func (d Designs) declare(c *web.Call, ref string) error {
	w := d.Waiters.Join(wait.Subject{Of: contract.UploadAggregate, ID: ref})
	defer w.Leave()
	if err := d.sendDeclaration(c, ref); err != nil {
		return err
	}
	_, _ = w.Until(c.Context(), declareTime, func(ctx context.Context) (bool, error) {
		up, found, err := outcome.Read[contract.Upload](ctx, d.Docs, string(contract.UploadAggregate), ref)
		open := err == nil && found && up.Account == c.Caller.Account && up.Status != contract.UploadITARDeclared
		return !open, nil
	})
	return nil
}

func (d Designs) sendDeclaration(c *web.Call, ref string) error {
	cmd, err := contract.FirstCommand(contract.DeclareITAR, contract.DeriveID("declare-itar", ref, c.Caller.Account), c.Caller.Account, d.Now(), contract.UploadData{Ref: ref})
	if err != nil {
		return err
	}
	return d.Send.Send(c.Context(), cmd)
}
