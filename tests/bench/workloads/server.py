# SPDX-License-Identifier: GPL-2.0
"""A web server that runs a short pipeline of programs for each request, and its clients."""

import http.client
import http.server
import subprocess
import threading

CLIENTS = 4
REQUESTS = 250
COMMAND = "date; ls -l /usr/bin | sort -rn | tail -n 3"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = subprocess.run(["sh", "-c", COMMAND], check=True, capture_output=True).stdout
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def ask(address):
    for _ in range(REQUESTS):
        client = http.client.HTTPConnection(*address)
        client.request("GET", "/")
        client.getresponse().read()
        client.close()


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    clients = [threading.Thread(target=ask, args=[server.server_address])
               for _ in range(CLIENTS)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()


if __name__ == "__main__":
    main()
