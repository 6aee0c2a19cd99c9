-- wrk: the same POST again and again, from BODY. wrk builds it once.
wrk.method = "POST"
wrk.body = os.getenv("BODY")
wrk.headers["Content-Type"] = "application/json"
