// A button on every block of code that copies it.

function copyButtons() {
  // Only pages over https and of this machine itself have a clipboard.
  if (!navigator.clipboard) return
  for (const block of document.querySelectorAll('main pre')) {
    const button = element('button', { type: 'button', class: 'copy' }, 'Copy')
    button.addEventListener('click', () => tellCopied(button, navigator.clipboard.writeText(block.textContent ?? '')))
    const holder = block.closest('figure') ?? element('div', { class: 'code' })
    if (!holder.isConnected) {
      block.replaceWith(holder)
      holder.append(block)
    }
    holder.append(button)
  }
}

/**
 * Says on the button what became of it, for a moment.
 *
 * @param {HTMLElement} button
 * @param {Promise<void>} written
 */
async function tellCopied(button, written) {
  const label = button.textContent
  const said = await written.then(
    () => 'Copied',
    () => 'Not copied',
  )
  button.textContent = said
  announcer.textContent = said
  setTimeout(() => {
    button.textContent = label
    announcer.textContent = ''
  }, 1500)
}
