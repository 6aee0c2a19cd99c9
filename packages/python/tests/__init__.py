"""The tests of the client in Python, which `python.test.ts` runs with `unittest`."""
