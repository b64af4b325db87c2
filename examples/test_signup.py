"""Tests of an application that sends email, against the emulator of email-platform."""

import hashlib
import hmac
import json
import subprocess
import threading
import unittest
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

COMMAND = ["node_modules/.bin/email-platform", "emulator", "--port", "0", "--seed", "empty"]
COMMAND += ["--control", "--until-stdin-closes"]


def call(method, url, token, body=None):
    """Sends JSON and returns JSON. Raises HTTPError for an error response."""
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=70) as response:
        text = response.read()
    return json.loads(text) if text else None


def sign_up(settings, address):
    """The application under test: it sends an email with a link."""
    return call("POST", settings["SEND_URL"] + "/api/send", settings["TOKEN"], {
        "from": {"email": "hello@mail.example.com"},
        "to": [{"email": address}],
        "subject": "Confirm your address",
        "html": '<a href="https://shop.example.com/confirm?code=7&amp;lang=en">Confirm</a><p>Your code: 123456'
    })


def setUpModule():
    global process, settings
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    settings = {}
    for line in process.stdout:
        name, found, value = line.strip().partition("=")
        if found and name.startswith("EMAIL_PLATFORM_"):
            settings[name.removeprefix("EMAIL_PLATFORM_")] = value
        elif line.startswith("# curl"):
            return
    raise RuntimeError("The emulator did not start")


def tearDownModule():
    process.communicate()  # closes its input, which ends it


def control(method, path, body=None):
    """Calls the control API."""
    return call(method, settings["CONTROL_URL"] + path, settings["CONTROL_TOKEN"], body)


def api(method, path, body=None):
    """Calls the API of the service."""
    return call(method, settings["API_URL"] + path, settings["TOKEN"], body)


class SignUp(unittest.TestCase):
    def setUp(self):
        control("POST", "/reset")

    def test_the_email_has_a_link(self):
        # The request below waits: the application may send the email later, from a queue.
        threading.Timer(0.1, sign_up, [settings, "ann@example.org"]).start()
        query = urllib.parse.urlencode({"to": "ann@example.org", "wait_ms": 10_000})
        [mail] = control("GET", "/messages?" + query)["messages"]
        self.assertEqual(mail["subject"], "Confirm your address")
        [url] = [link["url"] for link in mail["links"] if link["text"] == "Confirm"]
        self.assertEqual(url, "https://shop.example.com/confirm?code=7&lang=en")
        self.assertEqual([code["value"] for code in mail["codes"]], ["123456"])

    def test_an_email_that_bounces(self):
        # The address determines what happens: bounce@, spam@, unsubscribe@ and more.
        sign_up(settings, "bounce@example.org")
        control("POST", "/clock/advance", {"ms": 60_000})
        [message] = api("GET", "/api/email_logs")["messages"]
        self.assertEqual((message["to"], message["status"]), ("bounce@example.org", "not_delivered"))

    def test_too_many_requests(self):
        control("POST", "/faults", {"kind": "status", "status": 429, "body": {"error": "Throttled"}})
        with self.assertRaises(urllib.error.HTTPError) as refused:
            sign_up(settings, "ann@example.org")
        refused.exception.close()
        self.assertEqual(refused.exception.code, 429)
        self.assertEqual(control("GET", "/messages")["messages"], [])
        sign_up(settings, "ann@example.org")  # the fault was for one request

    def test_a_lost_response(self):
        control("POST", "/faults", {"kind": "reset-after", "match": {"method": "POST", "path": "/api/send"}})
        with self.assertRaises(OSError):
            sign_up(settings, "ann@example.org")
        [mail] = control("GET", "/messages")["messages"]
        self.assertEqual(mail["to"], "ann@example.org")
        [request] = control("GET", "/requests?path=/api/send")["requests"]
        self.assertEqual((request["method"], request["status"]), ("POST", None))

    def test_tomorrow(self):
        now = control("POST", "/clock/pause")["now"]
        campaign = control("POST", "/campaigns", {"name": "Weekly digest"})["id"]
        path = f"/api/email_campaigns/{campaign}"
        api("POST", path + "/schedule", {"datetime": now_plus_a_day(now)})
        self.assertEqual(api("GET", path)["data"]["current_state"], "scheduled")
        control("POST", "/clock/advance", {"ms": 24 * 3_600_000})
        self.assertEqual(api("GET", path)["data"]["current_state"], "started")

    def test_a_webhook(self):
        received = []
        receiver = HTTPServer(("127.0.0.1", 0), receiver_of(received))
        threading.Thread(target=receiver.serve_forever, daemon=True).start()
        self.addCleanup(receiver.server_close)
        self.addCleanup(receiver.shutdown)
        webhook = api("POST", "/api/webhooks", {"webhook": {
            "url": f"http://127.0.0.1:{receiver.server_port}/",
            "webhook_type": "email_sending",
            "sending_stream": "transactional",
            "event_types": ["bounce"],
        }})["data"]

        sign_up(settings, "bounce@example.org")
        control("POST", "/clock/advance", {"ms": 1_000})
        control("POST", "/webhooks/flush")  # returns after the receiver's response

        [(headers, body)] = received
        [event] = json.loads(body)["events"]
        self.assertEqual((event["event"], event["email"]), ("bounce", "bounce@example.org"))
        signed = hmac.new(webhook["signing_secret"].encode(), body, hashlib.sha256).hexdigest()
        # Set the service's own name with `emulator --signature-header`.
        name = control("GET", "/webhooks/signature-header")["name"]
        self.assertEqual(headers[name], signed)

    def test_a_typo_is_an_error(self):
        with self.assertRaises(urllib.error.HTTPError) as refused:
            control("POST", "/faults", {"kind": "status", "stats": 429})
        with refused.exception as response:
            self.assertIn("`body.stats` is unknown; the known names are kind", json.load(response)["error"])


def now_plus_a_day(now_ms):
    from datetime import datetime, timedelta, timezone

    return (datetime.fromtimestamp(now_ms / 1000, timezone.utc) + timedelta(days=1)).isoformat()


def receiver_of(received):
    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            received.append((self.headers, body))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *args):
            pass

    return Receiver


if __name__ == "__main__":
    unittest.main()
