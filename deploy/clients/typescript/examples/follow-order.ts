// Follows a quote from its payment to its parcel by the feed. Ended and started again it goes on where it was.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { BoardOrder, CursorExpiredError, formatMoney } from "boardorder";

const client = new BoardOrder(process.env.BASE!, process.env.KEY!);
const quoteId = process.argv[2]!, file = process.argv[3] ?? "cursor.txt";

async function show(): Promise<string> {
  const now = await client.quotes.get(quoteId);
  console.log(now.status, now.order_ref ?? "", now.paid_cents ? formatMoney(now.paid_cents, now.currency ?? "USD") : "", now.tracking ? `${now.tracking.carrier} ${now.tracking.number}` : "");
  return now.status;
}

let after = existsSync(file) ? readFileSync(file, "utf8") : undefined;
for (let status = ""; status !== "shipped"; ) {
  const feed = client.events.follow({ after, onFailure: (error) => console.error("asking again:", error.message) });
  try {
    for await (const event of feed) {
      if (event.data.quote_id === quoteId) status = await show();
      if (feed.cursor) writeFileSync(file, feed.cursor); // all before it is done with
      if (status === "shipped") break;
    }
  } catch (error) {
    if (!(error instanceof CursorExpiredError)) throw error;
    status = await show(); // events were lost meanwhile: read what you follow, and go on
    after = error.oldestCursor;
  }
}
