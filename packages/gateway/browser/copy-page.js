// A button that copies the whole page as Markdown, for an agent.

function copyPageButton() {
  const address = document.querySelector('link[rel="alternate"][type="text/markdown"]')?.getAttribute('href')
  const line = document.querySelector('.in-markdown')
  if (!navigator.clipboard || !address || !line) return
  const button = element('button', { type: 'button' }, 'Copy for an agent')
  // Some browsers let a page write only at the click itself, so the text is still on its way then.
  button.addEventListener('click', () => {
    const text = markdownAt(address).then((markdown) => new Blob([markdown], { type: 'text/plain' }))
    void tellCopied(button, navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })]))
  })
  line.append(' ', button)
}

/** @param {string} address */
async function markdownAt(address) {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}`)
  return answer.text()
}
