package web

import (
	"net/url"
	"time"

	"boardorder/pkg/language"

	"github.com/gofiber/fiber/v2"
)

// LanguageField is the field of the query by which a link chooses a language.
const LanguageField = "lang"

const (
	languageCookie = "lang" // what was chosen before; says nothing of the person
	languageTTL    = 365 * 24 * time.Hour
)

// Language is the language in which to reply to a person: what a link chose, what
// was chosen before, or what the browser asks for, in this order.
func (c *Call) Language() *language.Printer {
	chosen, _ := c.Query(LanguageField)
	return language.Choose(chosen, c.Fiber.Cookies(languageCookie), c.Header("Accept-Language"))
}

// KeepLanguage has the browser keep the language that a link chose, if one did.
func (c *Call) KeepLanguage() {
	chosen, _ := c.Query(LanguageField)
	p := language.Find(chosen)
	if p.Code != chosen {
		return
	}
	c.Fiber.Cookie(&fiber.Cookie{
		Name: languageCookie, Value: p.Code, Path: "/", Expires: time.Now().Add(languageTTL),
		HTTPOnly: true, Secure: c.Fiber.Secure(), SameSite: fiber.CookieSameSiteLaxMode,
	})
}

// SwitchField is the field by which a form that is filled in asks for the page in another
// language, with all that it has.
const SwitchField = "language"

// SwitchQuery is the query of the page at hand in the language that a form asks for, with all
// that the form has; ok is false where none asks.
func (c *Call) SwitchQuery() (query string, ok bool) {
	chosen, given := c.Query(SwitchField)
	if !given || language.Find(chosen).Code != chosen {
		return "", false
	}
	fields, err := url.ParseQuery(string(c.Fiber.Request().URI().QueryString()))
	if err != nil {
		return "", false
	}
	fields.Del(SwitchField)
	fields.Set(LanguageField, chosen)
	return fields.Encode(), true
}

// A LanguageLink leads to the page at hand in another language.
type LanguageLink struct {
	Code, Name, URL string
	Current         bool
}

// LanguageLinks lead to the page at hand in each language that is offered.
func (c *Call) LanguageLinks() []LanguageLink {
	query, err := url.ParseQuery(string(c.Fiber.Request().URI().QueryString()))
	if err != nil {
		query = url.Values{}
	}
	now := c.Language()
	var links []LanguageLink
	for _, p := range language.List() {
		query.Set(LanguageField, p.Code)
		links = append(links, LanguageLink{p.Code, p.Name, "?" + query.Encode(), p == now})
	}
	return links
}
