package asyncapi

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/registry"
)

// Tables is the page of the handbook that lists streams, buckets, events and
// commands, as they are declared.
func Tables() []byte {
	var out strings.Builder
	out.WriteString(`# Streams, buckets, events and commands

Written by ` + "`make generate`" + ` from the declarations in ` + "`pkg/contract`" + `. Who may write and read which stream is the table in ` + "`deploy/access`" + `; the form of
each message is in ` + "`pkg/contract/asyncapi/asyncapi.yaml`" + `.

## Streams

`)
	table(&out, []string{"stream", "subjects", "kept", "versions", "a day × bytes", "MB planned", "may be split", "consumers", "what"}, registry.Streams(), streamRow)
	out.WriteString("\n## Buckets\n\n")
	table(&out, []string{"bucket", "kept", "what"}, registry.Buckets(), bucketRow)
	fmt.Fprintf(&out, "\n## Events\n\nEach is the state of its aggregate after it. Any aggregate may have %s as well.\n\n", words(registry.EventsOfAny()))
	table(&out, []string{"aggregate", "state", "events"}, registry.Aggregates(), eventRow)
	out.WriteString("\n## Commands\n\n")
	table(&out, []string{"service", "commands"}, slices.Sorted(maps.Keys(verbs())), func(service string) []string {
		return []string{service, words(verbs()[service])}
	})
	return []byte(out.String())
}

func table[T any](out *strings.Builder, head []string, all []T, row func(T) []string) {
	fmt.Fprintf(out, "| %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat("---|", len(head)))
	for _, v := range all {
		fmt.Fprintf(out, "| %s |\n", strings.Join(row(v), " | "))
	}
}

func streamRow(s contract.Stream) []string {
	versions := "all"
	switch {
	case s.Schedules:
		versions = "1" // one live schedule a subject
	case s.Versions > 0:
		versions = fmt.Sprint(s.Versions)
	}
	parts := "yes"
	if !s.Split {
		parts = "no"
	}
	var consumers []string
	for _, c := range s.Consumers {
		consumers = append(consumers, c.Name)
	}
	return []string{s.Name, "`" + s.Subject + "`", streamKeep(s), versions, fmt.Sprintf("%d × %d", s.Load.PerDay, s.Load.Bytes),
		fmt.Sprint(s.SizeAtLoad() / 1_000_000), parts, cmp.Or(strings.Join(consumers, ", "), "none"), s.About}
}

func streamKeep(s contract.Stream) string {
	switch {
	case s.WorkQueue:
		return "work queue, " + days(s.Keep)
	case s.Schedules:
		return "until due"
	case s.Keep == 0:
		return "for ever"
	}
	return days(s.Keep)
}

func bucketRow(b contract.Bucket) []string {
	kept := "for ever"
	if b.TTL > 0 {
		kept = days(b.TTL)
	}
	if b.Memory {
		kept += ", in memory"
	}
	return []string{b.Name, kept, b.About}
}

func eventRow(a registry.Aggregate) []string {
	return []string{string(a.Name), "`" + reflect.TypeOf(a.State).String() + "`", words(a.Events)}
}

// verbs are the commands of each service.
func verbs() map[string][]string {
	out := map[string][]string{}
	for _, c := range registry.Commands() {
		out[c.Name.Service] = append(out[c.Name.Service], c.Name.Verb)
	}
	for _, v := range out {
		slices.Sort(v)
	}
	return out
}

func words[T ~string](all []T) string {
	quoted := make([]string, len(all))
	for i, w := range all {
		quoted[i] = "`" + string(w) + "`"
	}
	return strings.Join(quoted, ", ")
}

func days(d time.Duration) string {
	if d%(24*time.Hour) == 0 {
		return fmt.Sprintf("%d days", d/(24*time.Hour))
	}
	if d < time.Minute {
		return d.String()
	}
	return strings.TrimSuffix(strings.TrimSuffix(d.String(), "0s"), "0m")
}
