package upgrade_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"boardorder/deploy/simulator/shopper"
	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/projection"
)

// pause is how long the client waits before it asks again.
const pause = 100 * time.Millisecond

// repeatUntilDone calls do until it is done, or ctx ends.
func repeatUntilDone(ctx context.Context, what string, do func() (done bool, err error)) error {
	for {
		done, err := do()
		if done {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", what, errors.Join(ctx.Err(), err))
		case <-time.After(pause):
		}
	}
}

// call sends an API request until it is answered with less than 500: what a
// partner's program does while processes stop and start.
func (r *rig) call(ctx context.Context, method, path, kind string, body []byte) (status int, answer []byte, err error) {
	err = repeatUntilDone(ctx, method+" "+path, func() (bool, error) {
		req, err := http.NewRequestWithContext(ctx, method, r.system.BaseURL+path, bytes.NewReader(body))
		if err != nil {
			return true, err
		}
		req.Header.Set("X-API-Key", r.system.APIKey)
		req.Header.Set("Content-Type", kind)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return false, err
		}
		defer resp.Body.Close()
		status = resp.StatusCode
		answer, err = io.ReadAll(resp.Body)
		return err == nil && status < 500, err
	})
	return status, answer, err
}

func (r *rig) upload(ctx context.Context) (string, error) {
	board, err := os.ReadFile(filepath.Join(r.dir, "sample-board.zip"))
	if err != nil {
		return "", err
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("files", "board.zip")
	if err == nil {
		_, err = part.Write(board)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return "", err
	}
	status, answer, err := r.call(ctx, http.MethodPost, "/v1/uploads", w.FormDataContentType(), form.Bytes())
	var reply struct {
		UploadID string `json:"upload_id"`
	}
	if err != nil || status != http.StatusCreated || json.Unmarshal(answer, &reply) != nil {
		return "", fmt.Errorf("upload: %d %s: %w", status, answer, err)
	}
	return reply.UploadID, nil
}

// quote asks for a price and gives the quote's ref.
func (r *rig) quote(ctx context.Context, upload string, quantity int) (ref string, err error) {
	body := fmt.Appendf(nil, `{"upload_id":%q,"quantity":%d,"standard_for_unstated":true}`, upload, quantity)
	var reply struct {
		QuoteID   string `json:"quote_id"`
		RequestID string `json:"request_id"`
	}
	err = repeatUntilDone(ctx, "quote", func() (bool, error) {
		status, answer, err := r.call(ctx, http.MethodPost, "/v1/quotes?wait_s=10", "application/json", body)
		if err != nil || status >= 400 {
			return true, fmt.Errorf("quote: %d %s: %w", status, answer, err)
		}
		if err := json.Unmarshal(answer, &reply); err != nil {
			return true, err
		}
		r.noteRequest(reply.RequestID)
		return status != http.StatusAccepted, nil
	})
	return contract.SecretRef(reply.QuoteID), err
}

// buy chooses delivery, begins the checkout and pays, as the checkout pages do.
func (r *rig) buy(ctx context.Context, ref string) error {
	if err := r.command(ctx, quotes.ChooseDelivery, quotes.ChooseDeliveryData{Quote: ref, ShipTo: home}); err != nil {
		return err
	}
	quote, err := load[quotes.Quote](ctx, r, contract.QuoteAggregate, ref)
	if err != nil {
		return err
	}
	begin := checkouts.BeginData{Quote: ref, Version: quote.Version, Acknowledgement: quote.AcknowledgementHash()}
	if err := r.command(ctx, checkouts.Begin, begin); err != nil {
		return err
	}
	checkout, err := load[checkouts.Checkout](ctx, r, contract.CheckoutAggregate, ref)
	if err != nil {
		return err
	}
	err = repeatUntilDone(ctx, "pay", func() (bool, error) {
		got, err := shopper.Pay(ctx, checkout.SessionURL, shopper.Card{Email: home.Email, Name: home.Name})
		return got.Status == "paid", err
	})
	if err != nil {
		return err
	}
	r.notePaid(ref)
	return repeatUntilDone(ctx, "order of "+ref, func() (bool, error) {
		o, err := r.order(ctx, ref)
		return err == nil && o.Quote != "", err
	})
}

func (r *rig) order(ctx context.Context, ref string) (orders.Order, error) {
	return load[orders.Order](ctx, r, contract.OrderAggregate, ref)
}

// load gives an aggregate as it was committed, also while the broker starts anew.
func load[S any](ctx context.Context, r *rig, a contract.Aggregate, id string) (state S, err error) {
	err = repeatUntilDone(ctx, fmt.Sprintf("load %s %s", a, id), func() (bool, error) {
		snap, err := aggregate.At[S](r.bus, a, id).Load(ctx)
		state = snap.State
		return err == nil, err
	})
	return state, err
}

// home is where the boards go.
var home = shipments.ShipTo{
	Name: "Test Customer", Email: "customer@example.com", Phone: "+1 555 0100", Line1: "1 Main St", City: "San Francisco",
	State: "CA", PostalCode: "94107", Country: "US",
}

// command has a command carried out: one that is refused for a reason that
// passes is sent anew.
func (r *rig) command(ctx context.Context, name contract.CommandName, data any) error {
	return repeatUntilDone(ctx, name.String(), func() (bool, error) {
		request := contract.NewID(contract.RequestPrefix, time.Now())
		c, err := contract.NewCommand(name, request, "acc_demo", time.Now(), data)
		if err != nil {
			return true, err
		}
		if err := repeatUntilDone(ctx, "send", func() (bool, error) { err := r.bus.Send(ctx, c); return err == nil, err }); err != nil {
			return true, err
		}
		r.noteRequest(request)
		var op contract.Operation
		if err := r.read(ctx, contract.OperationAggregate, request, &op); err != nil {
			return true, err
		}
		if op.Refusal == nil {
			return true, nil
		}
		if op.Refusal.Code != contract.PriceUnavailable && op.Refusal.Code != contract.PaymentUnavailable {
			return true, op.Refusal
		}
		r.noteRefusal(request)
		return false, op.Refusal
	})
}

// read waits for a document of the projection.
func (r *rig) read(ctx context.Context, kind contract.Aggregate, id string, into any) error {
	return repeatUntilDone(ctx, fmt.Sprintf("read %s %s", kind, id), func() (bool, error) {
		doc, err := r.docs.Get(ctx, string(kind), id)
		if err != nil {
			return !errors.Is(err, projection.ErrNotFound), err
		}
		return true, json.Unmarshal(doc.Body, into)
	})
}
