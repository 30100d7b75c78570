package asyncapi

import (
	"reflect"
	"strconv"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/contract/savings"
	"boardorder/pkg/contract/webhooks"
)

// partition is the parameter of a subject that says where an id belongs.
func partition(of string) object {
	var all []any
	for p := range contract.Partitions {
		all = append(all, strconv.Itoa(p))
	}
	return object{"enum": all, "description": "FNV-1a of the " + of + "."}
}

func (d document) command(c contract.CommandName, data any) {
	name := c.String()
	d.messages[name] = object{
		"name": name, "traits": []any{object{"$ref": "#/components/messageTraits/cloudEvent"}},
		"headers": commandHeaders(c), "payload": d.schemas.schemaOf(reflect.TypeOf(data)),
	}
	channel := "commands_" + name
	d.channels[channel] = object{
		"address": "cmd." + c.Service + ".{partition}." + c.Verb, "messages": object{name: object{"$ref": "#/components/messages/" + name}},
		"description": "Waits in the stream " + contract.CommandStream + " until the service has carried it out.",
		"parameters":  object{"partition": partition("command's id")},
	}
	d.operations["carry_out_"+name] = object{"action": "receive", "channel": object{"$ref": "#/channels/" + channel}}
}

// requests are commands that hold a key: the same one is known for a while.
func (d document) requests() {
	for _, c := range []contract.CommandName{quotes.Price, pricetables.Price, savings.Find} {
		d.channels["requests_"+c.String()] = object{
			"address": "req." + c.Service + ".{partition}." + c.Verb + ".{key}", "messages": d.commandRefs(c),
			"description": "Kept in the stream " + contract.RequestStream + ", also once it was carried out: whoever asks for the same finds it by its key.",
			"parameters":  object{"partition": partition("key"), "key": object{"description": "A digest of what is asked for."}},
		}
		d.operations["carry_out_request_"+c.String()] = object{"action": "receive", "channel": object{"$ref": "#/channels/requests_" + c.String()}}
	}
}

// timers are commands that are sent once their time has come.
func (d document) timers() {
	var names []contract.CommandName
	for _, c := range registry.Commands() {
		names = append(names, c.Name)
	}
	for channel, end := range map[string]string{"timers": "", "due_timers": ".due"} {
		d.channels[channel] = object{
			"address": "timer.{aggregate}.{id}.{what}" + end, "messages": d.commandRefs(names...),
			"description": "Kept in the stream " + contract.TimerStream + "; the broker moves one that falls due to its subject that ends in due, and the projector sends its command.",
			"parameters":  object{"aggregate": aggregates(), "id": object{"description": "Of the aggregate."}, "what": object{"description": "One live timer for each."}},
		}
		d.operations["publish_"+channel] = object{"action": "send", "channel": object{"$ref": "#/channels/" + channel}}
	}
}

func (d document) commandRefs(names ...contract.CommandName) object {
	out := object{}
	for _, c := range names {
		out[c.String()] = object{"$ref": "#/components/messages/" + c.String()}
	}
	return out
}

func aggregates() object {
	var all []any
	for _, a := range contract.Aggregates() {
		all = append(all, string(a))
	}
	return object{"enum": all}
}

// deadLetters are copies of what could not be handled: whatever it was, with why.
func (d document) deadLetters() {
	count := object{"type": "string", "pattern": "^[0-9]+$"}
	d.messages["dead_letter"] = object{
		"name": "dead_letter", "payload": object{"description": "The message as it was. It may be anything."},
		"headers": object{
			"type": "object", "required": []any{"dead-reason", "dead-failed", "dead-unfinished", "dead-origin", "dead-at"},
			"description": "Those of the message, and why it was given up.",
			"properties": object{
				"dead-reason": text, "dead-failed": count, "dead-unfinished": count,
				"dead-origin": object{"type": "string", "description": "The subject that it came on."}, "dead-at": object{"type": "string", "format": "date-time"},
			},
			"additionalProperties": text,
		},
	}
	d.channels["dead_letters"] = object{
		"address": "dead.{service}.{verb}", "messages": object{"dead_letter": object{"$ref": "#/components/messages/dead_letter"}},
		"description": "Kept in the stream " + contract.DeadLetterStream + " until an operator sends it again or drops it.",
		"parameters":  object{"service": object{"description": "Or the consumer of an event that could not be read."}, "verb": object{"description": "Of the command; event; or undecodable."}},
	}
	d.operations["publish_dead_letters"] = object{"action": "send", "channel": object{"$ref": "#/channels/dead_letters"}}
}

// outcomes are events that are handed to whoever waits for the request that they complete.
func (d document) outcomes(a contract.Aggregate, events object) {
	channel := "outcomes_" + string(a)
	d.channels[channel] = object{
		"address": "wake.operation.{request}", "messages": events,
		"description": "The event that completes the request, as it was committed, to whoever waits for it. Not stored, and it may be lost: it stands in " + contract.EventStream(a) + ".",
		"parameters":  object{"request": object{"description": "That the event completes."}},
	}
	d.operations["publish_"+channel] = object{"action": "send", "channel": object{"$ref": "#/channels/" + channel}}
}

// publicEvents are what accounts are told of.
func (d document) publicEvents() {
	inChannel := object{}
	payload := d.schemas.schemaOf(reflect.TypeFor[feed.Entry]())
	for _, t := range feed.Types() {
		name := "feed." + string(t)
		d.messages[name] = object{
			"name": name, "traits": []any{object{"$ref": "#/components/messageTraits/cloudEvent"}},
			"headers": publicHeaders(t), "payload": payload,
		}
		inChannel[name] = object{"$ref": "#/components/messages/" + name}
	}
	owner := object{"description": "live_ or test_ and the account: the mode of what happened."}
	d.channels["public_events"] = object{
		"address": "feed.{owner}.{object}", "messages": inChannel,
		"description": "Kept in the stream " + feed.Stream + ". The guard is the sequence of the last message of the object. The edge adds the secret id of a quote and the address.",
		"parameters":  object{"owner": owner, "object": object{"description": "A digest of the aggregate and its id."}},
	}
	d.operations["publish_public_events"] = object{"action": "send", "channel": object{"$ref": "#/channels/public_events"}}
	d.channels["public_event_wake_ups"] = object{
		"address": "wake." + string(feed.WakeKind) + ".{owner}", "messages": object{"wake_up": object{"$ref": "#/components/messages/wake_up"}},
		"description": "That an owner has a new public event. Not stored: it travels only where somebody waits.",
		"parameters":  object{"owner": owner},
	}
	d.operations["publish_public_event_wake_ups"] = object{"action": "send", "channel": object{"$ref": "#/channels/public_event_wake_ups"}}
}

// deliveries are attempts to send public events to endpoints.
func (d document) deliveries() {
	d.messages["webhook.delivery"] = object{
		"name": "webhook.delivery", "traits": []any{object{"$ref": "#/components/messageTraits/cloudEvent"}},
		"headers": deliveryHeaders(), "payload": d.schemas.schemaOf(reflect.TypeFor[webhooks.Delivery]()),
	}
	d.channels["webhook_deliveries"] = object{
		"address": "webhook.{endpoint}.{slot}", "messages": object{"webhook.delivery": object{"$ref": "#/components/messages/webhook.delivery"}},
		"description": "Kept in the stream " + webhooks.DeliveryStream + ": the last " + strconv.Itoa(webhooks.DeliveriesKept) + " attempts of each endpoint.",
		"parameters":  object{"endpoint": object{"description": "Id of the endpoint."}, "slot": object{"description": "The attempt's number, modulo how many are kept."}},
	}
	d.operations["publish_webhook_deliveries"] = object{"action": "send", "channel": object{"$ref": "#/channels/webhook_deliveries"}}
}

// wakeUps tell who waits that the projection holds a newer state.
func (d document) wakeUps() {
	d.messages["wake_up"] = object{"name": "wake_up", "summary": "A hint without headers or a body. It may be lost."}
	d.channels["wake_ups"] = object{
		"address": "wake.{aggregate}.{id}", "messages": object{"wake_up": object{"$ref": "#/components/messages/wake_up"}},
		"description": "Not stored: it travels only where somebody waits.",
		"parameters":  object{"aggregate": aggregates(), "id": object{"description": "Of the aggregate."}},
	}
	d.operations["publish_wake_ups"] = object{"action": "send", "channel": object{"$ref": "#/channels/wake_ups"}}
}
