package email

import "strings"

// What stands in an e-mail about what a test key made.
const (
	testPrefix = "[Test] "
	testNotice = "Test mode: no real payment, nothing is made. This e-mail comes to your account's own address, whoever it is written to."
)

// MarkAsTest is the e-mail marked, in its subject and above all else, as one about what a
// test key made.
func (l Message) MarkAsTest() Message {
	l.Subject = testPrefix + l.Subject
	l.Text = testNotice + "\n\n" + l.Text
	l.HTML = strings.Replace(l.HTML, "<h1 ",
		`<p style="margin:0 0 16px;padding:8px 12px;background:#fff4d6;border:1px solid #d9a400;border-radius:6px"><strong>`+testNotice+"</strong></p><h1 ", 1)
	return l
}
