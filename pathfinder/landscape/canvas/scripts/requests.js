// What the view needs and does not have yet: tiles, and sampled papers. It is requested once the map rests.

const PATIENCE_MS = 5000; // after which missing data are requested again
const MAX_TILES_ASKED = 48;
const SPARE = 0.1; // margin beyond the view, as a share of its width and height, in which papers are requested too
const MAX_SPARE = 1.6; // how many times larger than the view the sampled part may be

function padded([left, bottom, right, top]) {
  const [across, up] = [(right - left) * SPARE, (top - bottom) * SPARE];
  return [left - across, bottom - up, right + across, top + up];
}

function areaOf([left, bottom, right, top]) {
  return (right - left) * (top - bottom);
}

class Wants {
  constructor(map) {
    this.map = map;
    this.asked = new Set(); // tiles, last
  }

  ask() {
    const { frame, ground, root, scene } = this.map;
    if (!scene.options.has_server || frame.width <= 1) return;
    const tiles = ground.missing(frame).slice(0, MAX_TILES_ASKED);
    const box = this.lacksPoints() ? padded(frame.boxOfMap) : null;
    clearTimeout(this.patience);
    if (!tiles.length && !box) return;
    root.dataset.waits = "1";
    this.asked = new Set(tiles);
    this.map.report("want", { tiles, box, has: scene.number });
    this.patience = setTimeout(() => this.ask(), PATIENCE_MS);
  }

  /** True if the papers at hand are too few, or do not cover the view. */
  lacksPoints() {
    const { frame, points } = this.map;
    const { box, n, rows } = points;
    if (!box) return true;
    const seen = frame.boxOfMap;
    const slack = 1 / frame.unit;
    const isIn = seen[0] >= box[0] - slack && seen[1] >= box[1] - slack && seen[2] <= box[2] + slack && seen[3] <= box[3] + slack;
    return !isIn || (n > rows.length && areaOf(box) > MAX_SPARE * areaOf(seen));
  }

  /** Something has arrived; `isResting` is true if nothing else is about to be requested. */
  arrived(isResting) {
    const { frame, ground, root } = this.map;
    if (frame.width <= 1) return;
    const missing = ground.missing(frame);
    // A large screen needs more tiles than one request allows: the rest are requested once these have arrived.
    const isMore = missing.length && !missing.some((key) => this.asked.has(key));
    if (isMore && isResting) this.ask();
    if (missing.length || this.lacksPoints()) return;
    clearTimeout(this.patience);
    delete root.dataset.waits;
    this.map.redraw();
  }

  end() {
    clearTimeout(this.patience);
  }
}
