"""Sends each request from an address of its own: the endpoints of apps limit what one address may ask in a minute."""

import itertools

import schemathesis

numbers = itertools.count()


@schemathesis.hook
def before_call(ctx, case, kwargs):
    number = next(numbers)
    case.headers = {**(case.headers or {}), "X-Forwarded-For": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"}
