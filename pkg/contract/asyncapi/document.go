package asyncapi

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"boardorder/pkg/contract"

	"go.yaml.in/yaml/v3"
)

// Document is the description of all commands and events, as YAML.
func Document() ([]byte, error) {
	d := document{schemas: schemas{}, messages: object{}, channels: object{}, operations: object{}}
	d.shared()
	for _, a := range contract.Aggregates() {
		d.aggregate(a, kinds[a])
	}
	for _, c := range slices.SortedFunc(maps.Keys(commands), func(a, b contract.CommandName) int { return strings.Compare(a.String(), b.String()) }) {
		d.command(c, commands[c])
	}
	return yaml.Marshal(object{
		"asyncapi": "3.0.0",
		"info": object{
			"title": "Board Ordering Service: commands and events", "version": "1.0.0",
			"description": "What services tell each other over NATS JetStream. Headers are CloudEvents in binary mode. An event carries the " +
				"whole state of its aggregate after it; fields that a reader does not know are to be kept. Generated from the Go types in pkg/contract.",
		},
		"defaultContentType": "application/json",
		"servers":            object{"broker": object{"host": "nats:4222", "protocol": "nats", "description": "Each program is a user of its own; see deploy/access."}},
		"channels":           d.channels, "operations": d.operations,
		"components": object{"messages": d.messages, "schemas": d.schemas, "messageTraits": object{"cloudEvent": object{"headers": headers()}}},
	})
}

type document struct {
	schemas    schemas
	messages   object
	channels   object
	operations object
}

// headers are those of CloudEvents, with extensions of ours.
func headers() object {
	text := object{"type": "string"}
	return object{"type": "object", "required": []any{"ce-specversion", "ce-id", "ce-type", "ce-source", "ce-time"}, "properties": object{
		"ce-specversion": object{"const": "1.0"}, "ce-id": text, "ce-type": text, "ce-source": text, "ce-subject": text,
		"ce-time":        object{"type": "string", "format": "date-time"},
		"ce-causationid": text, "ce-correlationid": text, "ce-accountid": text,
		"ce-operation": object{"type": "string", "description": "The request that the event completes."},
		"ce-person":    object{"type": "string", "description": "Marks: whose data, and of which design, the body holds."},
	}}
}

// shared are the schemas that the body of each event has.
func (d document) shared() { d.schemas.of(reflect.TypeFor[contract.Refusal]()) }

// body is the schema of an event's data: an erased or never granted aggregate has no state.
func (d document) body(state any) object {
	ids := object{"type": "array", "items": object{"type": "string"}}
	return object{"type": "object", "required": []any{"state"}, "properties": object{
		"state":   nullable(d.schemas.of(reflect.TypeOf(state))),
		"applied": ids, "refused": ids, "erased": ids,
		"refusal": object{"$ref": "#/components/schemas/Refusal"},
	}}
}

func (d document) aggregate(a contract.Aggregate, k kind) {
	body := "event_" + string(a)
	d.schemas[body] = d.body(k.state)
	inChannel := object{}
	for _, e := range slices.Concat(k.events, anyEvents) {
		name := string(a) + "." + string(e)
		d.messages[name] = object{
			"name": name, "title": strings.ReplaceAll(name, "_", " "), "traits": []any{object{"$ref": "#/components/messageTraits/cloudEvent"}},
			"payload": object{"$ref": "#/components/schemas/" + body},
		}
		inChannel[name] = object{"$ref": "#/components/messages/" + name}
	}
	channel := "events_" + string(a)
	d.channels[channel] = object{
		"address": "evt." + string(a) + ".{partition}.{id}", "messages": inChannel,
		"description": "Kept in the stream " + contract.EventStream(a) + ". The guard of a commit is the sequence of the last message on the subject.",
		"parameters":  object{"partition": object{"description": "FNV-1a of the id, 0 to 15."}, "id": object{"description": "Of the aggregate."}},
	}
	d.operations["publish_"+channel] = object{"action": "send", "channel": object{"$ref": "#/channels/" + channel}}
}

func (d document) command(c contract.CommandName, data any) {
	name := c.String()
	d.messages[name] = object{
		"name": name, "traits": []any{object{"$ref": "#/components/messageTraits/cloudEvent"}}, "payload": d.schemas.of(reflect.TypeOf(data)),
	}
	channel := "commands_" + name
	d.channels[channel] = object{
		"address": "cmd." + c.Service + ".{partition}." + c.Verb, "messages": object{name: object{"$ref": "#/components/messages/" + name}},
		"parameters": object{"partition": object{"description": "FNV-1a of the command's id, 0 to 15."}},
	}
	d.operations["carry_out_"+name] = object{"action": "receive", "channel": object{"$ref": "#/channels/" + channel}}
}
