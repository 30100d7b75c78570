package session

import (
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/session"
	"boardorder/services/console/internal/operator"
)

const (
	devicePurpose = "console-device"
	// DeviceTTL is how long a browser is known after it signed in.
	DeviceTTL = 180 * 24 * time.Hour
)

// Device gives the value of the cookie that a browser is known by once an
// operator has signed in with it. It lets nobody in.
func (d *Outcomes) Device(o operator.Operator) (cookie string, expires time.Time) {
	expires = d.now().UTC().Add(DeviceTTL)
	return d.keys.Link(devicePurpose, session.NewID()+"-"+deviceOf(o), expires), expires
}

// DeviceID gives the id of a browser that has signed in as the operator
// since the password was last changed; "" for any other.
func (d *Outcomes) DeviceID(cookie string, o operator.Operator) string {
	subject, _, err := d.keys.OpenLink(devicePurpose, cookie, d.now())
	id, of, _ := strings.Cut(subject, "-")
	if err != nil || of != deviceOf(o) {
		return ""
	}
	return id
}

func deviceOf(o operator.Operator) string { return contract.DeriveID("device", o.Name, o.Hash) }
