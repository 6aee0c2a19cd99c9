// The app that a person is asked about. One that describes itself at its own address may have no description that can be used: the person
// and the app's makers are told why.
import { faultProblem } from '@clinic-data/contract/fault-problem'
import type { App } from '../apps/app.ts'
import type { Apps } from '../apps/apps.ts'
import { OAuthError } from '../oauth-error.ts'

/**
 * Null for an app that may not be connected here.
 *
 * @param pointer to what names the app.
 * @throws Problem 422 when its document cannot be used, or cannot be read now. No fault of ours, so it is no 503.
 */
export async function appOfRequest(
  apps: Pick<Apps, 'find'>,
  { clinic_id, id }: { clinic_id: string; id: string },
  pointer: '#/request' | '#/user_code',
): Promise<App | null> {
  try {
    return await apps.find(id, clinic_id)
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const detail = `is refused: ${error.message.replace(/\.$/, '')}`
    throw faultProblem('unprocessable', [{ pointer, code: 'client_id', detail }])
  }
}
