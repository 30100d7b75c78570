const digitsOf: Record<string, number> = {};
for (const code of ["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"]) digitsOf[code] = 0;
for (const code of ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]) digitsOf[code] = 3;

const largest = 2n ** 63n - 1n;

/** An amount in the smallest unit of its currency: cents of a dollar, yen. */
export interface Money {
  minor: bigint;
  /** ISO 4217. */
  currency: string;
}

/** How many digits a currency has after the point. */
export const currencyDigits = (currency: string): number => digitsOf[currency] ?? 2;

/**
 * An amount for people, as the service writes it: `formatMoney(4210, "USD")` is `$42.10`.
 * @param minor whole cents, such as `total_cents`, or whole units of a currency without cents
 */
export function formatMoney(minor: number | bigint, currency = "USD"): string {
  if (typeof minor === "number" && !Number.isSafeInteger(minor)) throw new RangeError("An amount is a whole number of the smallest unit.");
  const amount = BigInt(minor), places = currencyDigits(currency);
  const digits = (amount < 0n ? -amount : amount).toString().padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places).replace(/\B(?=(\d{3})+$)/g, ",");
  return (amount < 0n ? "-" : "") + (currency === "USD" ? "$" : currency + " ") + whole + (places ? "." + digits.slice(-places) : "");
}

const typed = /^(?:\$(?<dollars>[\d.,]+)|(?<before>[A-Za-z]{3}) ?(?<after>[\d.,]+)|(?<amount>[\d.,]+) ?(?<code>[A-Za-z]{3}))$/;
const written = /^(?<whole>\d{1,3}(?:,\d{3})+|\d+)(?:\.(?<part>\d+))?$/;

/** What people type for an amount: `80EUR`, `EUR 80.50`, `$1,234.56`. Throws a RangeError for anything else. */
export function parseMoney(text: string): Money {
  const parts = typed.exec(text.trim())?.groups;
  const currency = (parts?.before ?? parts?.code ?? "USD").toUpperCase(), places = currencyDigits(currency);
  const number = written.exec(parts?.dollars ?? parts?.after ?? parts?.amount ?? "")?.groups;
  const part = number?.part ?? "";
  const minor = number && part.length <= places ? BigInt(number.whole!.replaceAll(",", "") + part.padEnd(places, "0")) : -1n;
  if (minor < 0n || minor > largest) throw new RangeError("No amount of money: write it like 80EUR or $80.50.");
  return { minor, currency };
}
