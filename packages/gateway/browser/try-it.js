// Runs a read operation with a reader's own key. The key stays in the memory of this page, and where the reader says so in this tab until
// it is closed. It is in no address, no cookie and nothing that other tabs or later days see.

/** @typedef {{ name: string, in: 'path' | 'query', required: boolean, example: string }} Asked */
/** @typedef {{ method: string, path: string, parameters: Asked[], body?: unknown }} Tried */

/** Where a tab keeps the key. */
const KEPT = 'tried-key'

let key = sessionStorage.getItem(KEPT) ?? ''
let isKept = key !== ''

function tryForms() {
  for (const section of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-try]')))
    section.querySelector('.languages')?.before(tryForm(section))
  // A page that the browser keeps for its Back button forgets the key too, unless the tab keeps it.
  addEventListener('pagehide', () => {
    if (!isKept) setKey('')
  })
}

/** @param {boolean} isWanted */
function keepKey(isWanted) {
  isKept = isWanted
  for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('.try [type="checkbox"]')))
    box.checked = isWanted
  setKey(key)
}

/** @param {string} typed */
function setKey(typed) {
  key = typed
  if (isKept && key !== '') sessionStorage.setItem(KEPT, key)
  else sessionStorage.removeItem(KEPT)
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('.try [type="password"]')))
    if (input.value !== typed) input.value = typed
}

/** @param {HTMLElement} section */
function tryForm(section) {
  const { method, path, parameters, body: example } = /** @type {Tried} */ (JSON.parse(section.dataset.try ?? ''))
  const keyInput = element('input', { type: 'password', autocomplete: 'off', placeholder: 'sk_live_…' })
  keyInput.value = key
  keyInput.addEventListener('input', () => setKey(keyInput.value.trim()))
  const keepBox = element('input', { type: 'checkbox' })
  keepBox.checked = isKept
  keepBox.addEventListener('change', () => keepKey(keepBox.checked))
  const inputs = parameters.map((one) => {
    const input = element('input', { type: 'text', autocomplete: 'off', spellcheck: 'false' })
    input.value = one.example
    return { ...one, input }
  })
  const bodyInput = element('textarea', { rows: '10', autocomplete: 'off', spellcheck: 'false', dir: 'ltr' })
  bodyInput.value = example === undefined ? '' : JSON.stringify(example, null, 2)
  const shown = element('code', {})
  const answer = element('pre', { tabindex: '0', dir: 'ltr', hidden: '' }, shown)
  const status = element('p', { class: 'outcome', role: 'status' })
  const button = element('button', { type: 'button' }, 'Run')
  const run = async () => {
    button.disabled = true
    status.textContent = 'Running …'
    const { outcome, body } = await ask(method, path, inputs, bodyInput.value)
    button.disabled = false
    status.textContent = outcome
    shown.textContent = body
    answer.hidden = body === ''
  }
  button.addEventListener('click', run)
  const form = element(
    'details',
    { class: 'try' },
    element('summary', {}, 'Try it'),
    element('label', {}, 'Key ', element('small', {}, 'forgotten when you leave the page'), keyInput),
    element('label', { class: 'keep' }, keepBox, ' Keep it in this tab until I close it'),
    ...inputs.map(({ name, required, input }) =>
      element('label', {}, name, required ? element('small', {}, ' required') : '', input),
    ),
    ...(example === undefined ? [] : [element('label', {}, 'Body', bodyInput)]),
    button,
    status,
    answer,
  )
  form.addEventListener('keydown', ({ key: pressed, target }) => {
    if (pressed === 'Enter' && target instanceof HTMLInputElement) void run()
  })
  return form
}

/**
 * @param {string} method
 * @param {string} path
 * @param {(Asked & { input: HTMLInputElement })[]} inputs
 * @param {string} body empty where the operation takes none
 */
async function ask(method, path, inputs, body) {
  const query = new URLSearchParams()
  let address = path
  for (const { name, in: place, input } of inputs) {
    const value = input.value.trim()
    if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value))
    else if (value !== '') query.set(name, value)
  }
  if (address.includes('//')) return { outcome: 'Fill in what the path needs.', body: '' }
  if (!/^[\x21-\x7e]+$/.test(key)) return { outcome: 'Type a key.', body: '' }
  const startedAt = performance.now()
  try {
    const answer = await fetch(query.size > 0 ? `${address}?${query}` : address, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body === '' ? {} : { 'content-type': 'application/json' }) },
      ...(body === '' ? {} : { body }),
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
    })
    const text = await answer.text()
    const milliseconds = Math.round(performance.now() - startedAt)
    return { outcome: `${answer.status} in ${milliseconds} ms`, body: pretty(text) }
  } catch {
    return { outcome: 'No answer came. Is the service running?', body: '' }
  }
}

/** @param {string} text */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
