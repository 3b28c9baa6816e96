// Scrolls the page up when it shows something else than before.
let before = null

export default function ({ data }) {
  if (before !== null && data.shown !== before) document.querySelector('[data-testid="stMain"]').scrollTop = 0
  before = data.shown
}
