// Marks the operation that is being read in the contents, and leads from an old address to the page that has the place now.

/** `/docs#patients-list` was the place of an operation when all was one page. The list there still has these anchors. */
function leadOn() {
  if (location.pathname !== '/docs') return
  const entry = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  const link = entry?.closest('main') && entry.matches('li, h3') ? entry.querySelector('a') : null
  if (link) location.replace(link.href)
}

function markPlace() {
  const links = new Map(
    [.../** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('.contents a[href^="#"]'))].map(
      (link) => [link.hash.slice(1), link],
    ),
  )
  const sections = [...document.querySelectorAll('section.operation')]
  if (sections.length === 0) return
  const mark = () => {
    const reached = sections.findLast((section) => section.getBoundingClientRect().top < innerHeight / 3)
    for (const [anchor, link] of links) {
      if (anchor !== reached?.id) link.removeAttribute('aria-current')
      else if (!link.hasAttribute('aria-current')) link.setAttribute('aria-current', 'location')
    }
  }
  addEventListener('scroll', () => requestAnimationFrame(mark), { passive: true })
  mark()
}
