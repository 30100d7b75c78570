package email_test

import (
	"strings"
	"testing"

	"boardorder/pkg/language"
)

// customerReads tells an e-mail to a customer from one to the team or to an account, which
// are English.
func customerReads(name string) bool {
	for _, other := range []string{"formal-team", "formal-answered", "review-request", "review-answered", "order-", "key-revoked", "member-added", "key-made", "details-set", "endpoint-", "declared"} {
		if strings.HasPrefix(name, other) {
			return false
		}
	}
	return true
}

// TestEmailsInOtherLanguages: a language that is written with words apart, and one that
// is not.
func TestEmailsInOtherLanguages(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"de", "ja"} {
		for name, write := range emails(writer(t).Translate(code)) {
			if customerReads(name) {
				checkEmail(t, code+"/"+name, write)
			}
		}
	}
}

// TestEmailsInAllLanguages: each e-mail to a customer is in the customer's language from
// its subject to its foot.
func TestEmailsInAllLanguages(t *testing.T) {
	t.Parallel()
	english := emails(writer(t))
	for _, p := range language.List()[1:] {
		for name, write := range emails(writer(t).Translate(p.Code)) {
			if !customerReads(name) {
				continue
			}
			l, err := write()
			if err != nil {
				t.Errorf("%s, %s: %v", p.Code, name, err)
				continue
			}
			if e, err := english[name](); err != nil || l.Subject == e.Subject {
				t.Errorf("%s, %s: subject %q, the English one, %v", p.Code, name, l.Subject, err)
			}
			if !strings.Contains(l.HTML, `<html lang="`+p.Code+`">`) {
				t.Errorf("%s, %s: want a page in %s:\n%s", p.Code, name, p.Code, l.HTML)
			}
			for _, word := range []string{"Hello", "Your ", " your ", " our team", "Delivery to", "Total<", "Total ....", "%!", "2 layers", "just reply"} {
				if p.Code == "fr" || p.Code == "es" {
					word = strings.Replace(word, "Total", "total", 1) // Total in both
				}
				if strings.Contains(l.Text, word) || strings.Contains(l.HTML, word) {
					t.Errorf("%s, %s says %q:\n%s\n%s", p.Code, name, word, l.Text, l.HTML)
				}
			}
		}
	}
}

// TestColumns: amounts end in one column, whatever the width of the letters before them.
func TestColumns(t *testing.T) {
	t.Parallel()
	l, err := writer(t).Translate("ja").Receipt(receipt)
	if err != nil {
		t.Fatal(err)
	}
	want := "基板 ........................................... $1,045.50\n"
	if !strings.Contains(l.Text, want) {
		t.Errorf("the receipt lacks %q:\n%s", want, l.Text)
	}
}
