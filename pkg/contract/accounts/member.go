package accounts

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/contract"
)

// A Member is a person who signs in to the portal for an account.
type Member struct {
	ID      string    `json:"id"`
	Email   string    `json:"email"`
	Role    Role      `json:"role"`
	AddedAt time.Time `json:"added_at"`
	AddedBy string    `json:"added_by,omitempty"` // the member's or operator's name; "" = it is the account's own address
}

// A Role is what a member does for the account.
type Role string

// The roles.
const (
	Owner     Role = "owner"
	Developer Role = "developer"
	Finance   Role = "finance"
	Viewer    Role = "viewer"
)

// Roles lists them, the one that may most first.
func Roles() []Role { return []Role{Owner, Developer, Finance, Viewer} }

// A Right is what not every member may. All members see the account, its keys without their
// secrets, its usage, its quotes and its orders.
type Right string

// The rights, in the words in which a member is told of one that is missing.
const (
	ManageKeys     Right = "manage API keys"
	SeeInvoices    Right = "see invoices"
	ManageMembers  Right = "manage members"
	ManageWebhooks Right = "manage webhook endpoints"
	ManageAccount  Right = "change the account’s name and address"
)

// Rights lists them.
func Rights() []Right {
	return []Right{ManageKeys, SeeInvoices, ManageMembers, ManageWebhooks, ManageAccount}
}

// rights are what each role but the owner's may.
var rights = map[Role][]Right{
	Developer: {ManageKeys, ManageWebhooks},
	Finance:   {SeeInvoices},
	Viewer:    {},
}

// May reports whether the role has a right. One that is not known has none.
func (r Role) May(right Right) bool {
	return r == Owner || slices.Contains(rights[r], right)
}

// Team is who may sign in for the account. While no owner is stored it is whoever reads what
// is sent to the account's address, unless the address is a member's in another role.
func (a Account) Team() []Member {
	own := Member{ID: MemberID(a.ID, a.Email), Email: a.Email, Role: Owner, AddedAt: a.CreatedAt}
	if a.Email == "" || slices.ContainsFunc(a.Members, func(m Member) bool { return m.Role == Owner || m.ID == own.ID }) {
		return a.Members
	}
	return append([]Member{own}, a.Members...)
}

// MemberID names a member: the same for the same address, in whatever case it is written.
func MemberID(account, email string) string {
	return contract.DeriveID("member", account, contract.PersonRef(email))
}

// Member is the member of an id.
func (a Account) Member(id string) (m Member, ok bool) {
	for _, m := range a.Team() {
		if m.ID == id {
			return m, true
		}
	}
	return m, false
}

// MembershipDocumentKind is the projection's kind of document by which the accounts of an
// address are found, under the key MembershipKey with its [contract.PersonRef]. It stays
// when the member goes: the account says who is one.
const (
	MembershipDocumentKind = "membership"
	MembershipKey          = "person"
)

// Membership says in which account to look for a member.
type Membership struct {
	Account string `json:"account"`
	Member  string `json:"member"`
}

// Session is what the member's sessions are named by, and Bound what they end with: one that
// was removed and added again starts anew.
func (a Account) Session(m Member) (name, bound string) {
	return a.ID + "/" + m.ID, m.ID + " " + strconv.FormatInt(m.AddedAt.UnixNano(), 10)
}

// ReadSession gives the account and the member that sessions of a name are of.
func ReadSession(name string) (account, member string) {
	account, member, _ = strings.Cut(name, "/")
	return account, member
}
