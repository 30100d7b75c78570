package edge_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/secret"
)

// ask sends a message of 2026-07-28, and gives what it answers.
func (w *world) ask(t *testing.T, method, name, params, capabilities string, headers ...string) (status int, result, problem map[string]any) {
	t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":%s}}}`, method, params, capabilities)
	status, _, text := w.message(body, append([]string{"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method, "Mcp-Name", name}, headers...)...)
	var reply struct{ Result, Error map[string]any }
	if err := json.Unmarshal([]byte(text), &reply); err != nil {
		t.Fatalf("%s: %d %s: %v", body, status, text, err)
	}
	return status, reply.Result, reply.Error
}

// TestAgentFollowsATask: a price that takes longer is a task for a client that declares tasks
// with its request, and for no other; it ends with the result of the call.
func TestAgentFollowsATask(t *testing.T) {
	t.Parallel()
	w := start(t)
	const tasks, none = `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`, `{}`
	hold := make(chan struct{})
	w.set(func() { w.hold = hold })
	order := `"name":"quote_boards","arguments":{"upload_id":"` + w.uploadID() + `","quantity":5,"wait_s":0}`
	if _, r, _ := w.ask(t, "tools/call", "quote_boards", order, none); r["resultType"] != "complete" || r["taskId"] != nil {
		t.Errorf("without the declaration: %v, want a result", r)
	}
	_, task, _ := w.ask(t, "tools/call", "quote_boards", order, tasks)
	id := stringIn(task, "taskId")
	if task["resultType"] != "task" || task["status"] != "working" || !strings.HasPrefix(id, contract.RequestPrefix) || task["ttlMs"] == nil || task["createdAt"] == nil {
		t.Fatalf("quote_boards = %v, want a task", task)
	}
	get := func(capabilities string, headers ...string) (int, map[string]any, map[string]any) {
		return w.ask(t, "tasks/get", id, `"taskId":"`+id+`"`, capabilities, headers...)
	}
	if _, r, p := get(tasks); r["status"] != "working" || r["resultType"] != "complete" || r["result"] != nil {
		t.Errorf("tasks/get = %v, %v; want it working", r, p)
	}
	for _, method := range []string{"tasks/cancel", "tasks/update"} {
		if _, r, p := w.ask(t, method, id, `"taskId":"`+id+`","inputResponses":{}`, tasks); r["resultType"] != "complete" || len(r) > 2 {
			t.Errorf("%s = %v, %v; want it acknowledged", method, r, p)
		}
	}

	other, revoked := secret.NewAPIKey(true), secret.NewAPIKey(true)
	w.putKey(other, "acc_other", accounts.DefaultScopes(), nil)
	w.putKey(revoked, account, accounts.DefaultScopes(), nil)
	for name, tt := range map[string]struct {
		id, capabilities string
		headers          []string
		code             float64
	}{
		"without the declaration": {id, none, nil, -32021},
		"of another account":      {id, tasks, []string{"Authorization", "Bearer " + other.Text}, -32602},
		"made up":                 {"req_00000000000000000000000000", tasks, nil, -32602},
		"a path":                  {"../../v1/key-events", tasks, nil, -32602},
		"another name above":      {id, tasks, []string{"Mcp-Name", "req_00000000000000000000000000"}, -32020},
	} {
		_, r, p := w.ask(t, "tasks/get", tt.id, `"taskId":"`+tt.id+`"`, tt.capabilities, tt.headers...)
		if p["code"] != tt.code || r != nil {
			t.Errorf("%s: %v, %v; want code %v", name, r, p, tt.code)
		}
	}
	w.revoke(revoked)
	if status, _, _ := w.message(`{}`, "Authorization", "Bearer "+revoked.Text); status != 401 {
		t.Errorf("with a revoked key: %d, want 401", status)
	}

	close(hold)
	w.eventually(func() bool { _, r, _ := get(tasks); return r["status"] == "completed" })
	_, done, _ := get(tasks)
	result, _ := done["result"].(map[string]any)
	if priced, _ := result["structuredContent"].(map[string]any); priced["total_cents"] != 12345.0 || stringIn(priced, "next_step") == "" || result["isError"] == true {
		t.Errorf("tasks/get = %v, want the price", done)
	}
}
