# An app on a server, with a secret, which reads the document of the authorization server.
import os
import sys
from urllib.parse import parse_qs, urlsplit

import requests
from authlib.common.security import generate_token
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata

BASE_URL = os.environ["BASE_URL"]
found = requests.get(f"{BASE_URL}/.well-known/oauth-authorization-server")
server = AuthorizationServerMetadata(found.json())
if BASE_URL.startswith("https"):
    server.validate()
assert server.issuer == BASE_URL

session = OAuth2Session(
    os.environ["CLIENT_ID"],
    os.environ["CLIENT_SECRET"],
    scope="patients:read",
    redirect_uri=os.environ["REDIRECT"],
    code_challenge_method="S256",
    token_endpoint=server.token_endpoint,
)
verifier = generate_token(48)
address, state = session.create_authorization_url(
    server.authorization_endpoint, code_verifier=verifier, resource=BASE_URL
)
print("OPEN", address, flush=True)
back = sys.stdin.readline().strip()
assert parse_qs(urlsplit(back).query)["iss"] == [server.issuer]
first = session.fetch_token(authorization_response=back, state=state, code_verifier=verifier)
read = lambda: session.get(f"{BASE_URL}/v1/patients", params={"limit": 3})
assert len(read().json()["data"]) == 3
# As an hour later: the session renews by itself.
session.token = {**first, "expires_at": 1}
assert read().status_code == 200
assert session.token["refresh_token"] != first["refresh_token"]
print("READ", flush=True)
sys.stdin.readline()
assert read().status_code == 401
try:
    session.refresh_token(server.token_endpoint)
except OAuthError as error:
    assert error.error == "invalid_grant", error
    print("REFUSED", flush=True)
