package mailbox

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"time"
)

// A Mail is what came over the wire, as the ledger keeps it.
type Mail struct {
	ID   string    `json:"id"`
	At   time.Time `json:"at"`
	From string    `json:"from"` // of the envelope
	To   []string  `json:"to"`   // of the envelope
	User string    `json:"user,omitempty"`
	Raw  []byte    `json:"raw"`
}

// A Message is a mail that was read: its headers and its parts.
type Message struct {
	ID          string       `json:"id"`
	At          time.Time    `json:"at"`
	From        string       `json:"from"`
	To          []string     `json:"to"`
	MessageID   string       `json:"message_id"`
	Subject     string       `json:"subject"`
	Sender      string       `json:"sender"` // the From header, decoded
	Text        string       `json:"text"`
	HTML        string       `json:"html"`
	Attachments []Attachment `json:"attachments"`
	Problem     string       `json:"problem,omitempty"` // why it could not be read whole

	headers mail.Header
	raw     []byte
}

// An Attachment is a part that is neither the text nor the HTML.
type Attachment struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Size int    `json:"size"`
}

// Read never fails: a mail that is no proper mail is shown as it came.
func Read(m Mail) Message {
	out := Message{ID: m.ID, At: m.At, From: m.From, To: m.To, Attachments: []Attachment{}, raw: m.Raw}
	parsed, err := mail.ReadMessage(bytes.NewReader(m.Raw))
	if err != nil {
		out.Problem, out.Text = err.Error(), string(m.Raw)
		return out
	}
	out.headers = parsed.Header
	out.MessageID = strings.Trim(parsed.Header.Get("Message-Id"), "<> ")
	out.Subject = decodeHeader(parsed.Header.Get("Subject"))
	out.Sender = decodeHeader(parsed.Header.Get("From"))
	err = out.part(part{
		kind: parsed.Header.Get("Content-Type"), encoding: parsed.Header.Get("Content-Transfer-Encoding"), body: parsed.Body,
	}, 0)
	if err != nil {
		out.Problem = err.Error()
	}
	return out
}

func decodeHeader(text string) string {
	decoded, err := new(mime.WordDecoder).DecodeHeader(text)
	if err != nil {
		return text
	}
	return decoded
}

type part struct {
	kind, encoding, disposition string
	body                        io.Reader
}

const maxDepth = 8

// part reads one MIME part, and the parts in it.
func (m *Message) part(p part, depth int) error {
	kind, params, err := mime.ParseMediaType(p.kind)
	if err != nil {
		kind = "text/plain"
	}
	if strings.HasPrefix(kind, "multipart/") && depth < maxDepth {
		return m.parts(multipart.NewReader(p.body, params["boundary"]), depth)
	}
	body, err := io.ReadAll(decode(p))
	if err != nil {
		return err
	}
	disposition, dispParams, err := mime.ParseMediaType(p.disposition)
	attached := err == nil && disposition == "attachment"
	switch {
	case kind == "text/plain" && !attached && m.Text == "":
		m.Text = strings.ReplaceAll(string(body), "\r\n", "\n")
	case kind == "text/html" && !attached && m.HTML == "":
		m.HTML = string(body)
	default:
		m.Attachments = append(m.Attachments, Attachment{Name: dispParams["filename"], Type: kind, Size: len(body)})
	}
	return nil
}

func (m *Message) parts(r *multipart.Reader, depth int) error {
	for {
		p, err := r.NextRawPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		h := p.Header
		err = m.part(part{h.Get("Content-Type"), h.Get("Content-Transfer-Encoding"), h.Get("Content-Disposition"), p}, depth+1)
		if err != nil {
			return err
		}
	}
}

func decode(p part) io.Reader {
	switch strings.ToLower(p.encoding) {
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, p.body)
	case "quoted-printable":
		return quotedprintable.NewReader(p.body)
	default:
		return p.body
	}
}
