// Describes what is in view, and reports when the canvas has moved and when a kiosk is idle; `IdleClock` is defined before this.

const LOOK_MS = 400; // time between two looks at the address, where the canvas writes its view and its years

const watches = new WeakMap();

/** The view and the years in the address, with the size of the canvas. */
function seenOn(size) {
  const now = new URLSearchParams(location.search);
  return { view: now.get("view"), years: now.get("years"), size };
}

/** Width and height of the canvas in pixels; null while there is none. */
function sizeOfCanvas() {
  for (const part of document.querySelectorAll(".st-key-world-stage *")) {
    const canvas = (part.shadowRoot || part).querySelector("canvas");
    if (canvas && canvas.clientWidth) return [canvas.clientWidth, canvas.clientHeight];
  }
  return null;
}

class Watch {
  /** `size` is the size of the canvas for which the description was made. */
  constructor(size) {
    this.looks = setInterval(() => this.look(), LOOK_MS);
    this.told = JSON.stringify(seenOn(size));
    this.idle = new IdleClock(null, () => this.tell("idle", Date.now()));
  }

  /** The canvas has come to rest in a new place, or has a different size. */
  look() {
    const size = sizeOfCanvas();
    if (!size) return;
    const seen = seenOn(size);
    const key = JSON.stringify(seen);
    if (key === this.last && key !== this.told) {
      this.told = key;
      this.tell("moved", seen);
    }
    this.last = key;
  }

  end() {
    clearInterval(this.looks);
    this.idle.stop();
  }
}

export default function ({ parentElement, data, setTriggerValue }) {
  let watch = watches.get(parentElement);
  const isNew = !watch;
  if (isNew) {
    watch = new Watch(data.size);
    watches.set(parentElement, watch);
  }
  watch.tell = setTriggerValue;
  watch.idle.seconds = data.idle_seconds;
  if (isNew) watch.idle.restart();
  const words = parentElement.querySelector(".words");
  if (words.textContent !== data.words) words.textContent = data.words;
  return () => {
    watch.end();
    watches.delete(parentElement);
  };
}
