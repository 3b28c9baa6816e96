// Notices when nobody has touched anything for a while: a kiosk then returns to its starting view.

const SIGNS_OF_LIFE = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"];
const LISTENING = { capture: true, passive: true };

class IdleClock {
  /** Calls `ring` once when nothing has been touched for this many seconds; with `null`, it never rings. */
  constructor(seconds, ring) {
    this.seconds = seconds;
    this.ring = ring;
    this.restart = () => {
      clearTimeout(this.timer);
      if (this.seconds !== null) this.timer = setTimeout(() => this.ring(), 1000 * this.seconds);
    };
    for (const kind of SIGNS_OF_LIFE) document.addEventListener(kind, this.restart, LISTENING);
    this.restart();
  }

  stop() {
    clearTimeout(this.timer);
    for (const kind of SIGNS_OF_LIFE) document.removeEventListener(kind, this.restart, LISTENING);
  }
}
