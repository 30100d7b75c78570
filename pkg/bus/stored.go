package bus

import (
	"encoding/json"

	"boardorder/pkg/contract"

	"github.com/nats-io/nats.go"
)

// Stored is an event or a command as the broker keeps it, less what guards and
// traces it: the form of the samples that later versions must be able to read.
type Stored struct {
	Subject string            `json:"subject"`
	Headers map[string]string `json:"headers"`
	Data    json.RawMessage   `json:"data"`
}

// EncodeEvent is an event as the named program writes it.
func EncodeEvent(source string, e contract.Event) Stored {
	return Stored{e.Subject(), flat(eventHeader(source, e)), e.Data}
}

// EncodeCommand is a command as the named program sends it.
func EncodeCommand(source string, c contract.Command) Stored {
	return Stored{contract.CommandSubject(c.Name, c.ID), flat(commandHeader(source, c)), c.Data}
}

// Event reads it as an event.
func (s Stored) Event() (contract.Event, error) { return decodeEvent(s.Subject, s.header(), s.Data, 1) }

// Command reads it as a command.
func (s Stored) Command() (contract.Command, error) { return decodeCommand(s.header(), s.Data) }

func flat(h nats.Header) map[string]string {
	out := map[string]string{}
	for name := range h {
		out[name] = get(h, name)
	}
	return out
}

func (s Stored) header() nats.Header {
	h := nats.Header{}
	for name, value := range s.Headers {
		set(h, name, value)
	}
	return h
}
