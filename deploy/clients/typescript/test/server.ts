import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** What a scripted service replies; nothing at all with `disconnect`. */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  text?: string;
  cut_after_bytes?: number;
  disconnect?: boolean;
}

export interface Received {
  method: string;
  url: URL;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

/** A service that gives replies in turn, and then none: `done` is called, and the connection stays open until the service is closed. */
export async function serveScript(replies: Reply[], done: () => void = () => undefined): Promise<{ url: string; requests: Received[]; close: () => void }> {
  const requests: Received[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const reply = replies[requests.length];
    if (!reply) return done();
    requests.push({ method: request.method!, url: new URL(request.url!, "http://x"), headers: request.headers, body: Buffer.concat(parts) });
    if (reply.disconnect) return request.socket.destroy();
    const text = Buffer.from(reply.text ?? (typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body ?? {})));
    response.writeHead(reply.status ?? 200, { "Content-Type": "application/json", ...reply.headers, "Content-Length": text.length });
    if (reply.cut_after_bytes === undefined) return response.end(text);
    response.write(text.subarray(0, reply.cut_after_bytes), () => request.socket.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, close: () => { server.closeAllConnections(); server.close(); } };
}
