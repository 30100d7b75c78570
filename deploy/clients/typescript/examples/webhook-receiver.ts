// Receives events. A framework must hand over the raw bytes: express.raw({ type: "application/json" }), await request.arrayBuffer() in Next.
import { createServer } from "node:http";
import { verifyWebhook, WebhookError } from "boardorder";

const secrets = process.env.WEBHOOK_SECRET!.split(","); // during a rotation both
const seen = new Set<string>(); // in production a table: events may come twice, and after a restart

const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += (part as Buffer).length;
    if (size > 65_536) return void response.writeHead(413).end();
    parts.push(part as Buffer);
  }
  try {
    const event = verifyWebhook(Buffer.concat(parts), request.headers, secrets);
    if (!seen.has(event.id)) {
      seen.add(event.id);
      console.log(event.type, event.data.status ?? "", event.data.url ?? ""); // later: read the object at its address, then act
    }
    response.writeHead(204).end();
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    console.error(error.message);
    response.writeHead(400).end();
  }
});

server.listen(Number(process.env.PORT ?? 9000), "127.0.0.1", () => console.error("listening on", server.address()));
