package pricing

import (
	"encoding/json"
	"fmt"
	"time"

	"boardorder/pkg/contract"
)

// A quoteText is a contract.Quote on its way to its JSON, in two parts: what is
// its own, and what it shares with other quotes of the same offer.
type quoteText struct {
	own    ownPart
	mode   string
	digest string          // of the files
	offer  []byte          // JSON of an offerPart, which holds both
	bare   *contract.Quote // the quote of the boards alone that goes with it; nil for none
}

type ownPart struct {
	Ref       string                `json:"ref"`
	Account   string                `json:"account"`
	Request   string                `json:"request"`
	Key       string                `json:"key,omitempty"`
	From      string                `json:"from,omitempty"`
	Upload    string                `json:"upload"`
	Asked     contract.QuoteRequest `json:"asked"`
	CreatedAt time.Time             `json:"created_at"`
	ExpiresAt time.Time             `json:"expires_at"`
}

type offerPart struct {
	Digest   string                   `json:"digest"`
	Board    string                   `json:"board,omitempty"`
	Mode     string                   `json:"mode"`
	Status   contract.QuoteStatus     `json:"status"`
	Reply    contract.QuoteReply      `json:"reply"`
	Terms    *contract.Terms          `json:"terms,omitempty"`
	Version  int                      `json:"version"`
	Delivery *contract.Delivery       `json:"delivery,omitempty"`
	Assumed  string                   `json:"assumed,omitempty"`
	Picture  string                   `json:"picture,omitempty"`
	Pricing  json.RawMessage          `json:"pricing,omitempty"`
	Assembly *contract.QuotedAssembly `json:"assembly,omitempty"`
	Bare     *contract.BareRef        `json:"bare,omitempty"`
}

func ownPartOf(q *contract.Quote) ownPart {
	return ownPart{
		Ref: q.Ref, Account: q.Account, Request: q.Request, Key: q.Key, From: q.From, Upload: q.Upload, Asked: q.Asked, CreatedAt: q.CreatedAt, ExpiresAt: q.ExpiresAt,
	}
}

func offerText(q *contract.Quote) ([]byte, error) {
	text, err := json.Marshal(offerPart{
		Digest: q.Digest, Board: q.Board, Mode: q.Mode, Status: q.Status, Reply: q.Reply, Terms: q.Terms, Version: q.Version,
		Delivery: q.Delivery, Assumed: q.Assumed, Picture: q.Picture, Pricing: q.Pricing, Assembly: q.Assembly, Bare: q.Bare,
	})
	if err != nil {
		return nil, fmt.Errorf("encode offer: %w", err)
	}
	return text, nil
}

// AppendJSON appends the quote's JSON.
func (t quoteText) AppendJSON(b []byte) ([]byte, error) {
	own, err := json.Marshal(t.own)
	if err != nil {
		return nil, err
	}
	b = append(b, own[:len(own)-1]...)
	b = append(b, ',')
	return append(b, t.offer[1:]...), nil
}
