// The client of the Clinic Data API: what an integration imports.
export {}
