package cards

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"

	"go.uber.org/zap"
)

// A writer is one call that changes something: it stages the changes in t.
type writer func(t *tx, id string, f form) (map[string]any, *apiError)

// A reader is one call that only looks.
type reader func(id string, f form) (map[string]any, *apiError)

const maxBody = 1 << 20

// write wraps a writer: key, body, idempotency, commit, answer.
func (s *Server) write(h writer) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		f, bad := s.admit(r)
		if bad != nil {
			s.answer(w, bad.status, bad.body())
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		key, print := r.Header.Get("Idempotency-Key"), fingerprint(r, f)
		if stored, ok := s.state.replies[key]; ok && key != "" {
			s.replay(w, stored, print)
			return
		}
		t := s.begin(r.Method + " " + r.URL.Path)
		doc, bad := h(t, r.PathValue("id"), f)
		if bad != nil && !bad.keep {
			// A request refused before it was executed leaves its key free.
			s.answer(w, bad.status, bad.body())
			return
		}
		status, answer := s.render(doc, bad, f, t)
		for i := range t.Events {
			t.Events[i].Request = key
		}
		if key != "" {
			t.Reply = &reply{Key: key, Fingerprint: print, Status: status, Body: string(answer), Base: s.base()}
		}
		if err := t.commit(); err != nil {
			s.log.Error("the ledger cannot be saved", zap.Error(err))
			bad := &apiError{status: http.StatusInternalServerError, kind: "api_error", message: "The processor's ledger cannot be written."}
			s.answer(w, bad.status, bad.body())
			return
		}
		s.answer(w, status, answer)
	}
}

// render writes out what the step has staged; references that the caller
// wants expanded are looked up in the state before it, and in the step itself.
func (s *Server) render(doc map[string]any, bad *apiError, f form, t *tx) (int, []byte) {
	if bad != nil {
		return bad.status, bad.body()
	}
	if bad := s.expand(doc, f.expansions(), t); bad != nil {
		return bad.status, bad.body()
	}
	body, err := json.Marshal(doc)
	if err != nil {
		return http.StatusInternalServerError, []byte(`{"error":{"type":"api_error","message":"the answer could not be written"}}`)
	}
	return http.StatusOK, body
}

// replay answers a repeated key as the first time, or refuses when the request
// is another one.
func (s *Server) replay(w http.ResponseWriter, stored reply, print string) {
	if stored.Fingerprint != print {
		bad := &apiError{
			status: http.StatusBadRequest, kind: "idempotency_error",
			message: "Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '" + stored.Key + "' if you meant to execute a different request.",
		}
		s.answer(w, bad.status, bad.body())
		return
	}
	w.Header().Set("Idempotent-Replayed", "true")
	body := stored.Body
	if base := s.base(); stored.Base != "" && stored.Base != base {
		body = strings.ReplaceAll(body, stored.Base, base)
	}
	s.answer(w, stored.Status, []byte(body))
}

func (s *Server) read(h reader) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		f, bad := s.admit(r)
		if bad != nil {
			s.answer(w, bad.status, bad.body())
			return
		}
		s.mu.Lock()
		doc, bad := h(r.PathValue("id"), f)
		status, body := s.render(doc, bad, f, nil)
		s.mu.Unlock()
		s.answer(w, status, body)
	}
}

// admit checks the key and reads the parameters.
func (s *Server) admit(r *http.Request) (form, *apiError) {
	if bad := s.checkKey(r); bad != nil {
		return form{}, bad
	}
	if r.Method == http.MethodGet {
		return form{r.URL.Query()}, nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil || len(body) > maxBody {
		return form{}, invalid("", "The request's body could not be read.")
	}
	if kind := r.Header.Get("Content-Type"); len(body) > 0 && !strings.HasPrefix(kind, "application/x-www-form-urlencoded") {
		return form{}, invalid("", "Invalid request (check that your POST content type is application/x-www-form-urlencoded).")
	}
	values, err := url.ParseQuery(string(body))
	if err != nil {
		return form{}, invalid("", "The request's body is not a form: %v", err)
	}
	return form{values}, nil
}

func (s *Server) checkKey(r *http.Request) *apiError {
	key, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if user, _, basic := r.BasicAuth(); basic {
		key, ok = user, true
	}
	good := key == s.cfg.APIKey
	if s.cfg.APIKey == "" {
		good = strings.HasPrefix(key, "sk_test_") || strings.HasPrefix(key, "rk_test_")
	}
	switch {
	case !ok || key == "":
		return &apiError{status: http.StatusUnauthorized, kind: "invalid_request_error", message: "You did not provide an API key."}
	case !good:
		return &apiError{status: http.StatusUnauthorized, kind: "invalid_request_error", code: "api_key_invalid", message: "Invalid API Key provided."}
	default:
		return nil
	}
}

// fingerprint distinguishes two requests with one key.
func fingerprint(r *http.Request, f form) string {
	h := sha256.New()
	io.WriteString(h, r.Method+" "+r.URL.Path+"\n")
	io.WriteString(h, f.Encode()) // sorted, so that the order of parameters does not matter
	return hex.EncodeToString(h.Sum(nil))
}

func (s *Server) answer(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Request-Id", newID("req_"))
	w.Header().Set("Stripe-Version", APIVersion)
	w.WriteHeader(status)
	w.Write(body)
}
