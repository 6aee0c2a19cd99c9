// The language of the samples: chosen once, kept in this browser, and the same on every page. Runs before the page is shown.

const LANGUAGE = 'language'
const LANGUAGES = ['curl', 'client', 'clinic_data', 'go', 'csharp', 'sc']

/** Storage may be forbidden. Then the choice lasts for the page. */
function storedLanguage() {
  try {
    return localStorage.getItem(LANGUAGE)
  } catch {
    return null
  }
}

/** @param {string | null | undefined} wanted */
function chooseLanguage(wanted) {
  const chosen = LANGUAGES.find((one) => one === wanted) ?? 'curl'
  document.documentElement.dataset.chosen = chosen
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-choose]')))
    button.setAttribute('aria-pressed', String(button.dataset.choose === chosen))
}

function languageButtons() {
  chooseLanguage(storedLanguage())
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-choose]') : null
    if (!(button instanceof HTMLElement)) return
    // The samples above may become longer or shorter: the button stays where it is.
    const before = button.getBoundingClientRect().top
    chooseLanguage(button.dataset.choose)
    scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' })
    try {
      localStorage.setItem(LANGUAGE, button.dataset.choose ?? '')
    } catch {}
  })
  addEventListener('storage', ({ key, newValue }) => {
    if (key === LANGUAGE) chooseLanguage(newValue)
  })
}

document.documentElement.classList.add('scripted')
chooseLanguage(storedLanguage())
