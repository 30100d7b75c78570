// Package address judges what people write as their address and tax number: the
// form of postal codes and streets, and the form and check digits of tax
// numbers, country by country. It says whether a number can exist, not whether
// it was given to anybody; it knows no rates and no carriers.
package address
