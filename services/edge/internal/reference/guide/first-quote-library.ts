import { BoardOrder } from "boardorder";

// The address of the service, and a key: a test key (bo_test_…) costs nothing.
const client = new BoardOrder(process.env.BASE!, process.env.KEY!);

// A zip of Gerbers, a KiCad, EAGLE, Altium or EasyEDA file, or the folder of a project.
const upload = await client.uploads.create(process.argv[2] ?? "board.zip");

const quote = await client.quotes.create(
  { upload_id: upload.upload_id, quantity: 10, standard_for_unstated: true, ship_to: { country: "DE", postal_code: "10115", city: "Berlin" } },
  { onProgress: (pending) => console.error(pending.progress) },
);

// Send the customer to the checkout.
console.log(quote.total ?? "priced by the team, once the customer asks:", quote.checkout_url);
