// Package format writes values for people: amounts, sizes, times, names.
package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/board/untrusted"
	prices "boardorder/pkg/money"
)

// Stamp writes a time for machines, RFC 3339 in UTC; "" for none.
func Stamp(t *time.Time) string {
	if t == nil || t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// Text writes a value; a *string may be nil.
func Text(v any) string {
	if p, ok := v.(*string); ok {
		if p == nil {
			return ""
		}
		return *p
	}
	return fmt.Sprint(v)
}

// ID shortens what nobody reads in full: the end of an id distinguishes it from others
// of its kind, the beginning of a hash is as good.
func ID(s string) string {
	s = untrusted.Line(s, 100)
	prefix, rest, prefixed := strings.Cut(s, "_")
	switch {
	case len(s) <= 18 || strings.ContainsAny(s, " …"):
		return s
	case prefixed && len(rest) > 8:
		return prefix + "_…" + rest[len(rest)-6:]
	}
	return s[:10] + "…"
}

// Money writes cents, int64 or a pointer to it: $1,234.50, or EUR 1,234.50.
func Money(amount any, currency string) string {
	cents, ok := amount.(int64)
	if p, pointer := amount.(*int64); pointer && p != nil {
		cents, ok = *p, true
	}
	if !ok {
		return "–"
	}
	return strings.Replace(prices.Amount(cents, strings.ToUpper(untrusted.Line(currency, 3))), "-", "−", 1)
}

// Size writes bytes: 1.5 MB. It takes any integer.
func Size(n any) string {
	f, err := strconv.ParseFloat(fmt.Sprint(n), 64)
	if err != nil {
		return ""
	}
	unit := 0
	for ; f >= 1000 && unit < len(units)-1; unit++ {
		f /= 1000
	}
	return strings.TrimSuffix(strconv.FormatFloat(f, 'f', 1, 64), ".0") + " " + units[unit]
}

var units = []string{"B", "kB", "MB", "GB", "TB"}

// Time writes a time, in UTC; a *time.Time may be nil.
func Time(t any) string {
	switch t := t.(type) {
	case time.Time:
		if t.IsZero() {
			return "–"
		}
		return t.UTC().Format("2006-01-02 15:04:05")
	case *time.Time:
		if t != nil {
			return Time(*t)
		}
	}
	return "–"
}

// plain are stored names as people say them. Formal orders are stored under the name
// of the interface that they come in by.
var plain = strings.NewReplacer("central-order", "formal order", "central_order", "formal order", "_", " ", "-", " ")

// Words reads a name of ours aloud: review_priced is "review priced".
func Words(s any) string { return plain.Replace(untrusted.Line(fmt.Sprint(s), 60)) }

// Tone is the colour of a status.
func Tone(status any) string {
	switch fmt.Sprint(status) {
	case "held", "expired", "itar_declared", "must_fix", "revoked", "cancelled", "lost", "failed", "refused", "away", "to answer", "too late":
		return "bad"
	case "sourcing_requested", "awaiting_payment", "placing", "open", "warning", "test", "checking", "begun", "pending", "slow", "quota used", "answered":
		return "busy"
	case "ordered", "paid", "in_production", "shipped", "placed", "sourcing_quoted", "customer answered", "live", "pass", "done", "won", "works":
		return "good"
	}
	return "calm"
}

// MaxBody bounds how much of a body is shown.
const MaxBody = 200_000

// Pretty writes JSON for people; what is no JSON is shown as it is.
func Pretty(body []byte) string {
	var out bytes.Buffer
	if json.Indent(&out, body, "", "  ") != nil {
		return untrusted.Block(string(body), MaxBody)
	}
	return untrusted.Block(out.String(), MaxBody)
}

// Stream is what a stream holds, in words: EVENTS_QUOTE_REQUEST is "quote request".
func Stream(name string) string {
	return Words(strings.ToLower(strings.TrimPrefix(name, "EVENTS_")))
}
