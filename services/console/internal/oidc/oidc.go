// Package oidc signs operators in with the company's own identity provider
// (OpenID Connect, authorization code with PKCE). Who an operator is and what he
// may is still for the operators' file to say: the provider only says who came.
package oidc

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	provider "github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// Config is how the provider is reached; an empty Issuer is none.
type Config struct {
	Issuer   string
	ID       string // of this client
	Secret   string
	Claim    string // that names the operator, such as email
	Redirect string // where the provider sends people back to
}

// ErrRefused says that the provider's answer lets nobody in.
var ErrRefused = errors.New("the identity provider's answer is not accepted")

// timeout bounds each call to the provider.
const timeout = 10 * time.Second

// Client speaks to one provider. It asks for the provider's addresses when the
// first operator comes, so that a provider that is down stops nobody from starting.
type Client struct {
	cfg Config

	mu       sync.Mutex
	oauth    *oauth2.Config
	verifier *provider.IDTokenVerifier
}

// New makes a client; nil for a configuration without a provider.
func New(cfg Config) *Client {
	if cfg.Issuer == "" {
		return nil
	}
	return &Client{cfg: cfg}
}

func (c *Client) discover(ctx context.Context) (*oauth2.Config, *provider.IDTokenVerifier, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.oauth != nil {
		return c.oauth, c.verifier, nil
	}
	// The keys are fetched again with this context when they change.
	p, err := provider.NewProvider(context.WithoutCancel(ctx), c.cfg.Issuer)
	if err != nil {
		return nil, nil, fmt.Errorf("identity provider: %w", err)
	}
	c.oauth = &oauth2.Config{
		ClientID: c.cfg.ID, ClientSecret: c.cfg.Secret, RedirectURL: c.cfg.Redirect, Endpoint: p.Endpoint(),
		Scopes: []string{provider.ScopeOpenID, "email", "profile"},
	}
	c.verifier = p.Verifier(&provider.Config{ClientID: c.cfg.ID})
	return c.oauth, c.verifier, nil
}

// A Visit is what one sign-in is bound to: it follows from a secret that only the
// visitor's browser has.
type Visit struct{ state, nonce, proof string }

// VisitOf derives it.
func VisitOf(secret string) Visit {
	part := func(name string) string {
		sum := sha256.Sum256([]byte(name + "\x00" + secret))
		return hex.EncodeToString(sum[:])
	}
	return Visit{part("state"), part("nonce"), part("proof")}
}

// Is reports whether the provider sent this visit's state back.
func (v Visit) Is(state string) bool { return state != "" && state == v.state }

// Address is where the operator signs in.
func (c *Client) Address(ctx context.Context, v Visit) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	oauth, _, err := c.discover(ctx)
	if err != nil {
		return "", err
	}
	return oauth.AuthCodeURL(v.state, provider.Nonce(v.nonce), oauth2.S256ChallengeOption(v.proof)), nil
}

// Operator gives the name of who signed in, from the code that the provider sent
// back, or ErrRefused.
func (c *Client) Operator(ctx context.Context, v Visit, code string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	oauth, verifier, err := c.discover(ctx)
	if err != nil {
		return "", err
	}
	token, err := oauth.Exchange(ctx, code, oauth2.VerifierOption(v.proof))
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrRefused, err)
	}
	raw, _ := token.Extra("id_token").(string)
	id, err := verifier.Verify(ctx, raw)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if id.Nonce != v.nonce {
		return "", fmt.Errorf("%w: the answer is for another visit", ErrRefused)
	}
	return c.name(id)
}

func (c *Client) name(id *provider.IDToken) (string, error) {
	claims := map[string]any{}
	if err := id.Claims(&claims); err != nil {
		return "", fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if verified, given := claims["email_verified"].(bool); c.cfg.Claim == "email" && !(given && verified) {
		return "", fmt.Errorf("%w: the provider has not verified the e-mail address", ErrRefused)
	}
	name, _ := claims[c.cfg.Claim].(string)
	if name == "" {
		return "", fmt.Errorf("%w: it has no %s", ErrRefused, c.cfg.Claim)
	}
	return strings.ToLower(name), nil
}
