package portal

import (
	"errors"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/door"
	"boardorder/pkg/guess"
	"boardorder/pkg/session"
	"boardorder/services/edge/internal/web"
)

// How many codes are asked for with one address: from one network in the time that a code is
// good and in an hour, so that whoever asks in vain there keeps others of the network waiting
// for minutes; from anywhere in an hour; and in an hour from a browser that has signed in with
// the address before, whom no stranger's count keeps out.
const (
	asksAtOnce      = 5
	asksFromNetwork = 15
	asksInAll       = 30
	asksOfDevice    = 10
)

// How many codes are entered for one address in an hour. Those of all but known browsers
// bound how often a stranger may guess.
const (
	triesFromNetwork = 25
	triesInAll       = 60
	triesOfDevice    = 25
)

// beginAsk counts that a code is asked for; wait is how long until it may be.
func (p *Portal) beginAsk(c *web.Call, email string) (wait time.Duration, err error) {
	ctx, person := c.Context(), contract.PersonRef(email)
	if device := p.device(c, email); device != "" {
		return p.Hourly.Begin(ctx, guess.Bound{Subject: "portal ask device " + device, Max: asksOfDevice})
	}
	from := door.NetworkName(p.Address(c)) + " " + person
	soon := guess.Bound{Subject: "portal ask now " + from, Max: asksAtOnce}
	if wait, err = p.Soon.Begin(ctx, soon); err != nil || wait > 0 {
		return wait, err
	}
	wait, err = p.Hourly.Begin(ctx, guess.Bound{Subject: "portal ask " + from, Max: asksFromNetwork}, guess.Bound{Subject: "portal ask " + person, Max: asksInAll})
	if err != nil || wait > 0 {
		err = errors.Join(err, p.Soon.Undo(ctx, soon))
	}
	return wait, err
}

// tries bounds the codes that are entered.
func (p *Portal) tries(c *web.Call, email string) []guess.Bound {
	person := contract.PersonRef(email)
	if device := p.device(c, email); device != "" {
		return []guess.Bound{{Subject: "portal try device " + device, Max: triesOfDevice}}
	}
	return []guess.Bound{
		{Subject: "portal try " + door.NetworkName(p.Address(c)) + " " + person, Max: triesFromNetwork},
		{Subject: "portal try " + person, Max: triesInAll},
	}
}

// A browser is known by a cookie once an address has signed in with it. It lets nobody in.
const (
	deviceCookie  = "portal_device"
	devicePurpose = "portal-device"
	deviceTTL     = 180 * contract.Day
)

// readDevice names the browser, and the address that has signed in with it; "" is none.
func (p *Portal) readDevice(c *web.Call) (id, of string) {
	subject, _, err := p.Secrets.OpenLink(devicePurpose, p.cookie(c, deviceCookie), p.Now())
	if err != nil {
		return "", ""
	}
	id, of, _ = strings.Cut(subject, "-")
	return id, of
}

// device names the browser if it has signed in with the address before; else it is "".
func (p *Portal) device(c *web.Call, email string) string {
	if id, of := p.readDevice(c); of == deviceOf(email) {
		return id
	}
	return ""
}

func deviceOf(email string) string {
	return contract.DeriveID("portal device", contract.PersonRef(email))
}

// rememberDevice has the browser be known by an address that signed in.
func (p *Portal) rememberDevice(c *web.Call, email string) {
	if p.device(c, email) != "" {
		return
	}
	expires := p.Now().UTC().Add(deviceTTL)
	subject := session.NewID() + "-" + deviceOf(email)
	p.setCookie(c, deviceCookie, p.Secrets.Link(devicePurpose, subject, expires), expires)
}
