// What every place does in the browser: it begins at its top, and what is open over it is a step that Back undoes.
const MARK = '#open'  // of the step in the browser's history
const CLOSED = 300  // milliseconds in which a menu has closed, and has said so
const dialog = () => document.querySelector('.stDialog [aria-label="Close"]')
// On a phone, a menu and the settings lie over the page, too.
const PHONE = matchMedia('(width < 768px)')
const menu = () => document.querySelector('[data-testid="stPopoverButton"][aria-expanded="true"]')
const sheet = () => menu()
  ?? document.querySelector('[data-testid="stSidebarCollapseButton"] [aria-expanded="true"]')
// In place of the papers of the question, so that Back leads to these.
const similar = () => document.querySelector('.st-key-similar-off button')
const over = () => dialog() ?? (PHONE.matches ? sheet() : null) ?? similar()
if (location.hash === MARK) history.replaceState(history.state, '', location.pathname + location.search)  // came with a link
let before, open = null, shut = null, end = () => {}  // `open` closes what is over the page; `shut`, while it is a step

// A menu that a press closes says so after the press, which would draw this page again instead of the one of a link.
// On an answer, the link to Ask begins a new question.
const begin = event => {
  const link = event.target.closest?.('a[href]'), anew = document.querySelector('.st-key-question-new button')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
  if (menu() && link.target !== '_blank' && !link.closest('[data-testid="stPopoverBody"]')) {
    event.preventDefault()
    event.stopPropagation()
    menu().click()
    setTimeout(() => link.click(), CLOSED)
    return
  }
  if (!anew) return
  if (link.origin + link.pathname !== location.origin + location.pathname) return
  if (/[?#]/.test(link.getAttribute('href'))) return  // the empty one of a page has the query of the address
  event.preventDefault()
  event.stopPropagation()
  anew.click()
}
// Who has closed it need not go back twice.
const step = ({detail}) => {
  if (detail && location.hash !== MARK) history.pushState(history.state, '', MARK)
  if (!detail && shut && location.hash === MARK) history.back()
  else shut = detail
}
const back = event => {
  if (location.hash === MARK || !shut) return
  event.stopImmediatePropagation()
  shut()
  shut = null
}
// A dialog hears Esc only while it has the focus, which goes with what is drawn anew in it.
const escape = event => { if (event.key === 'Escape' && !event.target.closest('.stDialog, [data-st-overlay-root]')) dialog()?.click() }
const look = () => {
  if (open === over()) return
  open = over()
  step({detail: open && (() => over()?.click())})
}
const watch = new MutationObserver(() => {
  document.documentElement.style.colorScheme = getComputedStyle(document.querySelector('.stApp')).colorScheme  // also of what opens over it
  look()
})
watch.observe(document.body, {childList: true})
watch.observe(document.documentElement, {subtree: true, attributeFilter: ['aria-expanded', 'data-collapsed']})
look()  // at what was opened before this came

export default ({data}) => {
  end()
  if (before !== undefined && before !== data) document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0)
  before = data
  const listeners = [[document, 'click', begin], [document, 'keydown', escape], [document, 'opened', step], [document, 'listed', look], [window, 'popstate', back]]
  listeners.forEach(([on, name, act]) => on.addEventListener(name, act, true))
  return end = () => listeners.forEach(([on, name, act]) => on.removeEventListener(name, act, true))
}
