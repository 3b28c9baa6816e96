// Keys j, k, o, s and x of the list of papers, and the light between its cards and the dots of the map.
const OFF = 'pathfinder-keys-off'
// Where a browser keeps nothing, even to name its storage throws; the switch then lasts as long as the page.
const kept = (() => { try { return localStorage } catch { return {} } })()
const cards = () => [...document.querySelectorAll('[class*="st-key-paper-"]')].filter(card => card.querySelector('button'))
const rankOf = card => card.className.match(/st-key-paper-(\d+)/)?.[1]
const pointedAt = () => document.querySelector('[class*="st-key-paper-"]:hover')
const lit = () => document.querySelector('.lit[class*="st-key-paper-"]')
const maps = () => document.querySelectorAll('.st-key-map-small .js-plotly-plot')

function light(card) {
  document.querySelectorAll('.lit').forEach(each => each.classList.remove('lit'))
  card?.classList.add('lit')
  const rank = card && rankOf(card)
  for (const text of document.querySelectorAll('.st-key-map-small .textpoint text')) {
    text.closest('.trace')?.querySelector('.point')?.classList.toggle('lit-dot', text.textContent === rank)
  }
}

let shown

function leadTo(view, until = Date.now() + 20000) {
  const place = document.querySelector(view.startsWith('Cards') ? '.st-key-similar-off' : '.st-key-chosen-view')
  const head = place?.matches('.st-key-chosen-view') ? document.querySelector('.st-key-papers-head') : place
  if (head) return head.scrollIntoView({block: 'start', behavior: 'smooth'})
  if (view === shown && Date.now() < until) setTimeout(leadTo, 100, view, until)
}

export default function({data, parentElement}) {
  const before = shown
  shown = data.shown
  if (shown && before !== undefined && shown !== before) leadTo(shown)  // a link is read from its top
  const list = parentElement.querySelector('dialog')
  list.innerHTML = ''
  for (const [key, what] of Object.entries(data.keys)) {
    const line = document.createElement('div'), name = document.createElement('kbd')
    name.textContent = key
    line.append(name, ` ${what}`)
    list.append(line)
  }
  const label = document.createElement('label'), box = document.createElement('input')
  box.type = 'checkbox'
  box.checked = !kept[OFF]
  box.onchange = () => { if (box.checked) delete kept[OFF]; else kept[OFF] = '1' }
  label.append(box, ' keys are on')
  list.append(label)

  const press = key => {
    const all = cards(), now = all.indexOf(lit())
    const card = all[now]
    const step = {j: 1, k: -1}[key]
    if (step) {
      const next = all[Math.min(Math.max(now + step, 0), all.length - 1)]
      light(next)
      next?.scrollIntoView({block: 'nearest'})
      return next
    }
    const button = {o: 'open', s: 'star', x: 'select'}[key]
    if (button) return card?.querySelector(`[class*="st-key-${button}-"] button`)?.click() ?? card
    if (key === '/') return document.querySelector('[data-testid="stChatInput"] textarea')?.focus() ?? true
    if (key === '?') return list.open ? list.close() : list.showModal()
  }
  const onKey = event => {
    const inField = event.composedPath()[0].closest?.('input:not([type=checkbox]), textarea, select, [contenteditable]')
    const isOff = kept[OFF] && event.key !== '?'
    if (inField || isOff || event.ctrlKey || event.metaKey || event.altKey || !(event.key in data.keys)) return
    if (document.querySelector('[role=dialog]')) return
    event.preventDefault()
    press(event.key)
  }
  const onPoint = event => {
    const card = event.target.closest?.('[class*="st-key-paper-"]')
    if (card && card !== lit()) light(card)
  }
  const onDot = event => light(document.querySelector(`.st-key-paper-${event.points[0].customdata}`))
  // A card or a map that is drawn again has lost its light, and tells nothing of a pointer that rests on it.
  const keep = () => {
    maps().forEach(map => {
      if (map.on && !map.dataset.lights) {
        map.dataset.lights = '1'
        map.on('plotly_hover', onDot)
      }
    })
    light(lit() ?? pointedAt())
  }
  keep()
  const timer = setInterval(keep, 500)
  document.addEventListener('keydown', onKey)
  document.addEventListener('pointerover', onPoint)
  return () => {
    clearInterval(timer)
    document.removeEventListener('keydown', onKey)
    document.removeEventListener('pointerover', onPoint)
  }
}
