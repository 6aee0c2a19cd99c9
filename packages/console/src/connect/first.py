import os

from clinic_data import ClinicDataClient

client = ClinicDataClient(base_url=os.environ["SC_BASE_URL"], api_key=os.environ["SC_API_KEY"])
for branch in client.catalog.branches.list():
    print(branch["id"], branch["name"])
