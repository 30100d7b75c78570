"""Receives events. A framework must hand over the raw bytes: request.get_data() in Flask, await request.body() in FastAPI, request.body in Django."""

import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from boardorder import WebhookError, verify_webhook

secrets = os.environ["WEBHOOK_SECRET"].split(",")  # during a rotation both
seen: set[str] = set()  # in production a table: events may come twice, and after a restart


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        status = 413
        if size <= 65_536:
            try:
                event = verify_webhook(self.rfile.read(size), self.headers, secrets)
                status = 204
                if event["id"] not in seen:
                    seen.add(event["id"])
                    print(event["type"], event["data"].get("status", ""), event["data"].get("url", ""), flush=True)  # later: read the object at its address, then act
            except WebhookError as error:
                print(error, file=sys.stderr)
                status = 400
        self.send_response(status)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None: ...


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9000"))), Receiver)
print("listening on", server.server_address, file=sys.stderr, flush=True)
server.serve_forever()
