import assert from "node:assert/strict";
import { test } from "node:test";
import { currencyDigits, formatMoney, parseMoney } from "../src/index.js";
import { readVectors } from "./vectors.js";

interface Vectors {
  format: { minor: string; currency: string; text: string }[];
  parse: { text: string; minor?: string; currency?: string; error?: boolean }[];
  digits: Record<string, string[]>;
}

const vectors = readVectors<Vectors>("money");

test("amounts as they are written", () => {
  for (const { minor, currency, text } of vectors.format) assert.equal(formatMoney(BigInt(minor), currency), text);
  assert.equal(formatMoney(4210), "$42.10");
  for (const broken of [0.5, NaN, 2 ** 53]) assert.throws(() => formatMoney(broken), RangeError, String(broken));
});

test("amounts as they are typed", () => {
  for (const c of vectors.parse) {
    if (c.error) assert.throws(() => parseMoney(c.text), RangeError, c.text);
    else assert.deepEqual(parseMoney(c.text), { minor: BigInt(c.minor!), currency: c.currency }, c.text);
  }
});

test("digits", () => {
  for (const [digits, currencies] of Object.entries(vectors.digits)) for (const currency of currencies) assert.equal(currencyDigits(currency), Number(digits), currency);
  for (const currency of ["USD", "EUR", "CNY"]) assert.equal(currencyDigits(currency), 2, currency);
});
