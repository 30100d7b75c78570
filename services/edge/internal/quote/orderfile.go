package quote

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/orderfile"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"

	"github.com/tidwall/gjson"
)

// complete validates a request again with what the order file of its upload states and the
// request does not, if there is such a file.
func (q *Quotes) complete(c *web.Call, o *order, file *uploads.OrderFile) error {
	if o.completed {
		return nil
	}
	fields, source, err := q.fill(c, file, o.asked, o.upload, nil)
	if err != nil || source == nil {
		return err
	}
	err = q.validate(fields, o, source)
	o.completed = err == nil
	return orderfile.Name(err, source)
}

// fill is [design.Designs.Fill] of a request whose wait was read before.
func (q *Quotes) fill(c *web.Call, file *uploads.OrderFile, request map[string]any, upload string, omit func(string) bool) (*jsonbody.Fields, *quotes.OrderSource, error) {
	fields, source, err := q.designs().Fill(c, file, request, upload, omit)
	if source != nil {
		_ = fields.Raw("wait_s")
	}
	return fields, source, err
}

// completeRefused is complete for a request whose form was refused: what it lacks may be in
// the order file. Without one the refusal stands.
func (q *Quotes) completeRefused(c *web.Call, o *order, refusal error) error {
	id, _ := o.asked["upload_id"].(string)
	if id == "" || slices.ContainsFunc(problem.Find(refusal).Refusal.Fields, func(p contract.FieldProblem) bool { return p.Field == "wait_s" }) {
		return refusal
	}
	o.upload = contract.SecretRef(id)
	up, err := q.awaitUpload(c, o, o.upload)
	if err != nil || up.OrderFile == nil {
		return refusal
	}
	return q.complete(c, o, up.OrderFile)
}

// nameOrderFile says in the reply of a quote what an order file stated of its request, and
// gives the file to keep beside the design.
func nameOrderFile(request, details gjson.Result, instant bool, own map[string]any) {
	if source := request.Get("order_file"); source.IsObject() {
		own["order_file"] = json.RawMessage(source.Raw)
	}
	if !instant {
		details = gjson.Result{} // what the team prices may be what nobody can ask for by a field
	}
	own["board_order"] = orderFile(request, details)
}

// decided are options of a quote's board that its request may have left open.
var decided = []string{"thickness_mm", "copper_oz", "inner_copper_oz", "surface_finish", "solder_mask", "material", "via_process"}

// orderFile is the file to keep beside the design of a quote, so that whoever uploads it is
// asked nothing and is given the same boards: what was asked for, and each option as it was
// decided. It is a JSON object, its names in alphabetical order.
func orderFile(request, details gjson.Result) json.RawMessage {
	fields := map[string]string{"board_order": strconv.Itoa(quotes.FormatOrderFile)}
	request.ForEach(func(name, v gjson.Result) bool {
		if name.Str != "order_file" && !slices.Contains(quotes.NotOfOrderFiles, name.Str) {
			fields[name.Str] = v.Raw
		}
		return true
	})
	for _, name := range decided {
		if v := details.Get(name); v.Num != 0 || v.Str != "" {
			fields[name] = v.Raw
		}
	}
	out := []byte{'{'}
	for i, name := range slices.Sorted(maps.Keys(fields)) {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(strconv.AppendQuote(out, name), ':'), fields[name]...)
	}
	return append(out, '}')
}
