-- wrk: payments of a clinic's patients in turn.
local keys = {}
for key in string.gmatch(os.getenv("KEYS"), "[^,]+") do keys[#keys + 1] = "Bearer " .. key end
local run = os.getenv("RUN")
local n = 0

wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"

function request()
  n = n + 1
  wrk.headers["Authorization"] = keys[n % #keys + 1]
  return wrk.format(nil, string.format("/v1/patients/p%d/payments", n % 1000 + 1), nil, string.format(
    '{"amount":350.5,"method_type":"credit_card","description":"Cleaning","external_id":"%s-%d"}', run, n))
end
