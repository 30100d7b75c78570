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
func Refusal(data contract.SubmitCentralData) *contract.Refusal {
	return data.Refusal(func(role string) bool {
		return slices.ContainsFunc(data.Files, func(f contract.CentralFile) bool { return f.Role == role })
	})
}

// New is the order that a command makes.
func New(c contract.Command, data contract.SubmitCentralData, files []contract.CentralFile, at time.Time, kept time.Duration) contract.CentralOrder {
	return Touch(contract.CentralOrder{
		Key: data.Order, ID: contract.IDFrom(contract.OrderPrefix, at, "central", data.Order), Ref: Ref(data.Order), Account: c.Account,
		RequestID: data.RequestID, Submission: c.ID, Status: contract.CentralStatusSubmitted, CentralForm: data.CentralForm, Files: files,
		Dates: contract.CentralDates{Submitted: at}, CreatedAt: at,
		Timeline: []contract.CentralMoment{{What: contract.CentralSubmitted, At: at}},
	}, at, kept)
}

// Touch notes that something happened: the files are kept for longer, if there are any.
func Touch(o contract.CentralOrder, at time.Time, kept time.Duration) contract.CentralOrder {
	o.UpdatedAt = at
	if Keeps(o) {
		o.FilesUntil = at.Add(kept)
	}
	return o
}

// DropFiles is the order once its files are deleted; their names stay.
func DropFiles(o contract.CentralOrder) contract.CentralOrder {
	files := slices.Clone(o.Files)
	for i := range files {
		files[i].Key = ""
	}
	o.Files, o.FilesUntil = files, time.Time{}
	return o
}

// IsUSMade reports whether an order is made in the United States when a
// declaration says origin; where it says none, that of the order counts.
func IsUSMade(o contract.CentralOrder, origin string) bool {
	return origin == contract.USOrigin || origin == "" && o.BoardOrigin == contract.USOrigin
}

// Keeps reports whether any file of the order is kept.
func Keeps(o contract.CentralOrder) bool {
	return slices.ContainsFunc(o.Files, func(f contract.CentralFile) bool { return f.Key != "" })
}

// DeclareITAR is an order whose design was declared ITAR-controlled after it was
// sent: it keeps no automatic check, and its files only if it is made in the
// United States. changed is false for one that was declared before.
func DeclareITAR(o contract.CentralOrder, origin string) (after contract.CentralOrder, changed bool) {
	if o.ITAR {
		return o, false
	}
	o.ITAR, o.Check = true, nil
	if !IsUSMade(o, origin) {
		return DropFiles(o), true
	}
	o.BoardOrigin = contract.USOrigin
	return o, true
}

// Checkable tells whether the automatic design check is made of an order, and was
// not yet.
func Checkable(o contract.CentralOrder) bool {
	gerbers := o.File(contract.CentralGerbers)
	return !o.ITAR && gerbers != nil && gerbers.Key != "" && o.Check == nil && o.Status != contract.CentralStatusCancelled
}

// maxFindings of the automatic check are kept with the order.
const maxFindings = 50

// SummarizeCheck is what an order keeps of a check.
func SummarizeCheck(d contract.DesignCheck) contract.CentralCheck {
	out := contract.CentralCheck{Status: d.Status, Digest: d.Digest, Board: d.Board, Findings: []contract.CentralFinding{}, MoreFindings: d.MoreFindings, Assumed: d.Assumed}
	for i, f := range d.Findings {
		if i == maxFindings {
			out.MoreFindings += len(d.Findings) - i
			break
		}
		out.Findings = append(out.Findings, contract.CentralFinding{Level: f.Level, Check: f.Check, What: f.What})
	}
	return out
}

// maxMoments of an order's life are kept with it; its first stays.
const maxMoments = 200

func recordMoment(o contract.CentralOrder, m contract.CentralMoment) contract.CentralOrder {
	o.Timeline = append(slices.Clone(o.Timeline), m)
	if len(o.Timeline) > maxMoments {
		o.Timeline = slices.Delete(o.Timeline, 1, 2)
	}
	return o
}
