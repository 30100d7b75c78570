// What several quantities cost in two countries, and a quote of the best cell.
import { BoardOrder, formatMoney } from "boardorder";

const client = new BoardOrder(process.env.BASE!, process.env.KEY!);
const upload = await client.uploads.create(process.argv[2] ?? "board.zip");

const board = { upload_id: upload.upload_id, standard_for_unstated: true };
const table = await client.priceTables.create({ ...board, quantities: [5, 10, 50, 100], ship_to: [{ country: "US", state: "CA", postal_code: "94107" }, { country: "DE" }] });

console.log(table.board);
for (const cell of table.cells) {
  const price = cell.total_cents === null ? (cell.why ?? cell.status) : `${formatMoney(cell.total_cents, table.currency)}, ${formatMoney(cell.per_board_cents ?? 0, table.currency)} each`;
  console.log(`${table.destinations[cell.destination]?.country}  ${String(cell.quantity).padStart(4)}  ${(cell.build ?? "").padEnd(16)} ${price}`);
}

// Amounts are whole cents, so they can be compared and added.
const [best] = table.cells.filter((cell) => cell.total_cents !== null && cell.quote_request).sort((a, b) => a.per_board_cents! - b.per_board_cents!);
if (best?.quote_request) {
  const quote = await client.quotes.create({ ...board, ...best.quote_request });
  console.log(`${quote.quantity} boards: ${quote.total} ${quote.checkout_url}`);
}
