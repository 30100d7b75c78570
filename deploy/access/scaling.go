package access

import (
	"bytes"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/registry"
)

// scalerFile is what a service is in Kubernetes, where its scaler looks at streams.
func scalerFile(service string) string { return "k8s/base/" + service + ".yaml" }

// beginTrigger is the first line of one trigger; the lines after it are indented
// further.
const beginTrigger = "    - type: nats-jetstream"

// Scaling gives the text of such a file with a trigger for each part of each
// stream, and none for others. Of a stream the first trigger is the pattern; one
// that no trigger looks at yet is looked at as the one before it is.
func Scaling(text []byte, parts Parts) []byte {
	objects := bytes.Split(text, []byte("---\n"))
	for i, object := range objects {
		objects[i] = scaler(object, parts)
	}
	return bytes.Join(objects, []byte("---\n"))
}

func scaler(object []byte, parts Parts) []byte {
	before, triggers, after := splitTriggers(string(object))
	if len(triggers) == 0 {
		return object
	}
	pattern, last := map[string]string{}, ""
	for _, t := range triggers {
		stream := streamOf(value(t, "stream"))
		if pattern[stream] == "" {
			pattern[stream] = t
		}
		last = t
	}
	consumer := value(last, "consumer")
	var out strings.Builder
	out.WriteString(before)
	for _, s := range registry.Streams() {
		if !has(s, consumer) {
			continue
		}
		from := pattern[s.Name]
		if from == "" {
			from = last
		}
		for _, p := range s.Parts(parts[s.Name]) {
			out.WriteString(strings.Replace(from, "stream: "+value(from, "stream")+"\n", "stream: "+p.Name+"\n", 1))
		}
	}
	out.WriteString(after)
	return []byte(out.String())
}

func has(s contract.Stream, consumer string) bool {
	for _, c := range s.Consumers {
		if c.Name == consumer && !strings.HasPrefix(s.Name, "EVENTS_") || c.Name == consumer && consumer == contract.ProjectorConsumer {
			return true // what follows from events is done by command: to follow them is no reason for more workers
		}
	}
	return false
}

// splitTriggers gives the triggers of an object, and what is around them.
func splitTriggers(object string) (before string, triggers []string, after string) {
	at := strings.Index(object, beginTrigger)
	if at < 0 {
		return object, nil, ""
	}
	before = object[:at]
	for line := range strings.Lines(object[at:]) {
		switch {
		case strings.HasPrefix(line, beginTrigger):
			triggers = append(triggers, line)
		case after == "" && strings.HasPrefix(line, "      "):
			triggers[len(triggers)-1] += line
		default:
			after += line
		}
	}
	return before, triggers, after
}

// value is what a trigger says of a name.
func value(trigger, name string) string {
	_, rest, _ := strings.Cut(trigger, " "+name+": ")
	text, _, _ := strings.Cut(rest, "\n")
	return text
}

// streamOf is the stream of the contract that a part belongs to.
func streamOf(part string) string {
	for _, s := range registry.Streams() {
		for i := range contract.Partitions {
			if s.PartName(i) == part {
				return s.Name
			}
		}
	}
	return part
}
