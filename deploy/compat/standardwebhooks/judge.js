// Verifies deliveries as a receiver does: reads trials as JSON, writes what came of each. Signatures by
// ed25519 (v1a) the library does not know: with a public key Node's own cryptography judges them.
const crypto = require("crypto");
const { Webhook } = require("standardwebhooks");

const publicKey = (text) =>
  crypto.createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(text, "base64").toString("base64url") }, format: "jwk" });

function verify({ secret, headers, body }) {
  if (!secret.startsWith("whpk_")) {
    new Webhook(secret).verify(body, headers);
    return "verified";
  }
  const key = publicKey(secret.slice("whpk_".length));
  const text = Buffer.from(`${headers["Webhook-Id"]}.${headers["Webhook-Timestamp"]}.${body}`);
  const signed = headers["Webhook-Signature"].split(" ").some((one) => {
    const [version, code] = one.split(",");
    return version === "v1a" && crypto.verify(null, text, key, Buffer.from(code, "base64"));
  });
  return signed ? "verified" : "No matching signature found";
}

const now = Date.now;
const trials = JSON.parse(require("fs").readFileSync(0, "utf8"));
const verdicts = trials.map((trial) => {
  Date.now = () => now() + 1000 * trial.late_s;
  try {
    return verify(trial);
  } catch (e) {
    return e.message;
  }
});
console.log(JSON.stringify(verdicts));
