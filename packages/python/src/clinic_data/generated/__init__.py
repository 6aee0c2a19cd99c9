"""The files that `npm run golden` writes from the contract."""
