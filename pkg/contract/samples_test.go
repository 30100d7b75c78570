package contract_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/contract/savings"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/contract/webhooks"

	"github.com/google/go-cmp/cmp"
)

// Samples of what was ever written lie under testdata: an event of each type and
// format, and a command of each name. They are made by the services' handlers:
//
//	go test boardorder/deploy/standalone/simulation -run TestWriteSamples -update
//
// and never changed: a new format adds files beside the old ones. What they are
// read as lies under testdata/states; -update of this test writes that.
var update = flag.Bool("update", false, "write the states that the samples are read as")

// A reader reads the state of an event, of whatever format.
type reader func(contract.Event) (state any, err error)

func readerOf[S any]() reader {
	return func(e contract.Event) (any, error) {
		snap, err := aggregate.Decode[S](e)
		if !snap.Exists() {
			return nil, err
		}
		return snap.State, err
	}
}

var states = map[contract.Aggregate]reader{
	contract.AccountAggregate:      readerOf[accounts.Account](),
	contract.AssemblyAggregate:     readerOf[assemblies.Assembly](),
	contract.AuditAggregate:        readerOf[audits.Entry](),
	contract.CaseAggregate:         readerOf[cases.Case](),
	contract.BoardAggregate:        readerOf[boards.ReadFiles](),
	contract.BuyLinkAggregate:      readerOf[buylinks.BuyLink](),
	contract.FormalAggregate:       readerOf[formal.Order](),
	contract.CheckoutAggregate:     readerOf[checkouts.Checkout](),
	contract.ConfirmationAggregate: readerOf[confirmations.Confirmation](),
	contract.CustomerAggregate:     readerOf[customers.Customer](),
	contract.DesignCheckAggregate:  readerOf[designchecks.DesignCheck](),
	contract.ErasureAggregate:      readerOf[erasures.Erasure](),
	contract.InvoiceBookAggregate:  readerOf[invoices.Book](),
	contract.PartCheckAggregate:    readerOf[partchecks.PartCheck](),
	contract.PriceTableAggregate:   readerOf[pricetables.PriceTable](),
	contract.OperationAggregate:    readerOf[contract.Operation](),
	contract.OrderAggregate:        readerOf[orders.Order](),
	contract.QuoteAggregate:        readerOf[quotes.Quote](),
	contract.QuoteRequestAggregate: readerOf[quotes.Wait](),
	contract.SavingsAggregate:      readerOf[savings.Savings](),

	contract.WebhookEndpointAggregate: readerOf[webhooks.Endpoint](),
	contract.UploadAggregate:          readerOf[uploads.Upload](),
}

// sampleFiles gives the samples of a kind by their paths below it.
func sampleFiles(t *testing.T, kind string) map[string]bus.Stored {
	t.Helper()
	out := map[string]bus.Stored{}
	root := filepath.Join("testdata", kind)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var s bus.Stored
		name, _ := filepath.Rel(root, path)
		if err := json.Unmarshal(data, &s); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		out[filepath.ToSlash(name)] = s
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Every event that was ever written is read as it was, and nothing of it is lost.
func TestSamplesOfEventsAreRead(t *testing.T) {
	t.Parallel()
	for name, s := range sampleFiles(t, "events") {
		e, err := s.Event()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := fmt.Sprintf("%s/v%d/%s.json", e.Aggregate, e.Format, e.Name); name != want || e.ID == "" || e.At.IsZero() {
			t.Errorf("%s holds %s: %+v", name, want, e)
		}
		state, err := states[e.Aggregate](e)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		compareGolden(t, name, state)
		compareFields(t, name, e, state)
	}
}

func compareGolden(t *testing.T, name string, state any) {
	t.Helper()
	got, err := json.MarshalIndent(state, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	file := filepath.Join("testdata", "states", filepath.FromSlash(name))
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is not read as it was (-was +is):\n%s", name, diff)
	}
}

// compareFields finds what the sample holds, in today's format, and the structs
// do not.
func compareFields(t *testing.T, name string, e contract.Event, state any) {
	t.Helper()
	var body contract.Body[json.RawMessage]
	if err := json.Unmarshal(e.Data, &body); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for _, lost := range findLostFields(t, e.Data, body) {
		t.Errorf("%s: contract.Body has lost %s", name, lost)
	}
	before, err := contract.Upgrade(e.Aggregate, e.Format, body.State)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for _, lost := range findLostFields(t, before, state) {
		t.Errorf("%s: the state has lost %s", name, lost)
	}
}

func TestSamplesOfCommandsAreRead(t *testing.T) {
	t.Parallel()
	for name, s := range sampleFiles(t, "commands") {
		c, err := s.Command()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := fmt.Sprintf("%s/v1/%s.json", c.Name.Service, c.Name.Verb); name != want || c.ID == "" || c.At.IsZero() {
			t.Errorf("%s holds %s: %+v", name, want, c)
		}
		i := slices.IndexFunc(registry.Commands(), func(row registry.Command) bool { return row.Name == c.Name })
		if i < 0 {
			t.Errorf("%s: no such command", name)
			continue
		}
		data := reflect.New(reflect.TypeOf(registry.Commands()[i].Data)).Interface()
		if err := json.Unmarshal(c.Data, data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, lost := range findLostFields(t, c.Data, data) {
			t.Errorf("%s: the command has lost %s", name, lost)
		}
	}
}

// findLostFields names the members of stored that v, which was read from it, does not
// have. What is empty may be left out.
func findLostFields(t *testing.T, stored []byte, v any) []string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return missing("", tree(t, stored), tree(t, data))
}

func tree(t *testing.T, data []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func missing(at string, stored, now any) (lost []string) {
	switch s := stored.(type) {
	case map[string]any:
		n, _ := now.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(s)) {
			if v, ok := n[name]; ok {
				lost = append(lost, missing(at+"."+name, s[name], v)...)
			} else if !empty(s[name]) {
				lost = append(lost, at+"."+name)
			}
		}
	case []any:
		n, _ := now.([]any)
		for i := range s {
			if i >= len(n) {
				return append(lost, fmt.Sprintf("%s[%d]", at, i))
			}
			lost = append(lost, missing(fmt.Sprintf("%s[%d]", at, i), s[i], n[i])...)
		}
	default:
		if stored != now {
			lost = append(lost, fmt.Sprintf("%s = %v", at, stored))
		}
	}
	return lost
}

func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return v == "" || v == false || v == json.Number("0")
}

func TestLostFields(t *testing.T) {
	t.Parallel()
	type inner struct {
		A int `json:"a"`
	}
	type state struct {
		Name  string  `json:"name"`
		Inner inner   `json:"inner"`
		List  []inner `json:"list"`
	}
	for name, tt := range map[string]struct {
		stored string
		lost   []string
	}{
		"nothing":     {`{"name":"n","inner":{"a":1},"list":[{"a":2}]}`, nil},
		"left out":    {`{"name":"n","old":"","other":[],"zero":0,"null":null}`, nil},
		"a member":    {`{"name":"n","renamed":1}`, []string{".renamed"}},
		"of a member": {`{"inner":{"a":1,"b":2}}`, []string{".inner.b"}},
		"in a list":   {`{"list":[{"a":1},{"a":2,"b":"x"}]}`, []string{".list[1].b"}},
	} {
		var v state
		if err := json.Unmarshal([]byte(tt.stored), &v); err != nil {
			t.Fatal(err)
		}
		if got := findLostFields(t, []byte(tt.stored), v); !slices.Equal(got, tt.lost) {
			t.Errorf("%s: lost %v, want %v", name, got, tt.lost)
		}
	}
}

// howToSample is said of what has no sample.
const howToSample = "have the tour of deploy/standalone/simulation/samples_test.go bring it about, run its TestWriteSamples with -update, then this package's tests with -update"

// There is a sample of every event in the format that is written today, and of
// every command.
func TestEverythingHasASample(t *testing.T) {
	t.Parallel()
	found := sampleFiles(t, "events")
	for _, a := range registry.Aggregates() {
		for _, name := range a.Events {
			if file := fmt.Sprintf("%s/v%d/%s.json", a.Name, contract.FormatOf(a.Name), name); found[file].Subject == "" {
				t.Errorf("there is no sample events/%s: %s", file, howToSample)
			}
		}
	}
	found = sampleFiles(t, "commands")
	for _, c := range registry.Commands() {
		if file := fmt.Sprintf("%s/v1/%s.json", c.Name.Service, c.Name.Verb); found[file].Subject == "" {
			t.Errorf("there is no sample commands/%s: %s", file, howToSample)
		}
	}
	for _, a := range contract.Aggregates() {
		if states[a] == nil {
			t.Errorf("the readers of this test lack %s", a)
		}
	}
}

// The registry has a row of every command and aggregate, and every event, that the
// packages declare.
func TestRegistryIsComplete(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{} // by package and name: aggregates have events of the same name
	kinds, rows := []contract.Aggregate{}, map[contract.CommandName]bool{}
	for _, a := range registry.Aggregates() {
		kinds = append(kinds, a.Name)
		for _, n := range slices.Concat(a.Events, registry.EventsOfAny()) {
			listed[path.Base(reflect.TypeOf(a.State).PkgPath())+" "+string(n)] = true
		}
	}
	if !slices.Equal(kinds, contract.Aggregates()) {
		t.Errorf("rows of aggregates: %v, want %v", kinds, contract.Aggregates())
	}
	for _, c := range registry.Commands() {
		if rows[c.Name] {
			t.Errorf("command %s has two rows", c.Name)
		}
		rows[c.Name] = true
	}
	eventNames, commands := parseNames(t)
	for name, value := range eventNames {
		pkg, _, _ := strings.Cut(strings.Replace(name, "..", "contract.", 1), ".")
		if !listed[pkg+" "+string(value)] {
			t.Errorf("event %s is not among the Events of its package", name)
		}
	}
	for name, value := range commands {
		if !rows[value] {
			t.Errorf("command %s has no row", name)
		}
	}
	if len(eventNames) < 90 || len(commands) < 50 {
		t.Errorf("found %d events and %d commands, want 90 and 50 at least", len(eventNames), len(commands))
	}
}

// parseNames reads the names of events and commands from the source of the packages.
func parseNames(t *testing.T) (map[string]contract.EventName, map[string]contract.CommandName) {
	t.Helper()
	eventNames, commands := map[string]contract.EventName{}, map[string]contract.CommandName{}
	files, err := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	own, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, own...) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		pkg := filepath.Dir(file)
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for node := range ast.Preorder(parsed) {
			spec, ok := node.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				continue
			}
			name := pkg + "." + spec.Names[0].Name
			if spec.Type != nil && strings.HasSuffix(types.ExprString(spec.Type), "EventName") {
				eventNames[name] = contract.EventName(text(t, spec.Values[0]))
			}
			if made, ok := spec.Values[0].(*ast.CompositeLit); ok && types.ExprString(made.Type) == "contract.CommandName" {
				commands[name] = contract.CommandName{Service: member(t, made, 0), Verb: member(t, made, 1)}
			}
		}
	}
	return eventNames, commands
}

// member is a field of a literal that names its fields.
func member(t *testing.T, of *ast.CompositeLit, n int) string {
	t.Helper()
	return text(t, of.Elts[n].(*ast.KeyValueExpr).Value)
}

func text(t *testing.T, e ast.Expr) string {
	t.Helper()
	value, err := strconv.Unquote(e.(*ast.BasicLit).Value)
	if err != nil {
		t.Fatal(err)
	}
	return value
}
