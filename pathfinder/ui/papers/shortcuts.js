// Keys of the list of papers and of its answer, the light between its cards and the dots of the map, and fingers on plots.
const OFF = 'pathfinder-keys-off'
// Where a browser keeps nothing, even to name its storage throws; the switch then lasts as long as the page.
const kept = (() => { try { return localStorage } catch { return {} } })()
const cards = () => [...document.querySelectorAll('[class*="st-key-paper-"]')].filter(card => card.querySelector('button'))
const rankOf = card => card.className.match(/st-key-paper-(\d+)/)?.[1]
const pointedAt = () => document.querySelector('[class*="st-key-paper-"]:hover')
// A card that is drawn again has lost its light; its rank is kept while there is a list.
let litRank
const lit = () => document.querySelector('.lit[class*="st-key-paper-"]') ?? (litRank && document.querySelector(`.st-key-paper-${litRank}`))
const maps = () => document.querySelectorAll('.st-key-map-small .js-plotly-plot')

function light(card) {
  document.querySelectorAll('.lit').forEach(each => each.classList.remove('lit'))
  card?.classList.add('lit')
  const rank = litRank = card && rankOf(card)
  for (const trace of document.querySelectorAll('.st-key-map-small .trace')) {
    const points = trace.querySelectorAll('.point')  // as many as there are numbers, in their order
    trace.querySelectorAll('.textpoint text').forEach((text, place) => points[place]?.classList.toggle('lit-dot', text.textContent === rank))
  }
}

let shown
// What is drawn again is not taken down first: two listeners would take each key twice.
let end = () => {}

export default function({data, parentElement}) {
  end()
  // Who has chosen another view is led to it, again until it is drawn and can stand there; a link opens at the top.
  const lead = times => {
    const head = document.querySelector('.st-key-similar-off') ?? document.querySelector('.st-key-papers-head')
    if (!head) return
    head.style.scrollMarginTop = '4rem'  // the bar at the top lies over the page
    head.scrollIntoView({block: data.block})
    const isThere = data.block !== 'start' || head.getBoundingClientRect().top < 100
    if (!isThere && times > 1) setTimeout(lead, 300, times - 1)
  }
  if (shown !== undefined && data.shown !== shown) setTimeout(lead, 300, 10)
  shown = data.shown
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
    const ofPage = {m: 'large-map', l: 'copy-answer', w: 'answer-more', e: 'papers-BibTeX'}[key]
    if (ofPage) return document.querySelector(`.st-key-${ofPage} button`)?.click() ?? true
    if (key === 't') return document.querySelector('.st-key-papers-as button[aria-checked="false"]')?.click() ?? true
    const button = {o: 'open', s: 'star', x: 'select', '.': 'menu'}[key]
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
  // The lines of a card open it as its title does, unless they are being marked.
  const onClick = event => {
    const lines = event.target.closest?.('[class*="st-key-paper-"] [data-testid="stMarkdown"]')
    if (lines && getSelection().isCollapsed) lines.closest('[class*="st-key-paper-"]')?.querySelector('[class*="st-key-open-"] button')?.click()
  }
  const onPoint = event => {
    const card = event.target.closest?.('[class*="st-key-paper-"]')
    if (card && card !== lit()) light(card)
  }
  // A swipe that begins on a plot scrolls the page, as one on text does; a tap still reaches the plot, as a click.
  const onTouch = event => { if (event.target.closest?.('.js-plotly-plot')) event.stopPropagation() }
  const onDot = event => light(document.querySelector(`.st-key-paper-${event.points[0].customdata}`))
  // A card or a map that is drawn again has lost its light, and tells nothing of a pointer that rests on it.
  const keep = () => {
    maps().forEach(map => {
      if (map.on && !map.dataset.lights) {
        map.dataset.lights = '1'
        map.on('plotly_hover', onDot)
      }
    })
    light(cards().length ? lit() ?? pointedAt() : undefined)
  }
  keep()
  const timer = setInterval(keep, 500)
  document.addEventListener('keydown', onKey)
  document.addEventListener('click', onClick)
  document.addEventListener('pointerover', onPoint)
  document.addEventListener('touchstart', onTouch, {capture: true, passive: true})
  return end = () => {
    clearInterval(timer)
    document.removeEventListener('keydown', onKey)
    document.removeEventListener('click', onClick)
    document.removeEventListener('pointerover', onPoint)
    document.removeEventListener('touchstart', onTouch, true)
  }
}
