// Says what is in sight, tells when the canvas has moved, and when nobody has touched anything for a while.

const LOOK_MS = 400; // from look to look at the address, where the canvas writes its view and its years

const SIGNS_OF_LIFE = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"];
const watches = new WeakMap();

/** What stands in the address, with the size of the canvas that it is of. */
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
  /** `size` is that of the canvas, as far as it is known where the words are made. */
  constructor(size) {
    this.touched = () => this.wind();
    this.looks = setInterval(() => this.look(), LOOK_MS);
    this.told = JSON.stringify(seenOn(size));
    for (const kind of SIGNS_OF_LIFE) document.addEventListener(kind, this.touched, { capture: true, passive: true });
  }

  /** The canvas rests where it did not before, or has another size. */
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

  wind() {
    clearTimeout(this.timer);
    if (this.seconds === null) return;
    this.timer = setTimeout(() => this.tell("idle", Date.now()), 1000 * this.seconds);
  }

  end() {
    clearTimeout(this.timer);
    clearInterval(this.looks);
    for (const kind of SIGNS_OF_LIFE) document.removeEventListener(kind, this.touched, { capture: true });
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
  watch.seconds = data.idle_seconds;
  if (isNew) watch.wind();
  const words = parentElement.querySelector(".words");
  if (words.textContent !== data.words) words.textContent = data.words;
  return () => {
    watch.end();
    watches.delete(parentElement);
  };
}
