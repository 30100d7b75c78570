package asyncapi

import (
	"strconv"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
)

var text = object{"type": "string"}

// headers are those of CloudEvents, and ours beside them. What the broker's clients
// and traces add is let through; nothing else may stand there.
func headers() object {
	return object{
		"type": "object", "required": []any{"ce-specversion", "ce-id", "ce-type", "ce-source", "ce-subject", "ce-time", "content-type"},
		"properties": object{
			"ce-specversion": object{"const": "1.0"}, "ce-id": text, "ce-type": text, "ce-source": text, "ce-subject": text,
			"ce-time":        object{"type": "string", "format": "date-time"},
			"ce-causationid": text, "ce-correlationid": text, "ce-accountid": text,
			"ce-operation": object{"type": "string", "description": "The request that the command comes of, or that the event completes."},
			"ce-sequence":  object{"type": "string", "pattern": "^[1-9][0-9]*$", "description": "Of an event that is handed to whoever waits for it: where it lies in its stream."},
			"ce-labels":    object{"type": "string", "description": "Whose data, and of which design, the body holds; joined by commas."},
			"ce-deadline":  object{"type": "string", "format": "date-time", "description": "Of a command: when nobody waits for its outcome any more."},
			"ce-replay":    object{"const": "1", "description": "Of a command that an operator sent again: its request had its outcome, and gets no other."},
			"ce-due":       object{"type": "string", "format": "date-time", "description": "Of a timer."},
			"claim-note":   object{"type": "string", "description": "Of a request: what its key stands for."},
			"claim-by":     object{"type": "string", "description": "Of a request: a word of its own of whoever claimed the key."},
			"content-type": object{"const": "application/json"},
		},
		"patternProperties":    object{"^(Nats-[A-Za-z-]+|traceparent|tracestate|baggage)$": text},
		"additionalProperties": false,
	}
}

// eventHeaders are what the headers of one event hold beside those of all messages.
func eventHeaders(a contract.Aggregate, e contract.EventName) object {
	format := strconv.Itoa(contract.FormatOf(a))
	return object{"type": "object", "required": []any{"ce-aggregateversion"}, "properties": object{
		"ce-type":             object{"const": string(a) + "." + string(e) + ".v" + format},
		"ce-subject":          object{"type": "string", "pattern": "^" + string(a) + "/[A-Za-z0-9_-]{1,80}$"},
		"ce-aggregateversion": object{"type": "string", "pattern": "^[1-9][0-9]*$", "description": "How many events the aggregate has with this one."},
	}}
}

// publicHeaders are what the headers of one public event hold beside those of all messages.
func publicHeaders(t feed.Type) object {
	return object{"type": "object", "properties": object{
		"ce-type": object{"const": "feed." + string(t) + ".v1"}, "ce-subject": object{"type": "string", "pattern": "^feed/[a-z2-7]{26}$"},
	}}
}

// deliveryHeaders are what the headers of an attempt to deliver hold beside those of all messages.
func deliveryHeaders() object {
	return object{"type": "object", "properties": object{
		"ce-type": object{"const": "webhook.delivery.v1"}, "ce-subject": object{"type": "string", "pattern": "^webhook/[A-Za-z0-9_-]+$"},
	}}
}

// commandHeaders are what the headers of one command hold beside those of all messages.
func commandHeaders(c contract.CommandName) object {
	return object{"type": "object", "properties": object{
		"ce-type": object{"const": "command." + c.String() + ".v1"}, "ce-subject": object{"const": c.String()},
	}}
}
