package client

import (
	"context"
	"net/http"
	"time"
)

// CheckDesign holds a design against fabricators' limits, and waits for the report.
func (c *Client) CheckDesign(ctx context.Context, request DesignCheckRequest, options ...CallOption) (*DesignCheckReport, error) {
	k := &call{}
	for _, o := range options {
		o(k)
	}
	request.WaitS = waitSeconds
	for {
		out := &DesignCheckReport{}
		err := c.Do(ctx, http.MethodPost, "/v1/design-checks", nil, request, out, options...)
		if err != nil || out.Status != DesignCheckReportStatusChecking {
			return out, err
		}
		if k.progress != nil {
			k.progress(Progress{out.BoardCheck.Step, duration(out.BoardCheck.ElapsedS)})
		}
		if err := c.pause(ctx, out.RetryAfterS); err != nil {
			return out, err
		}
	}
}

// CheckParts looks up whether parts can be bought, and waits until all suppliers were asked.
// Where one cannot be reached a part stays in doubt; the reply says so.
func (c *Client) CheckParts(ctx context.Context, request PartCheckRequest, options ...CallOption) (*PartCheckReply, error) {
	k := &call{}
	for _, o := range options {
		o(k)
	}
	request.WaitS = waitSeconds
	for {
		out := &PartCheckReply{}
		err := c.Do(ctx, http.MethodPost, "/v1/part-checks", nil, request, out, options...)
		if err != nil || out.Phase == PartCheckReplyPhaseComplete || len(out.Unreached) > 0 {
			return out, err
		}
		if k.progress != nil {
			k.progress(Progress{Text: "Suppliers are asked."})
		}
		if err := c.pause(ctx, out.RetryAfterS); err != nil {
			return out, err
		}
	}
}

func (c *Client) pause(ctx context.Context, seconds int64) error {
	return c.sleep(ctx, max(duration(seconds), 500*time.Millisecond))
}
