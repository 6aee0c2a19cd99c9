# Runs the programs that standard input lists, one after another. Of each it prints a line of JSON: what the program printed, and its
# error. A start for each of them would cost more than all of them do.
import contextlib
import io
import json
import sys
import traceback

for source in json.load(sys.stdin):
    printed = io.StringIO()
    error = None
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(source, "sample", "exec"), {"__name__": "__main__"})
    except BaseException:
        error = traceback.format_exc()
    print(json.dumps({"stdout": printed.getvalue(), "error": error}), flush=True)
