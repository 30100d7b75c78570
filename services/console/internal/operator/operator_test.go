package operator

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCan(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		roles []Role
		yes   []Permission
		no    []Permission
	}{
		{[]Role{Viewer}, nil, []Permission{SetPrices, MoveOrders, SeeDesigns, SeeCustomers, SeeBodies, SeeControlled, ManageAccounts, ManageDead}},
		{[]Role{Sales}, []Permission{SetPrices, SeeDesigns}, []Permission{MoveOrders, ManageAccounts, SeeControlled}},
		{[]Role{Finance, USPerson}, []Permission{MoveOrders, SeeCustomers, SeeControlled}, []Permission{SetPrices, SeeDesigns}},
		{[]Role{Admin}, []Permission{SetPrices, MoveOrders, ManageDead, ManageAccounts}, []Permission{SeeControlled}},
	} {
		o := Operator{Roles: tt.roles}
		for _, p := range tt.yes {
			if !o.Can(p) {
				t.Errorf("%v cannot %s", tt.roles, p)
			}
		}
		for _, p := range tt.no {
			if o.Can(p) {
				t.Errorf("%v can %s", tt.roles, p)
			}
		}
	}
}

func TestPassword(t *testing.T) {
	t.Parallel()
	h, err := HashPassword("correct horse battery")
	if err != nil || !strings.HasPrefix(h, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatalf("HashPassword = %q, %v", h, err)
	}
	if !matches(h, "correct horse battery") || matches(h, "correct horse batterz") || matches("", "") {
		t.Error("matches is wrong")
	}
	if _, err := HashPassword("short"); err == nil {
		t.Error("a short password was taken")
	}
	for _, bad := range []string{
		"", "$2a$10$xx", "$argon2id$v=19$m=19456,t=2,p=1$AAAA$AAAA", strings.Replace(h, "m=19456", "m=99999999", 1),
		strings.Replace(h, "t=2", "t=0", 1), strings.Replace(h, "p=1", "p=0", 1), strings.Replace(h, "v=19", "v=18", 1),
	} {
		if _, err := parse(bad); err == nil {
			t.Errorf("parse(%q) took it", bad)
		}
	}
}

func TestBookFollowsItsFile(t *testing.T) {
	t.Parallel()
	hash, err := HashPassword("correct horse battery")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "operators.yaml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("operators:\n- name: ann\n  roles: [pricing, us_person] # as sales were called\n  password_hash: " + hash + "\n")
	b, err := Open(path, Operator{Name: "owner", Roles: []Role{Admin}})
	if err != nil {
		t.Fatal(err)
	}
	if o, ok := b.Check("ann", "correct horse battery"); !ok || !o.Can(SetPrices) {
		t.Errorf("Check(ann) = %+v, %v; want one that may set prices, true", o, ok)
	}
	for _, wrong := range [][2]string{{"ann", "wrong"}, {"bob", "correct horse battery"}, {"owner", ""}, {"", ""}} {
		if _, ok := b.Check(wrong[0], wrong[1]); ok {
			t.Errorf("Check(%q) took it", wrong)
		}
	}
	if got := b.Names(); len(got) != 2 || got[0] != "ann" || got[1] != "owner" {
		t.Errorf("Names = %v, want ann, owner", got)
	}
	write(`{"operators": []}`)
	if _, ok := b.Find("ann"); ok {
		t.Error("a removed operator is still known")
	}
	if _, ok := b.Find("owner"); !ok {
		t.Error("the extra operator is gone")
	}
}

func TestParseSaysAllThatIsWrong(t *testing.T) {
	t.Parallel()
	_, err := Parse([]byte(`{"operators": [{"name": "Ann", "roles": ["pricing"]}, {"name": "bob", "roles": ["king"]}, {"name": "bob"}]}`))
	for _, want := range []string{`"Ann"`, `"king"`, "bob has no role", "bob is there twice"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error does not say %s: %v", want, err)
		}
	}
	if _, err := Parse([]byte("operators:\n- nam: x")); err == nil {
		t.Error("an unknown field was taken")
	}
}
