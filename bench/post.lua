-- wrk: the same POST again and again, from KEYS, URL_PATH and BODY.
local keys = {}
for key in string.gmatch(os.getenv("KEYS"), "[^,]+") do keys[#keys + 1] = "Bearer " .. key end
local n = 0

wrk.method = "POST"
wrk.path = os.getenv("URL_PATH")
wrk.body = os.getenv("BODY")
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Accept"] = "application/json, text/event-stream"

function request()
  n = n + 1
  wrk.headers["Authorization"] = keys[n % #keys + 1]
  return wrk.format(nil, nil)
end
