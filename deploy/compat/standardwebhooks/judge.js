// Verifies deliveries as a receiver does: reads trials as JSON, writes what came of each.
const { Webhook } = require("standardwebhooks");

const now = Date.now;
const trials = JSON.parse(require("fs").readFileSync(0, "utf8"));
const verdicts = trials.map(({ secret, headers, body, late_s }) => {
  Date.now = () => now() + 1000 * late_s;
  try {
    new Webhook(secret).verify(body, headers);
    return "verified";
  } catch (e) {
    return e.message;
  }
});
console.log(JSON.stringify(verdicts));
