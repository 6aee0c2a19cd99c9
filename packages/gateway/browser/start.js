// Starts everything once the page is there.

document.addEventListener('DOMContentLoaded', () => {
  document.body.append(announcer)
  leadOn()
  addEventListener('hashchange', leadOn)
  languageButtons()
  tryForms()
  copyButtons()
  copyPageButton()
  searchField()
  markPlace()
})
