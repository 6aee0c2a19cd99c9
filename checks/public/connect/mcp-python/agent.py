# An agent that knows the bare address of the MCP server and nothing else.
import asyncio
import os
import sys
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

MCP = f"{os.environ['BASE_URL']}/mcp"


class Storage:
    """What a program keeps."""

    def __init__(self):
        self.tokens = None
        self.client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


class Asked(Exception):
    """The person is asked again."""


opened = 0


async def open_page(address):
    global opened
    opened += 1
    if opened > 1:
        raise Asked
    print("OPEN", address, flush=True)


async def came_back():
    line = await asyncio.to_thread(sys.stdin.readline)
    query = parse_qs(urlsplit(line.strip()).query)
    one = lambda name: query.get(name, [None])[0]
    return AuthorizationCodeResult(code=one("code"), state=one("state"), iss=one("iss"))


async def read(provider):
    async with httpx2.AsyncClient(auth=provider) as http:
        async with Client(streamable_http_client(MCP, http_client=http)) as client:
            return await client.call_tool("patients_list", {"limit": 3})


async def main():
    storage = Storage()
    provider = OAuthClientProvider(
        server_url=MCP,
        client_metadata=OAuthClientMetadata(
            client_name="Agent in Python",
            redirect_uris=[os.environ["REDIRECT"]],
            token_endpoint_auth_method="none",
        ),
        storage=storage,
        redirect_handler=open_page,
        callback_handler=came_back,
    )
    result = await read(provider)
    assert not result.is_error and len(result.structured_content["data"]) == 3, result
    # As an hour later.
    before = storage.tokens.access_token
    provider.context.token_expiry_time = 1
    await read(provider)
    assert storage.tokens.access_token != before and opened == 1
    print("READ", flush=True)
    sys.stdin.readline()
    try:
        await read(provider)
    except BaseException as error:
        if opened != 2:
            raise
        print("REFUSED", flush=True)


asyncio.run(main())
