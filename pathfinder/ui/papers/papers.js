// The cards of the papers, their keys and those of the answer, the light between cards and dots of the map, and fingers
// on plots. All text from papers enters as text, never as markup.
const OFF = 'pathfinder-keys-off'
// Where a browser keeps nothing, even to name its storage throws; the switch then lasts as long as the page.
const kept = (() => { try { return localStorage } catch { return {} } })()
const ICONS = {select: ['check_box_outline_blank', 'check_box'], star: ['star', 'stars'], menu: ['more_horiz'], why: ['keyboard_arrow_down']}

const make = (tag, name, ...children) => {
  const element = document.createElement(tag)
  element.className = name
  element.append(...children)
  return element
}
const written = runs => runs.map(([look, text]) => {
  const part = make('span', look, text)
  part.style.cssText = look.startsWith('#') ? `color: ${look}` : `--low: var(--st-${look}-background-color); --ink: var(--st-${look}-text-color)`
  return part
})
const button = (name, label, tip, ...children) => {
  const element = make('button', name, ...children)
  Object.assign(element, {type: 'button', title: tip, ariaLabel: label})  // which is null for what its text names
  element.dataset.act = name
  return element
}
const icon = (name, isOn) => Object.assign(make('span', 'icon', ICONS[name][+isOn]), {ariaHidden: 'true', translate: false})
const popover = (opener, id, ...children) => {
  const box = make('div', opener.className, ...children)
  Object.assign(box, {id, popover: 'auto'})
  opener.setAttribute('popovertarget', id)
  delete opener.dataset.act
  return [opener, box]
}

function drawn(card, rank, data) {
  const select = button('select', `Select paper ${rank}`, card.selected ? 'Deselect' : 'Select', icon('select', card.selected), rank)
  select.ariaPressed = card.selected
  const why = button('why', `Why paper ${rank}?`, 'Why here?', 'Why', icon('why', false))
  why.style.setProperty('--score', card.bar)
  const foot = popover(why, `why-${rank}`, ...written(card.why))
  if (card.star !== null) {
    const tip = card.star ? `Take it off the shelf “${data.shelf}”` : `Put it on the shelf “${data.shelf}”`
    foot.push(button('star', `${card.star ? 'On the shelf:' : 'Star'} paper ${rank}`, tip, icon('star', card.star)))
    foot.at(-1).ariaPressed = card.star
  }
  const actions = Object.entries(data.actions).filter(([name]) => !card.live || name !== 'Similar papers')  // only papers in the corpus have neighbours
  const items = actions.map(([, label]) => Object.assign(button('item', null, '', label), {role: 'menuitem'}))
  items.forEach((item, place) => { item.dataset.act = actions[place][0] })
  items[0].autofocus = true
  const [more, menu] = popover(button('menu', `More for paper ${rank}`, 'More', icon('menu', false)), `menu-${rank}`, ...items)
  menu.role = more.ariaHasPopup = 'menu'
  menu.ariaLabel = `Paper ${rank}`
  const lines = card.lines.length ? [make('p', 'lines', ...written(card.lines))] : []
  const title = button('open', null, '', card.title)
  return make('li', 'paper', select, title, make('p', 'about', ...written(card.about)), ...lines, make('div', 'foot', ...foot, more, menu))
}

// A map that is drawn again has lost its light; the rank is kept while there is a list.
let rank, shown, copied, leading
const maps = () => document.querySelectorAll('.st-key-map-small .js-plotly-plot')
function light(cards, next) {
  rank = next
  cards.forEach((card, place) => card.classList.toggle('lit', place + 1 === rank))
  for (const trace of document.querySelectorAll('.st-key-map-small .trace')) {
    const points = trace.querySelectorAll('.point')  // as many as there are numbers, in their order
    trace.querySelectorAll('.textpoint text').forEach((text, place) => points[place]?.classList.toggle('lit-dot', +text.textContent === rank))
  }
}

// What is drawn again is not taken down first: two listeners would take each key twice.
let end = () => {}

export default function({data, parentElement, setTriggerValue}) {
  end()
  const list = parentElement.querySelector('.papers'), help = parentElement.querySelector('dialog')
  const cards = () => [...list.children]
  const rankOf = card => cards().indexOf(card) + 1

  // A card stays that says what it said, with what is open in it; the focus stays on the button that had it.
  const focus = document.activeElement, held = list.contains(focus) && {paper: focus.closest('.paper').paper, name: focus.className}
  const before = new Map(cards().map(card => [card.says, card]))
  const wanted = data.cards.map((card, place) => {
    const says = JSON.stringify([place, card, data.actions, data.shelf])
    return before.get(says) ?? Object.assign(drawn(card, place + 1, data), {says, paper: card.id})
  })
  wanted.forEach((card, place) => {
    if (list.children[place] !== card) list.children[place] ? list.children[place].replaceWith(card) : list.append(card)
  })
  cards().slice(wanted.length).forEach(card => card.remove())
  if (held && !list.contains(document.activeElement)) cards().find(card => card.paper === held.paper)?.querySelector(`button.${held.name}`)?.focus({preventScroll: true})

  // A reference that was asked for is copied once; where a browser lets nobody copy, it is shown.
  if (data.copy?.id !== copied) {
    copied = data.copy?.id
    const told = what => () => setTriggerValue('press', [what, data.copy.id])
    if (copied) (navigator.clipboard?.writeText(data.copy.text) ?? Promise.reject()).then(told('copied'), told('reference'))
  }

  // Who has chosen another view is led to it, again until it is drawn and can stand there, or until they do something
  // else: a page that scrolls then takes what they point at away. A link opens at the top.
  const lead = times => {
    const head = document.querySelector('.st-key-similar-off') ?? document.querySelector('.st-key-papers-head')
    if (!head) return
    head.style.scrollMarginTop = '4rem'  // the bar at the top lies over the page
    head.scrollIntoView({block: data.block})
    const isThere = data.block !== 'start' || head.getBoundingClientRect().top < 100
    if (!isThere && times > 1) leading = setTimeout(lead, 300, times - 1)
  }
  if (shown !== undefined && data.shown !== shown) leading = setTimeout(lead, 300, 10)
  const stay = () => clearTimeout(leading)
  shown = data.shown

  const box = make('input', '')
  box.type = 'checkbox'
  box.checked = !kept[OFF]
  box.onchange = () => { if (box.checked) delete kept[OFF]; else kept[OFF] = '1' }
  help.replaceChildren(
    ...Object.entries(data.keys).map(([key, [what]]) => make('div', '', make('kbd', '', key), ` ${what}`)),
    make('label', '', box, ' keys are on'))

  const press = key => {
    const step = {j: 1, k: -1}[key], at = data.keys[key][1] && document.querySelector(data.keys[key][1])
    if (step) {
      light(cards(), Math.min(Math.max((rank ?? 0) + step, 1), wanted.length))
      cards()[rank - 1]?.scrollIntoView({block: 'nearest'})
    } else if (key === '?') help.open ? help.close() : help.showModal()
    else if (key === '/') at?.focus()
    else at?.click()
  }
  const onKey = event => {
    const target = event.composedPath()[0]
    if (target.role === 'menuitem' && {ArrowDown: 1, ArrowUp: 1}[event.key]) {
      event.preventDefault()
      return target[event.key === 'ArrowDown' ? 'nextElementSibling' : 'previousElementSibling']?.focus()
    }
    const inField = target.closest?.('input:not([type=checkbox]), textarea, select, [contenteditable]')
    const isOff = kept[OFF] && event.key !== '?'
    if (inField || isOff || event.ctrlKey || event.metaKey || event.altKey || !(event.key in data.keys)) return
    if (document.querySelector('[role=dialog]')) return
    event.preventDefault()
    press(event.key)
  }
  // The lines of a card open it as its title does, unless they are being marked.
  list.onclick = event => {
    const pressed = event.target.closest('button')
    const isRead = event.target.closest('.about, .lines') && getSelection().isCollapsed
    const act = pressed ? pressed.dataset.act : isRead && 'open'
    if (pressed?.role === 'menuitem') pressed.parentElement.hidePopover()
    if (act) setTriggerValue('press', [act, event.target.closest('.paper').paper])
  }
  list.onpointerover = event => {
    const card = event.target.closest('.paper')
    if (card && rankOf(card) !== rank) light(cards(), rankOf(card))
  }
  // A swipe that begins on a plot scrolls the page, as one on text does; a tap still reaches the plot, as a click.
  const onTouch = event => { if (event.target.closest?.('.js-plotly-plot')) event.stopPropagation() }
  // A map that is drawn again has lost its light, and a list that is drawn under a pointer is not told of it.
  const keep = () => {
    maps().forEach(map => {
      if (map.on && !map.dataset.lights) {
        map.dataset.lights = '1'
        map.on('plotly_hover', event => light(cards(), event.points[0].customdata))
      }
    })
    light(cards(), wanted.length ? rank ?? (rankOf(list.querySelector('.paper:hover')) || undefined) : undefined)
  }
  keep()
  const timer = setInterval(keep, 500)
  const own = ['pointerdown', 'wheel', 'keydown']
  own.forEach(kind => document.addEventListener(kind, stay, {capture: true, passive: true}))
  document.addEventListener('keydown', onKey)
  document.addEventListener('touchstart', onTouch, {capture: true, passive: true})
  return end = () => {
    clearInterval(timer)
    own.forEach(kind => document.removeEventListener(kind, stay, true))
    document.removeEventListener('keydown', onKey)
    document.removeEventListener('touchstart', onTouch, true)
  }
}
