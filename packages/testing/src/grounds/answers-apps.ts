// An app asks a service for all that it may ask without a person, whichever of its processes answers.
import assert from 'node:assert/strict'

/** An app registers itself, and its device waits for a person. @param consoleUrl where the person would go. */
export async function assertAnswersApps(address: string, consoleUrl: string): Promise<void> {
  const post = async (endpoint: string, form: Record<string, string> | string) => {
    const body = typeof form === 'string' ? form : new URLSearchParams(form).toString()
    const type = typeof form === 'string' ? 'application/json' : 'application/x-www-form-urlencoded'
    // Several connections, so that several workers answer.
    const headers = { 'content-type': type, connection: 'close' }
    const answer = await fetch(`${address}/oauth/${endpoint}`, { method: 'POST', headers, body })
    const text = await answer.text()
    return { status: answer.status, json: text === '' ? null : JSON.parse(text) }
  }
  const metadata = { client_name: 'A device', redirect_uris: ['http://127.0.0.1/callback'] }
  const registered = await post('register', JSON.stringify(metadata))
  assert.equal(registered.status, 201, JSON.stringify(registered.json))
  const { client_id, registration_client_uri, registration_access_token } = registered.json
  const own = await fetch(`${address}${new URL(registration_client_uri).pathname}`, {
    headers: { authorization: `Bearer ${registration_access_token}`, connection: 'close' },
  })
  assert.deepEqual([own.status, await own.json()], [200, registered.json])
  const asked = await post('device', { client_id, scope: 'patients:read' })
  assert.equal(asked.status, 200, JSON.stringify(asked.json))
  assert.equal(asked.json.verification_uri, `${consoleUrl}/console/device`)
  const { device_code } = asked.json
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const polled = await post('token', { grant_type, client_id, device_code })
  assert.deepEqual([polled.status, polled.json.error], [400, 'authorization_pending'])
  const guessed = await post('token', { grant_type: 'refresh_token', client_id, refresh_token: 'no such token' })
  assert.deepEqual([guessed.status, guessed.json.error], [400, 'invalid_grant'])
  assert.equal((await post('revoke', { client_id, token: 'no such token' })).status, 200)
}
