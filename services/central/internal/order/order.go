// Package order decides on formal orders: plain functions of the order as it is.
// Each gives the order as it becomes and the event that says so, no event where
// nothing changes, or a refusal.
package order

import (
	"crypto/sha256"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/formal"
)

// refLetters leave out what is easily taken for something else.
const refLetters = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"

// Ref is what people call an order: CO- and ten characters.
func Ref(key string) string {
	sum := sha256.Sum256([]byte("central-order-ref\x00" + key))
	var b strings.Builder
	b.WriteString("CO-")
	for _, x := range sum[:10] {
		b.WriteByte(refLetters[int(x)%len(refLetters)])
	}
	return b.String()
}

// Refusal says why an order cannot be taken.
func Refusal(data formal.SubmitData) *contract.Refusal {
	return data.Refusal(func(role string) bool {
		return slices.ContainsFunc(data.Files, func(f formal.File) bool { return f.Role == role })
	})
}

// New is the order that a command makes.
func New(c contract.Command, data formal.SubmitData, files []formal.File, at time.Time, retention time.Duration) formal.Order {
	return Touch(formal.Order{
		Key: data.Order, ID: contract.IDFrom(contract.OrderPrefix, at, "central", data.Order), Ref: Ref(data.Order), Account: c.Account,
		RequestID: data.RequestID, Submission: c.ID, Status: formal.Submitted, Form: data.Form, Files: files,
		Dates: formal.Dates{Submitted: at}, CreatedAt: at,
		Timeline: []formal.Moment{{What: formal.EventSubmitted, At: at}},
	}, at, retention)
}

// Touch notes that something happened: the files are kept for longer, if there are any.
func Touch(o formal.Order, at time.Time, retention time.Duration) formal.Order {
	o.UpdatedAt = at
	if Keeps(o) {
		o.FilesUntil = at.Add(retention)
	}
	return o
}

// DropFiles is the order once its files are deleted; their names stay.
func DropFiles(o formal.Order) formal.Order {
	files := slices.Clone(o.Files)
	for i := range files {
		files[i].Key = ""
	}
	o.Files, o.FilesUntil = files, time.Time{}
	return o
}

// IsUSMade reports whether an order is made in the United States when a
// declaration says origin; where it says none, that of the order counts.
func IsUSMade(o formal.Order, origin string) bool {
	return origin == formal.USOrigin || origin == "" && o.BoardOrigin == formal.USOrigin
}

// Keeps reports whether any file of the order is kept.
func Keeps(o formal.Order) bool {
	return slices.ContainsFunc(o.Files, func(f formal.File) bool { return f.Key != "" })
}

// DeclareITAR is an order whose design was declared ITAR-controlled after it was
// sent: it keeps no automatic check, and its files only if it is made in the
// United States. changed is false for one that was declared before.
func DeclareITAR(o formal.Order, origin string) (after formal.Order, changed bool) {
	if o.ITAR {
		return o, false
	}
	o.ITAR, o.Check = true, nil
	if !IsUSMade(o, origin) {
		return DropFiles(o), true
	}
	o.BoardOrigin = formal.USOrigin
	return o, true
}

// Checkable tells whether the automatic design check is made of an order, and was
// not yet.
func Checkable(o formal.Order) bool {
	gerbers := o.File(formal.Gerbers)
	return !o.ITAR && gerbers != nil && gerbers.Key != "" && o.Check == nil && o.Status != formal.Cancelled
}

// maxFindings of the automatic check are kept with the order.
const maxFindings = 50

// SummarizeCheck is what an order keeps of a check.
func SummarizeCheck(d designchecks.DesignCheck) formal.Check {
	out := formal.Check{Status: d.Status, Digest: d.Digest, Board: d.Board, Findings: []formal.Finding{}, MoreFindings: d.MoreFindings, Assumed: d.Assumed}
	for i, f := range d.Findings {
		if i == maxFindings {
			out.MoreFindings += len(d.Findings) - i
			break
		}
		out.Findings = append(out.Findings, formal.Finding{Level: f.Level, Check: f.Check, What: f.What})
	}
	return out
}

// maxMoments of an order's life are kept with it; its first stays.
const maxMoments = 200

func recordMoment(o formal.Order, m formal.Moment) formal.Order {
	o.Timeline = append(slices.Clone(o.Timeline), m)
	if len(o.Timeline) > maxMoments {
		o.Timeline = slices.Delete(o.Timeline, 1, 2)
	}
	return o
}
