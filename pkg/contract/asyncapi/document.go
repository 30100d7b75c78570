package asyncapi

import (
	"reflect"
	"slices"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/registry"

	"go.yaml.in/yaml/v3"
)

// Document is the description of all commands and events, as YAML.
func Document() ([]byte, error) {
	d := document{schemas: schemas{}, messages: object{}, channels: object{}, operations: object{}}
	d.addSharedSchemas()
	for _, a := range registry.Aggregates() {
		d.aggregate(a)
	}
	for _, c := range registry.Commands() {
		d.command(c.Name, c.Data)
	}
	d.requests()
	d.timers()
	d.deadLetters()
	d.publicEvents()
	d.deliveries()
	d.wakeUps()
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

// addSharedSchemas are the schemas that the body of each event has.
func (d document) addSharedSchemas() { d.schemas.schemaOf(reflect.TypeFor[contract.Refusal]()) }

// body is the schema of an event's data: an erased or never granted aggregate has no state.
func (d document) body(state any) object {
	ids := object{"type": "array", "items": object{"type": "string"}}
	return object{"type": "object", "required": []any{"state"}, "properties": object{
		"state":   nullable(d.schemas.schemaOf(reflect.TypeOf(state))),
		"applied": ids, "refused": ids, "erased": ids,
		"refusal": object{"$ref": "#/components/schemas/Refusal"},
	}}
}

func (d document) aggregate(row registry.Aggregate) {
	a := row.Name
	body := "event_" + string(a)
	d.schemas[body] = d.body(row.State)
	inChannel := object{}
	for _, e := range slices.Concat(row.Events, registry.EventsOfAny()) {
		name := string(a) + "." + string(e)
		d.messages[name] = object{
			"name": name, "title": strings.ReplaceAll(name, "_", " "), "traits": []any{object{"$ref": "#/components/messageTraits/cloudEvent"}},
			"headers": eventHeaders(a, e), "payload": object{"$ref": "#/components/schemas/" + body},
		}
		inChannel[name] = object{"$ref": "#/components/messages/" + name}
	}
	channel := "events_" + string(a)
	d.channels[channel] = object{
		"address": "evt." + string(a) + ".{partition}.{id}", "messages": inChannel,
		"description": "Kept in the stream " + contract.EventStream(a) + ". The guard of a commit is the sequence of the last message on the subject.",
		"parameters":  object{"partition": partition("id"), "id": object{"description": "Of the aggregate."}},
	}
	d.operations["publish_"+channel] = object{"action": "send", "channel": object{"$ref": "#/channels/" + channel}}
	if contract.IsAnnounced(a) {
		d.outcomes(a, inChannel)
	}
}
