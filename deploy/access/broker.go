package access

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/contract/webhooks"
)

// Parts is how many streams a stream is split into, by its name; what is
// missing is not split.
type Parts map[string]int

// streams gives the streams that one declaration is kept in.
func (p Parts) streams(stream string) []string {
	for _, s := range registry.Streams() {
		if s.Name != stream {
			continue
		}
		var out []string
		for _, part := range s.Parts(p[stream]) {
			out = append(out, part.Name)
		}
		return out
	}
	return []string{stream} // a bucket's
}

// look is what every user may ask of the broker: how things stand, no content.
var look = []string{
	"$JS.API.INFO", "$JS.API.STREAM.INFO.*", "$JS.API.STREAM.LIST", "$JS.API.STREAM.NAMES",
	"$JS.API.CONSUMER.INFO.*.*", "$JS.API.CONSUMER.LIST.*", "$JS.API.CONSUMER.NAMES.*",
}

// Publishes lists the subjects that a program may publish to.
func (p Program) Publishes(parts Parts) []string {
	out := slices.Clone(look)
	for _, a := range p.Commits {
		out = append(out, "evt."+string(a)+".>")
		out = append(out, reads(parts.streams(contract.EventStream(a)))...)
		if registry.Overwrites(a) {
			out = append(out, removes(parts.streams(contract.EventStream(a)))...)
		}
	}
	for _, a := range p.Times {
		out = append(out, "timer."+string(a)+".>")
	}
	for _, a := range p.Loads {
		out = append(out, reads(parts.streams(contract.EventStream(a)))...)
	}
	for _, service := range p.Sends {
		out = append(out, "cmd."+service+".>")
	}
	for _, service := range p.Requests {
		out = append(out, "req."+service+".>")
		out = append(out, reads(parts.streams(contract.RequestStream))...)
	}
	for _, stream := range p.Replays {
		out = append(out, replays(parts.streams(stream))...)
	}
	for _, stream := range p.Erases {
		out = append(out, replays(parts.streams(stream))...)
		out = append(out, removes(parts.streams(stream))...)
	}
	for _, c := range p.Takes {
		out = append(out, takes(parts.streams(c.Stream), c.Name)...)
	}
	for _, bucket := range p.Buckets {
		out = append(out, "$KV."+bucket+".>")
		out = append(out, reads([]string{"KV_" + bucket})...)
	}
	for _, bucket := range p.Looks {
		out = append(out, reads([]string{"KV_" + bucket})...)
	}
	for _, bucket := range p.Forgets {
		out = append(out, "$JS.API.STREAM.MSG.DELETE.KV_"+bucket)
	}
	if len(p.Takes) > 0 {
		out = append(out, contract.DeadSubject(p.Name, ">"))
	}
	if p.Wakes {
		out = append(out, "wake.>")
	}
	if p.Tells {
		out = append(out, contract.WakeSubject(contract.OperationAggregate, "*"))
	}
	if p.Listens || p.Informs {
		out = append(out, reads(parts.streams(feed.Stream))...)
	}
	if p.Attends || p.Delivers {
		out = append(out, reads(parts.streams(webhooks.DeliveryStream))...)
	}
	if p.Delivers {
		out = append(out, webhooks.DeliverySubjects)
	}
	if p.Informs {
		out = append(out, feed.Subjects, contract.WakeSubject(feed.WakeKind, "*"))
	}
	out = append(out, p.More...)
	slices.Sort(out)
	return slices.Compact(out)
}

// reads are the requests that give a message of a stream, from its leader.
//
// Nobody has direct get. The broker does not check the subject that a reply goes
// to, so any request can have its reply stored in any stream. A direct get
// replies with a stored message as it is: a program that was taken over could
// have its own words copied to evt.order or cmd.payment. All other replies are
// the broker's own JSON without headers, which decodes as neither event nor
// command.
func reads(streams []string) []string {
	var out []string
	for _, s := range streams {
		out = append(out, "$JS.API.STREAM.MSG.GET."+s)
	}
	return out
}

// removes are the requests that overwrite a message of a stream.
func removes(streams []string) []string {
	var out []string
	for _, s := range streams {
		out = append(out, "$JS.API.STREAM.MSG.DELETE."+s)
	}
	return out
}

// replays are what reading a stream from any point takes. The broker cannot
// distinguish a passing consumer from a lasting one by its subject, so whoever replays
// a stream could also take from its lasting consumers.
func replays(streams []string) []string {
	out := reads(streams)
	for _, s := range streams {
		out = append(out, "$JS.API.CONSUMER.CREATE."+s+".>", "$JS.API.CONSUMER.MSG.NEXT."+s+".*", "$JS.API.CONSUMER.DELETE."+s+".*")
	}
	return out
}

// takes are what working off a durable consumer takes.
func takes(streams []string, consumer string) []string {
	var out []string
	for _, s := range streams {
		out = append(out, "$JS.API.CONSUMER.MSG.NEXT."+s+"."+consumer, "$JS.ACK."+s+"."+consumer+".>")
	}
	return out
}

// Subscribes lists the subjects that a program may subscribe to.
func (p Program) Subscribes() []string {
	out := []string{bus.InboxPrefix(p.Name) + ".>"}
	if p.Awaits {
		out = append(out, "wake.>")
	}
	for _, a := range slices.Concat(p.Waits, p.Hears) {
		out = append(out, contract.WakeSubject(a, "*"))
	}
	return out
}

// Variable is the environment variable that holds a user's password.
func Variable(user string) string {
	return "NATS_" + strings.ToUpper(strings.ReplaceAll(user, "-", "_")) + "_PASSWORD"
}

// People are the users that are no program's: the broker's own account for
// looking after the servers, and all of ours for emergencies. Their passwords
// are in nobody's configuration but the broker's.
const (
	SystemUser   = "system"
	OperatorUser = "operator"
)

// Broker writes the accounts of the broker's configuration.
func Broker(parts Parts) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, `# Generated from deploy/access by make generate; change it there.
accounts {
  SYS {
    users: [{ user: %s, password: $%s }]
  }
  BOARDORDER {
    jetstream: enabled
    users: [
      # For people, in an emergency: everything.
      { user: %s, password: $%s }
`, SystemUser, Variable(SystemUser), OperatorUser, Variable(OperatorUser))
	for _, p := range Programs() {
		fmt.Fprintf(&out, "      {\n        user: %s, password: $%s\n        permissions: {\n          publish: {\n            allow: [\n", p.Name, Variable(p.Name))
		list(&out, p.Publishes(parts))
		fmt.Fprint(&out, "            ]\n          }\n          subscribe: {\n            allow: [\n")
		list(&out, p.Subscribes())
		fmt.Fprint(&out, "            ]\n          }\n        }\n      }\n")
	}
	fmt.Fprint(&out, "    ]\n  }\n}\nsystem_account: SYS\n")
	return out.Bytes()
}

func list(out *bytes.Buffer, subjects []string) {
	for _, s := range subjects {
		fmt.Fprintf(out, "              %q\n", s)
	}
}
