package money

import (
	"fmt"
	"strconv"
	"strings"
)

// A Rate is a share in millionths: 25 % is 250000. Tax rates have at most four
// decimals in percent, so each of them is exact.
type Rate int64

const whole = 1_000_000

// ParsePercent reads "25", "9.975" or "0". It refuses signs, more than four
// decimals and anything over 1000 %.
func ParsePercent(s string) (Rate, error) {
	integer, fraction, _ := strings.Cut(s, ".")
	n, err := strconv.ParseUint(integer, 10, 16)
	if err != nil || n > 1000 || len(fraction) > 4 || strings.HasSuffix(s, ".") {
		return 0, fmt.Errorf("%q is not a percentage", s)
	}
	f, err := strconv.ParseUint(fraction+strings.Repeat("0", 4-len(fraction)), 10, 16)
	if err != nil {
		return 0, fmt.Errorf("%q is not a percentage", s)
	}
	return Rate(n)*10_000 + Rate(f), nil
}

// ShareOf is the share of an amount, rounded half to even.
func (r Rate) ShareOf(cents int64) int64 {
	share := divide(magnitude(cents), magnitude(int64(r)), whole)
	if (cents < 0) != (r < 0) {
		return -share
	}
	return share
}

// String writes the rate as a percentage without needless zeros: "9.975 %".
func (r Rate) String() string {
	s := fmt.Sprintf("%d.%04d", int64(r)/10_000, magnitude(int64(r))%10_000)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".") + " %"
}
