import json
import unittest
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from authorization_server.registry import HttpRegistry, RegistryUnavailableError


class Answers(BaseHTTPRequestHandler):
    """Answers with the status in the secret, or as the client_id says."""

    protocol_version = "HTTP/1.1"
    asked: list = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Answers.asked.append((self.path, body, self.headers["Authorization"]))
        self.answer(int(body["client_secret"]), {"valid": True})

    def do_GET(self) -> None:
        Answers.asked.append((self.path, None, self.headers["Authorization"]))
        self.answer(200, {"client_id": "x", "enabled": self.path != "/client/off"})

    def answer(self, status: int, body: object) -> None:
        text = b"<html>" if self.path == "/client/page" else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        pass


class HttpRegistryTest(unittest.TestCase):
    def setUp(self) -> None:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        self.server.daemon_threads = True
        serve = partial(self.server.serve_forever, poll_interval=0.01)
        Thread(target=serve, daemon=True).start()
        Answers.asked.clear()
        self.registry = HttpRegistry(f"http://127.0.0.1:{self.server.server_port}", "t0ken")

    def tearDown(self) -> None:
        self.registry.close()
        self.server.shutdown()
        self.server.server_close()

    def test_a_client_id_cannot_change_the_path(self) -> None:
        self.registry.find_client("a/../b?c#d ž")
        self.assertEqual([path for path, *_ in Answers.asked], ["/client/a%2F..%2Fb%3Fc%23d%20%C5%BE"])
        for client_id in ("", ".", ".."):
            self.assertIsNone(self.registry.find_client(client_id))
        self.assertEqual(len(Answers.asked), 1)

    def test_a_disabled_client_does_not_exist(self) -> None:
        self.assertIsNone(self.registry.find_client("off"))
        self.assertIsNotNone(self.registry.find_client("on"))

    def test_a_check_that_is_refused_is_not_valid(self) -> None:
        self.assertEqual(
            [self.registry.check_secret("x", s) for s in ("200", "400", "404")], [True, False, False]
        )
        self.assertEqual(
            Answers.asked[0], ("/client/x/check/secret", {"client_secret": "200"}, "Bearer t0ken")
        )

    def test_other_responses_decide_nothing(self) -> None:
        for status in ("302", "401", "403", "429", "500", "503"):
            with self.assertRaisesRegex(
                RegistryUnavailableError, f"^POST /client/{{client_id}}/check/secret: status {status}"
            ):
                self.registry.check_secret("x", status)

    def test_a_page_of_something_else_decides_nothing(self) -> None:
        with self.assertRaisesRegex(RegistryUnavailableError, "not JSON"):
            self.registry.find_client("page")

    def test_no_registry_decides_nothing(self) -> None:
        with self.assertRaises(RegistryUnavailableError) as raised:
            HttpRegistry("http://127.0.0.1:1", "t0ken").find_client("x")
        self.assertNotIn("t0ken", str(raised.exception))
