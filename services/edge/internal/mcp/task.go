package mcp

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/itar"
	"boardorder/services/edge/internal/web"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/oklog/ulid/v2"
)

// taskExtension is what clients declare that follow long work as a task. A task here is a
// request for a quote under its own id: nothing more is kept of it, and any edge answers.
const taskExtension = "io.modelcontextprotocol/tasks"

// taskTool is the tool whose calls go on as tasks.
const taskTool = "quote_boards"

// taskWait is how many seconds a call waits before it becomes a task.
const taskWait = "2"

// taskPoll is how often a client is to ask.
const taskPoll = 2 * time.Second

// taskResult is a task as the extension writes it, for the call that began it and for who asks.
type taskResult struct {
	mcp.ResultBase
	ResultType     string              `json:"resultType"`
	TaskID         string              `json:"taskId,omitempty"`
	Status         string              `json:"status,omitempty"`
	StatusMessage  string              `json:"statusMessage,omitempty"`
	CreatedAt      string              `json:"createdAt,omitempty"`
	LastUpdatedAt  string              `json:"lastUpdatedAt,omitempty"`
	TTLMs          int64               `json:"ttlMs,omitempty"`
	PollIntervalMs int64               `json:"pollIntervalMs,omitempty"`
	Result         *mcp.CallToolResult `json:"result,omitempty"`
}

type taskParams struct {
	mcp.ParamsBase
	TaskID string `json:"taskId"`
}

// addTasks has a server offer tasks, to clients that declare them with the request.
func (e *Endpoint) addTasks(s *mcp.Server) error {
	for method, answer := range map[string]func(c *web.Call, id string) (*taskResult, error){
		"tasks/get": e.task, "tasks/update": e.acknowledge, "tasks/cancel": e.acknowledge,
	} {
		err := mcp.AddReceivingCustomMethod(s, method, func(ctx context.Context, _ *mcp.ServerSession, p *taskParams) (*taskResult, error) {
			c, _ := ctx.Value(callKey{}).(*web.Call)
			if p == nil || p.TaskID == "" {
				return nil, unknownTask()
			}
			if name := c.Header("Mcp-Name"); name != p.TaskID {
				return nil, &jsonrpc.Error{Code: mcp.CodeHeaderMismatch, Message: "The header Mcp-Name is not the taskId."}
			}
			return answer(c, p.TaskID)
		})
		if err != nil {
			return err
		}
	}
	s.AddReceivingMiddleware(offerTasks)
	return nil
}

// offerTasks answers a call that goes on as a task, where the client declares that it follows
// such, and refuses to follow one for a client that does not.
func offerTasks(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		declared := followsTasks(req)
		if strings.HasPrefix(method, "tasks/") && !declared {
			data, err := json.Marshal(mcp.MissingRequiredClientCapabilityData{RequiredCapabilities: &mcp.ClientCapabilities{Extensions: map[string]any{taskExtension: map[string]any{}}}})
			if err != nil {
				return nil, err
			}
			return nil, &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: "A client that follows tasks declares it with each request.", Data: data}
		}
		result, err := next(ctx, method, req)
		r, isTool := result.(*mcp.CallToolResult)
		if err != nil || !isTool || !declared {
			return result, err
		}
		text, _ := r.StructuredContent.(json.RawMessage)
		var p struct {
			Status    string `json:"status"`
			RequestID string `json:"request_id"`
			Progress  string `json:"progress"`
		}
		if json.Unmarshal(text, &p) != nil || p.Status != "pending" { // which asks for something first, or has ended
			return result, nil
		}
		if t := newTask(p.RequestID, "task"); t != nil {
			t.Status, t.StatusMessage = "working", p.Progress
			return t, nil
		}
		return result, nil // such as a table of prices, which its own call goes on with
	}
}

// newTask is the task of a request; nil where its id is none.
func newTask(request, kind string) *taskResult {
	text, isRequest := strings.CutPrefix(request, contract.RequestPrefix)
	id, err := ulid.ParseStrict(text)
	if !isRequest || err != nil || id.String() != text {
		return nil
	}
	return &taskResult{
		ResultType: kind, TaskID: request, TTLMs: quotes.InstantTTL.Milliseconds(), PollIntervalMs: taskPoll.Milliseconds(),
		CreatedAt: ulid.Time(id.Time()).UTC().Format(time.RFC3339), LastUpdatedAt: time.Now().UTC().Format(time.RFC3339),
	}
}

// task is where a task stands: what the API replies of its request, to whoever made c.
func (e *Endpoint) task(c *web.Call, id string) (*taskResult, error) {
	t := newTask(id, "complete")
	if t == nil {
		return nil, unknownTask()
	}
	target := "/v1/quote-requests/" + id + "?wait_s=0"
	if message, err := c.Object(); err == nil && itar.DeclaresIn(message) {
		target += "&itar=true"
	}
	status, body := e.cfg.Answer(c, web.Inner{Method: http.MethodGet, Target: target, Header: identity(c)})
	reply, err := decode(body)
	if err != nil {
		return nil, err
	}
	switch code, _ := reply["error"].(string); {
	case status == http.StatusNotFound:
		return nil, unknownTask()
	case status == http.StatusAccepted:
		t.Status = "working"
		t.StatusMessage, _ = reply["progress"].(string)
		return t, nil
	case status == http.StatusForbidden, status == http.StatusTooManyRequests, code == string(contract.Unavailable):
		message, _ := reply["message"].(string) // of who asks, and no outcome of the request
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: message, Data: body}
	}
	t.Status = "completed"
	t.Result, err = e.result(c, taskTool, body, nil)
	return t, err
}

// acknowledge answers what a task does not take: it asks for nothing, and a request for a price
// costs nothing that a cancellation would save.
func (e *Endpoint) acknowledge(c *web.Call, id string) (*taskResult, error) {
	if _, err := e.task(c, id); err != nil {
		return nil, err
	}
	return &taskResult{ResultType: "complete"}, nil
}

func unknownTask() error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "There is no such task."}
}

// followsTasks reports whether the client declares with a request that it follows tasks.
func followsTasks(req mcp.Request) bool {
	r, ok := req.(interface {
		ClientCapabilities() *mcp.ClientCapabilities
	})
	if !ok {
		return false
	}
	c := r.ClientCapabilities()
	return c != nil && c.Extensions[taskExtension] != nil
}
