package design

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/itar"
	"boardorder/pkg/projection"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
	"boardorder/services/edge/internal/web"
)

// DeclaresBeside reports whether a call declares its design ITAR-controlled
// outside of its body: in the query or in a header.
func DeclaresBeside(c *web.Call) bool {
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
			if where == "" && itar.Name(string(key)) && !itar.Yes(string(value)) && !itar.SaysNo(string(value)) {
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
	name = untrusted.CleanLine(name)
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

// DeclaresInText reports whether a body that cannot be read declares.
func DeclaresInText(c *web.Call) bool {
	if _, err := c.Object(); err == nil {
		return false // whoever handles the call looks at what was read
	}
	return itar.DeclaresInText(c.Text())
}

// DeclaresInBody reports whether a body declares, be it readable or not.
func DeclaresInBody(c *web.Call) bool {
	body, err := c.Object()
	return err == nil && itar.DeclaresIn(body) || err != nil && itar.DeclaresInText(c.Text())
}

// HasText reports whether a call has a body that is no form with files.
func HasText(c *web.Call) bool {
	kind := strings.TrimSpace(strings.ToLower(c.Header("Content-Type")))
	return !c.Body().Empty() && !strings.HasPrefix(kind, "multipart/")
}

// RefuseITAR answers from the request alone. Then the uploads that it is about are
// marked, by their refs: the one thing that is kept of the request. An id that
// was not made here leaves nothing. ordered are the uploads of orders that it names by
// a customer's token. An order that is paid and not shipped would have no files any
// more, so those that only it names take more to be deleted: a secret id.
func (d Designs) RefuseITAR(c *web.Call, ordered ...string) error {
	about, requested, err := d.findUploads(c)
	if err != nil {
		return recordError(err)
	}
	var declared Declaration
	for _, ref := range distinct(about, requested, ordered) {
		held, err := d.openOrders(c.Context(), c.Caller.Account, ref)
		if err != nil {
			return recordError(err)
		}
		keep := len(held) > 0 && !slices.Contains(about, ref)
		if err := d.declare(c, uploads.Data{Ref: ref, Keep: keep}); err != nil {
			return recordError(err)
		}
		declared.Held, declared.Kept = append(declared.Held, held...), declared.Kept || keep
	}
	declared.Held = distinct(declared.Held)
	return declared.Refusal()
}

func distinct(lists ...[]string) []string {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.Compact(all)
}

// openOrders gives the numbers of an account's paid orders of an upload that are
// neither shipped nor cancelled: those that a declaration holds.
func (d Designs) openOrders(ctx context.Context, account, ref string) ([]string, error) {
	up, found, err := outcome.Read[uploads.Upload](ctx, d.Docs, string(contract.UploadAggregate), ref)
	if err != nil || !found || up.Content == "" {
		return nil, err
	}
	var held []string
	for _, content := range append(slices.Clone(up.Earlier), up.Content) {
		orders, err := d.ordersOf(ctx, account, boards.Digest(ref, content))
		if err != nil {
			return nil, err
		}
		held = append(held, orders...)
	}
	return held, nil
}

// maxHeld bounds how many quotes of one set of files are looked at.
const maxHeld = 200

// ordersOf gives the numbers of an account's unfinished orders of a set of files.
func (d Designs) ordersOf(ctx context.Context, account, digest string) ([]string, error) {
	quotes, _, err := d.Docs.List(ctx, string(contract.QuoteAggregate), "digest", digest, projection.Page{Limit: maxHeld})
	if err != nil {
		return nil, problem.Unavailable(err)
	}
	var refs []string
	for _, q := range quotes {
		o, found, err := outcome.Read[orders.Order](ctx, d.Docs, string(contract.OrderAggregate), q.ID)
		if err != nil {
			return nil, err
		}
		if found && o.Account == account && !o.HasEnded() {
			refs = append(refs, o.Ref)
		}
	}
	return refs, nil
}

func recordError(err error) error {
	p := problem.Unavailable(err)
	p.Refusal.Message = "The declaration could not be recorded. Nothing of this request was read or kept; please send it again."
	return p
}

// A Declaration is what came of a request that declares its design.
type Declaration struct {
	Held []string // numbers of the orders that wait for people because of it
	Kept bool     // files of some of them were not deleted
}

// Refusal is the answer to every declaration.
func (d Declaration) Refusal() error {
	r := contract.Refuse(contract.ITARNotSupported, "Designs declared ITAR-controlled cannot be ordered through this service. Nothing of this request was read or kept, and the files of this account's uploads that it names by upload_id are deleted.")
	if len(d.Held) > 0 {
		r.HeldOrders = d.Held
		r.Message += " Orders of them that are paid and not shipped are held for our team and listed in held_orders: none has been cancelled or refunded."
	}
	if d.Kept {
		r.Message += " The files of those that it names by a history_token, order_id or request_id alone are kept until our team has decided about them, and nothing more can be ordered of them. To have them deleted, send the declaration with their upload_id or quote_id: then nothing is left to build these orders from, and they can only be cancelled and paid back, which our team does."
	}
	return r
}

// declareTime is how long a declaration waits to be seen by readers.
const declareTime = 10 * time.Second

// declare has an upload marked. It comes back when readers see it, so that whoever
// was answered finds the upload closed; one that takes longer is closed soon after.
func (d Designs) declare(c *web.Call, data uploads.Data) error {
	w := d.Waiters.Join(wait.Subject{Of: contract.UploadAggregate, ID: data.Ref})
	defer w.Leave()
	if err := d.sendDeclaration(c, data); err != nil {
		return err
	}
	_, _ = w.Await(c.Context(), declareTime, func(ctx context.Context) (bool, error) {
		up, found, err := d.Brief(ctx, data.Ref)
		deleted := up.Owner == c.Caller.Account && !data.Keep
		open := err == nil && found && c.Caller.Account != "" && (deleted && up.Status != uploads.ITARDeclared || !up.IsDeclaredFor(c.Caller.Account))
		return !open, nil
	})
	return nil
}

func (d Designs) sendDeclaration(c *web.Call, data uploads.Data) error {
	id := []string{"declare-itar", data.Ref, c.Caller.Account}
	if data.Keep {
		id = append(id, "keep")
	}
	cmd, err := contract.NewRootCommand(uploads.DeclareITAR, contract.DeriveID(id...), c.Caller.Account, d.Now(), data)
	if err != nil {
		return err
	}
	return d.Send.Send(c.Context(), cmd)
}
