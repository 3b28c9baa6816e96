// Gestures: mouse, fingers, wheel and keys on the map.

const CLICK_PIXELS = 5; // a press that moves less than this is a click
const STEP_PIXELS = 4; // minimum distance between two corners of a lasso
const MAX_CORNERS = 100; // so that a link to a region stays short
const LEAST_AREA = 60; // square pixels; a smaller region is a slip of the hand
const WHEEL_PIXELS = 180; // wheel movement that makes one step of zoom
const PAN_SHARE = 0.15; // share of the view by which an arrow key moves it

/** At most `MAX_CORNERS` of the corners, evenly spaced. */
function thinned(corners) {
  const every = Math.ceil(corners.length / MAX_CORNERS);
  return corners.filter((_, i) => i % every === 0);
}

/** Whether the wheel would scroll something that holds `element`: it then zooms only with Ctrl, as a pinch does. */
function isOnScrollingPage(element) {
  for (let each = element; each; each = each.parentElement ?? each.getRootNode().host) {
    const { overflowY } = getComputedStyle(each);
    const scrolls = each === document.documentElement ? overflowY !== "hidden" : /auto|scroll/.test(overflowY);
    if (scrolls && each.scrollHeight > each.clientHeight) return true;
  }
  return false;
}

function area(corners) {
  return Math.abs(
    corners.reduce((sum, [x, y], i) => {
      const [nextX, nextY] = corners[(i + 1) % corners.length];
      return sum + x * nextY - nextX * y;
    }, 0) / 2,
  );
}

/**
 * `told` has the callbacks `moved()`, `pointed(px, py)`, `clicked(px, py, reach)`, `drawing(corners, isDone)`,
 * `left()` and `keyed(key)`, which says whether it knew the key. `mode` is "pan", "box" or "lasso".
 */
class Hand {
  constructor(surface, frame, told) {
    this.surface = surface;
    this.frame = frame;
    this.told = told;
    this.mode = "pan";
    this.fingers = new Map();
    this.ending = new AbortController();
    const listen = (name, heard, more = {}) =>
      surface.addEventListener(name, heard.bind(this), { signal: this.ending.signal, ...more });
    listen("pointerdown", this.press);
    listen("pointermove", this.move);
    listen("pointerup", this.lift);
    listen("pointercancel", this.cancel);
    listen("pointerleave", (event) => event.pointerType === "mouse" && this.told.left()); // a finger leaves when it is lifted
    listen("wheel", this.wheel, { passive: false });
    listen("dblclick", this.twice);
    listen("keydown", this.key);
  }

  end() {
    this.ending.abort();
  }

  at(event) {
    const box = this.surface.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  press(event) {
    if (event.button !== 0) return;
    this.surface.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, this.at(event));
    if (this.fingers.size > 1) {
      this.isDrag = true;
      this.stroke = null;
      return;
    }
    this.start = this.at(event);
    this.isDrag = false;
    const mode = event.shiftKey ? "box" : this.mode;
    this.stroke = mode === "pan" ? null : { mode, corners: [this.start] };
  }

  move(event) {
    const here = this.at(event);
    const before = this.fingers.get(event.pointerId);
    if (!before) {
      this.told.pointed(...here, event.pointerType);
      return;
    }
    if (this.fingers.size > 1) {
      this.pinch(event.pointerId, here);
      return;
    }
    if (!this.isDrag && Math.hypot(here[0] - this.start[0], here[1] - this.start[1]) < CLICK_PIXELS) return;
    this.isDrag = true;
    this.fingers.set(event.pointerId, here);
    if (this.stroke) this.draw(here);
    else {
      this.frame.moveBy(here[0] - before[0], here[1] - before[1]);
      this.told.moved();
    }
  }

  draw(here) {
    const { corners, mode } = this.stroke;
    if (mode === "box") {
      const [[x, y]] = corners;
      this.stroke.corners = [[x, y], [here[0], y], here, [x, here[1]]];
    } else {
      const [x, y] = corners[corners.length - 1];
      if (Math.hypot(here[0] - x, here[1] - y) >= STEP_PIXELS) corners.push(here);
    }
    this.told.drawing(this.onMap(this.stroke.corners), false);
  }

  onMap(corners) {
    return corners.map(([px, py]) => this.frame.toMap(px, py));
  }

  /** Two fingers: the point midway between them drags the map along, and the distance between them sets the zoom. */
  pinch(id, here) {
    const [other] = [...this.fingers].filter(([key]) => key !== id).map(([, place]) => place);
    const before = this.fingers.get(id);
    this.fingers.set(id, here);
    const middle = (a) => [(a[0] + other[0]) / 2, (a[1] + other[1]) / 2];
    const apart = (a) => Math.max(Math.hypot(a[0] - other[0], a[1] - other[1]), 1);
    const [from, to] = [middle(before), middle(here)];
    this.frame.moveBy(to[0] - from[0], to[1] - from[1]);
    this.frame.zoomAt(...to, Math.log2(apart(here) / apart(before)));
    this.told.moved();
  }

  lift(event) {
    if (!this.fingers.delete(event.pointerId) || this.fingers.size) return;
    if (this.stroke && this.isDrag) this.finish();
    else if (!this.isDrag) this.told.clicked(...this.at(event), event.pointerType === "mouse" ? 10 : 22);
    this.stroke = null;
  }

  finish() {
    const { corners } = this.stroke;
    const isRegion = corners.length >= 3 && area(corners) >= LEAST_AREA;
    this.told.drawing(isRegion ? this.onMap(thinned(corners)) : null, true);
  }

  cancel(event) {
    this.fingers.delete(event.pointerId);
    if (this.stroke) this.told.drawing(null, true);
    this.stroke = null;
  }

  wheel(event) {
    if (!event.ctrlKey && !event.metaKey && isOnScrollingPage(this.surface)) return;
    event.preventDefault();
    const pixels = event.deltaY * [1, 30, 400][event.deltaMode];
    const steps = Math.min(Math.max(-pixels / WHEEL_PIXELS, -1), 1);
    this.frame.zoomAt(...this.at(event), steps);
    this.told.moved();
  }

  twice(event) {
    this.frame.zoomAt(...this.at(event), 1);
    this.told.moved();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { width, height } = this.frame;
    const [dx, dy] = [width * PAN_SHARE, height * PAN_SHARE];
    const moves = {
      ArrowLeft: () => this.frame.moveBy(dx, 0),
      ArrowRight: () => this.frame.moveBy(-dx, 0),
      ArrowUp: () => this.frame.moveBy(0, dy),
      ArrowDown: () => this.frame.moveBy(0, -dy),
      "+": () => this.frame.zoomAt(width / 2, height / 2, 1),
      "=": () => this.frame.zoomAt(width / 2, height / 2, 1),
      "-": () => this.frame.zoomAt(width / 2, height / 2, -1),
      0: () => this.frame.showAll(),
      Home: () => this.frame.showAll(),
    };
    if (moves[event.key]) {
      moves[event.key]();
      this.told.moved(true);
    } else if (!this.told.keyed(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }
}
