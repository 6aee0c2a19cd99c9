-- wrk: leads of distinct people, one after the other.
local keys = {}
for key in string.gmatch(os.getenv("KEYS"), "[^,]+") do keys[#keys + 1] = "Bearer " .. key end
local run = os.getenv("RUN")
local first = tonumber(run, 16) % 5000000
local n = 0

wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"

function request()
  n = n + 1
  wrk.headers["Authorization"] = keys[n % #keys + 1]
  return wrk.format(nil, "/v1/leads", nil, string.format(
    '{"first_name":"Dana","last_name":"Levi","phone":"+97250%07d","email":"%s-%d@example.com","source":"website","external_id":"%s-%d","attribution":{"utm_source":"bench","gclid":"%d"}}',
    first + n, run, n, run, n, n))
end
