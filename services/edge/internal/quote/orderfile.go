package quote

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/services/edge/internal/itar"
	"boardorder/services/edge/internal/jsonbody"
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
	fields, source, err := q.fieldsWith(c, file, o.asked, o.upload, nil)
	if err != nil || source == nil {
		return err
	}
	err = q.validate(fields, o, source)
	o.completed = err == nil
	return nameFile(err, source)
}

// fieldsWith are the fields of a request with what the order file of its upload states and
// the request does not, less what omit names; no source = there is no such file.
func (q *Quotes) fieldsWith(c *web.Call, file *uploads.OrderFile, request map[string]any, upload string, omit func(string) bool) (*jsonbody.Fields, *quotes.OrderSource, error) {
	if file == nil {
		return nil, nil, nil
	}
	all, source, err := fillFrom(*file, request, omit)
	switch {
	case err != nil:
		return nil, nil, err
	case itar.DeclaresIn(all):
		return nil, nil, q.designs().RefuseITAR(c, upload)
	}
	fields := jsonbody.NewFields(all)
	_ = fields.Raw("wait_s") // was read before
	return fields, source, nil
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

// fillFrom gives the body of a request with what an order file states and the request does
// not. The request's word counts, also where it is an empty list; null is no word.
func fillFrom(file uploads.OrderFile, request map[string]any, omit func(string) bool) (map[string]any, *quotes.OrderSource, error) {
	stated, err := ReadOrderFile(file)
	if err != nil {
		return nil, nil, err
	}
	source := &quotes.OrderSource{Name: file.Name, States: []string{}}
	all := maps.Clone(request)
	for _, name := range slices.Sorted(maps.Keys(stated)) {
		if v := all[name]; stated[name] == nil || v != nil && v != "" || omit != nil && omit(name) && !itar.Name(name) {
			continue
		}
		all[name] = stated[name]
		source.States = append(source.States, name)
	}
	return all, source, nil
}

// marks are what an order file says of itself.
var marks = []string{"board_order", "$schema"}

// ReadOrderFile gives the properties of a request that an order file states.
func ReadOrderFile(file uploads.OrderFile) (map[string]any, error) {
	if file.Problem != "" {
		return nil, refuseFile(jsonbody.Malformed, file.Problem)
	}
	stated, err := jsonbody.Parse([]byte(strings.TrimPrefix(file.Text, "\ufeff")))
	if err != nil {
		message := problem.Find(err).Refusal.Message
		if rest, ok := strings.CutPrefix(message, "The body "); ok {
			message = "It " + rest
		}
		return nil, refuseFile(jsonbody.Malformed, message)
	}
	f := jsonbody.NewFields(stated)
	if version := f.Int("board_order", quotes.FormatOrderFile, quotes.FormatOrderFile); version == nil {
		return nil, refuseFile(jsonbody.Unsupported, `It states "board_order": 1 where it is to be read; no other form of it is known here.`)
	}
	maps.DeleteFunc(stated, func(name string, _ any) bool {
		return slices.Contains(marks, name) || slices.Contains(quotes.NotOfOrderFiles, name)
	})
	return stated, nil
}

// refuseFile refuses a request since the order file of its upload cannot be read.
func refuseFile(kind, message string) error {
	return problem.Fields([]contract.FieldProblem{{
		Field: answers.OrderFileName, Problem: kind,
		Message: message + " Correct " + answers.OrderFileName + " and upload it again: a file of the same name takes its place.",
	}})
}

// nameFile says of each problem of a field that the order file states where it stands.
func nameFile(err error, source *quotes.OrderSource) error {
	if err == nil {
		return nil
	}
	p := problem.Find(err)
	for i, f := range p.Refusal.Fields {
		if name, _, _ := strings.Cut(f.Field, "."); slices.Contains(source.States, name) {
			p.Refusal.Fields[i].Field = answers.OrderFileName + "." + f.Field
			p.Refusal.Fields[i].Message = "In " + answers.OrderFileName + ": " + f.Message
		}
	}
	return p
}

// nameOrderFile says in the reply of a quote what an order file stated of its request, and
// gives the file to keep beside the design.
func nameOrderFile(request, details gjson.Result, own map[string]any) {
	if source := request.Get("order_file"); source.IsObject() {
		own["order_file"] = json.RawMessage(source.Raw)
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
