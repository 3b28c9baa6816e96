// Describes what is in view, and reports when the canvas has moved and when a kiosk is idle; `IdleClock` is defined before this.

const LOOK_MS = 400; // time between two looks at the address, where the canvas writes its view and its years

const watches = new WeakMap();

/** The view and the years in the address, with the size of the canvas. */
function seenOn(size) {
  const now = new URLSearchParams(location.search);
  return { view: now.get("view"), years: now.get("years"), size };
}

/** Width and height of the canvas in pixels; nothing while there is none. */
function sizeOfCanvas() {
  for (const part of document.querySelectorAll(".st-key-world-stage *")) {
    const canvas = (part.shadowRoot || part).querySelector("canvas");
    if (canvas && canvas.clientWidth) return [canvas.clientWidth, canvas.clientHeight];
  }
}

/** Watches the canvas; `size` is the one for which the description was made. */
function begin(size) {
  const watch = { idle: new IdleClock(null, () => watch.tell("idle", Date.now())) };
  let told = JSON.stringify(seenOn(size)), last;
  watch.looks = setInterval(() => {
    const size = sizeOfCanvas();
    if (!size) return;
    const seen = seenOn(size), key = JSON.stringify(seen);
    if (key === last && key !== told) { // it has come to rest in a new place, or has a different size
      told = key;
      watch.tell("moved", seen);
    }
    last = key;
  }, LOOK_MS);
  return watch;
}

export default function ({ parentElement, data, setTriggerValue }) {
  const isNew = !watches.has(parentElement);
  const watch = isNew ? begin(data.size) : watches.get(parentElement);
  watches.set(parentElement, watch);
  watch.tell = setTriggerValue;
  watch.idle.seconds = data.idle_seconds;
  if (isNew) watch.idle.restart();
  const words = parentElement.querySelector(".words");
  if (words.textContent !== data.words) words.textContent = data.words;
  return () => {
    clearInterval(watch.looks);
    watch.idle.stop();
    watches.delete(parentElement);
  };
}
