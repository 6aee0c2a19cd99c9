// A button on every block of code that copies it.

function copyButtons() {
  // Only pages over https and of this machine itself have a clipboard.
  if (!navigator.clipboard) return
  for (const block of document.querySelectorAll('main pre')) {
    const button = element('button', { type: 'button', class: 'copy' }, 'Copy')
    button.addEventListener('click', async () => {
      const text = block.textContent ?? ''
      const said = await navigator.clipboard.writeText(text).then(
        () => 'Copied',
        () => 'Not copied',
      )
      button.textContent = said
      announcer.textContent = said
      setTimeout(() => {
        button.textContent = 'Copy'
        announcer.textContent = ''
      }, 1500)
    })
    const holder = block.closest('figure') ?? element('div', { class: 'code' })
    if (!holder.isConnected) {
      block.replaceWith(holder)
      holder.append(block)
    }
    holder.append(button)
  }
}
