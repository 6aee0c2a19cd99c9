"""The package's version, which the client reports to the service."""

VERSION = "0.2.0"
