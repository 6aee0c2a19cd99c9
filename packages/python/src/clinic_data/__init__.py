"""The client of the Clinic Data API: typed methods, pages, retries, verification of webhooks."""

from . import errors
from .answer import Answer
from .async_client import AsyncClinicDataClient, AsyncTokenSource
from .client import ClinicDataClient, TokenSource
from .errors import *
from .generated import resources
from .generated.resources import *
from .omitted import OMITTED, Omitted
from .pages import AsyncPages, FilterWarning, Page, Pages, Rows
from .version import VERSION
from .webhooks import TOLERANCE_SECONDS, WebhookFault, WebhookVerificationError, verify_webhook

__version__ = VERSION
__all__ = [
    "OMITTED",
    "TOLERANCE_SECONDS",
    "VERSION",
    "Answer",
    "AsyncClinicDataClient",
    "AsyncPages",
    "AsyncTokenSource",
    "ClinicDataClient",
    "FilterWarning",
    "Omitted",
    "Page",
    "Pages",
    "Rows",
    "TokenSource",
    "WebhookFault",
    "WebhookVerificationError",
    "verify_webhook",
]
__all__ += errors.__all__
__all__ += resources.__all__
