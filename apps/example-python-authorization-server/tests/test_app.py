import os
import unittest
from base64 import b64encode
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from authorization_server.app import create_app
from authorization_server.registry import Verdict

from .fake_registry import REDIRECT_URI, SECRET, FakeRegistry

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
PARAMETERS = {
    "client_id": "shop",
    "response_type": "code",
    "redirect_uri": REDIRECT_URI,
    "scope": "openid profile email",
    "state": "xyz",
    "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    "code_challenge_method": "S256",
}


def basic(client_id: str, secret: str) -> dict:
    """Form-urlencoded, as RFC 6749 section 2.3.1 demands, down to the last character."""
    encoded = ":".join("".join(f"%{byte:02X}" for byte in part.encode()) for part in (client_id, secret))
    return {"Authorization": f"Basic {b64encode(encoded.encode()).decode()}"}


class AppTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        # Once, since it generates a key.
        cls.registry = FakeRegistry()
        cls.app = create_app("http://localhost", cls.registry, "https://registry.example/register")
        cls.app.logger.disabled = True

    def setUp(self) -> None:
        self.registry.reset()
        self.http = self.app.test_client()

    def authorize(self, **parameters: str):
        return self.http.get(f"/authorize?{urlencode({**PARAMETERS, **parameters})}")

    def sign_in(self) -> str:
        response = self.http.post(f"/authorize?{urlencode(PARAMETERS)}", data={"name": "Ada"})
        query = parse_qs(urlsplit(response.location).query)
        self.assertEqual(query["state"], ["xyz"])
        return query["code"][0]

    def redeem(self, code: str, headers: dict, **form: str):
        form = {"redirect_uri": REDIRECT_URI, "code_verifier": VERIFIER, **form}
        data = {"grant_type": "authorization_code", "code": code, **form}
        return self.http.post("/token", data=data, headers=headers)

    def test_signs_in_and_returns_claims_of_the_granted_scope(self) -> None:
        page = self.authorize()
        self.assertIn("A &lt;b&gt;bold&lt;/b&gt; shop asks who you are", page.text)
        token = self.redeem(self.sign_in(), basic("shop", SECRET)).json
        self.assertEqual((token["scope"], token["expires_in"]), ("openid profile", 600))
        headers = {"Authorization": f"Bearer {token['access_token']}"}
        for ask in (self.http.get, self.http.post):
            self.assertEqual(ask("/userinfo", headers=headers).json, {"sub": "Ada", "name": "Ada"})
        self.registry.is_enabled = False
        self.assertEqual(self.http.get("/userinfo", headers=headers).status_code, 401)

    def test_prompt_none_returns_an_error_to_the_client_instead_of_a_page(self) -> None:
        for prompt, error in (("none", "login_required"), ("none login", "invalid_request")):
            response = self.authorize(prompt=prompt)
            self.assertEqual(response.status_code, 302)
            self.assertTrue(response.location.startswith(f"{REDIRECT_URI}?"))
            query = parse_qs(urlsplit(response.location).query)
            self.assertEqual((query["error"], query["state"]), ([error], ["xyz"]))

    def test_a_code_is_valid_once_and_with_its_verifier(self) -> None:
        code = self.sign_in()
        self.assertEqual(self.redeem(code, basic("shop", SECRET)).status_code, 200)
        self.assertEqual(self.redeem(code, basic("shop", SECRET)).json["error"], "invalid_grant")
        other = self.redeem(self.sign_in(), basic("shop", SECRET), code_verifier="x" * 43)
        self.assertEqual(other.json["error"], "invalid_grant")

    def test_the_registry_gets_repeated_parameters_as_a_list(self) -> None:
        self.http.get(f"/authorize?{urlencode(PARAMETERS)}&state=other")
        self.assertEqual(self.registry.checked["state"], ["xyz", "other"])
        self.assertEqual(self.registry.checked["scope"], "openid profile email")

    def test_characters_that_need_no_encoding_reach_the_client_as_they_were_sent(self) -> None:
        for state in ("a$b'c", '"<>|', "ž", "%zz"):
            query = urlencode(PARAMETERS).replace("xyz", state)
            response = self.http.post(f"/authorize?{query}", data={"name": "Ada"})
            self.assertEqual(self.registry.checked["state"], state)
            self.assertEqual(parse_qs(urlsplit(response.location).query)["state"], [state])

    def test_a_repeated_parameter_of_a_token_request_is_refused_unless_it_is_resource(self) -> None:
        code = self.sign_in()
        twice = [REDIRECT_URI, "https://evil.example/"]
        response = self.redeem(code, basic("shop", SECRET), redirect_uri=twice)
        self.assertEqual((response.status_code, response.json["error"]), (400, "invalid_request"))
        resources = ["https://api.example/", "https://files.example/"]
        response = self.redeem(code, basic("shop", SECRET), resource=resources)
        self.assertEqual(response.status_code, 200)

    def test_parameters_in_the_form_cannot_bypass_the_check(self) -> None:
        data = {"name": "Ada", "code_challenge": "none"}
        response = self.http.post(f"/authorize?{urlencode(PARAMETERS)}", data=data)
        self.assertEqual((response.status_code, response.location), (400, None))

    def test_errors_go_where_the_registry_says(self) -> None:
        error = {"error": "invalid_request", "error_description": "a reason"}
        self.registry.verdict = Verdict(False, (error,), REDIRECT_URI)
        query = parse_qs(urlsplit(self.authorize().location).query)
        self.assertEqual(
            query, {"error": ["invalid_request"], "error_description": ["a reason"], "state": ["xyz"]}
        )
        self.registry.verdict = Verdict(False, ({**error, "must_not_redirect": True},))
        page = self.authorize()
        self.assertEqual((page.status_code, page.location), (400, None))
        self.assertIn("invalid_request: a reason", page.text)
        self.registry.verdict = None
        self.assertIn("this application is not registered", self.authorize().text)

    def test_only_the_registered_method_authenticates_a_client(self) -> None:
        secret_in_form = {"client_id": "shop", "client_secret": SECRET}
        for headers, form in (
            ({}, {}),
            ({}, {"client_id": "shop"}),
            ({}, secret_in_form),
            (basic("shop", "wrong"), {}),
            (basic("unknown", SECRET), {}),
            ({"Authorization": "Basic /w=="}, {}),
        ):
            response = self.redeem(self.sign_in(), headers, **form)
            self.assertEqual((response.status_code, response.json["error"]), (401, "invalid_client"))

    def test_the_registry_learns_of_the_secrets_sent_for_a_disabled_client(self) -> None:
        code = self.sign_in()
        self.registry.is_enabled = False
        response = self.redeem(code, basic("shop", SECRET))
        self.assertEqual((response.status_code, response.json["error"]), (401, "invalid_client"))
        self.assertEqual(self.registry.secrets_checked, ["shop"])

    def test_nothing_is_permitted_without_the_registry(self) -> None:
        code = self.sign_in()
        self.registry.is_available = False
        page = self.authorize()
        self.assertEqual((page.status_code, page.headers["Retry-After"], page.location), (503, "2", None))
        self.assertIn("temporarily_unavailable", page.text)
        answer = self.redeem(code, basic("shop", SECRET))
        self.assertEqual((answer.status_code, answer.json["error"]), (503, "temporarily_unavailable"))

    def test_odd_queries_are_refused(self) -> None:
        for query in (
            "",
            "client_id=%00",
            f"client_id=shop&state={quote('ž|<>')}&|=|",
            "client_id=a&client_id=b",
        ):
            self.registry.verdict = None
            self.assertEqual(self.http.get(f"/authorize?{query}").status_code, 400)
