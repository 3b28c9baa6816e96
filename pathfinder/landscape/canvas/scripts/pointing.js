// Pointing at papers and marks, on the map and in the list next to it, and choosing them.

const REACH = 10; // pixels from the mouse to what it points at
const NEAR_ZOOM = 3; // minimum zoom for showing a paper from the list with what lies around it

function yearInWords(year) {
  return year === null || year === undefined ? "year unknown" : String(year);
}

/** The nearest thing within `reach` pixels; papers found come before marks, and marks before other papers. */
function nearest({ frame, scene, points, years }, px, py, reach) {
  let best = null;
  const consider = (x, y, bonus, told) => {
    const [ax, ay] = frame.toScreen(x, y);
    if (ax < 0 || ay < 0 || ax > frame.width || ay > frame.height) return;
    const apart = Math.hypot(ax - px, ay - py) - bonus;
    if (apart <= reach && (!best || apart < best.apart)) best = { apart, x, y, ...told() };
  };
  for (const dot of scene.dots) consider(dot.x, dot.y, 6, () => thingOf(dot));
  for (const layer of scene.layers)
    for (const mark of layer.marks)
      consider(mark.x, mark.y, 3, () => ({ text: mark.text, fact: mark.title, row: mark.row }));
  for (let i = 0; i < points.rows.length; i++) {
    const fact = () => ({ text: points.titles[i], fact: yearInWords(points.years[i]), row: points.rows[i] });
    if (years.shows(points.years[i])) consider(points.x[i], points.y[i], 0, fact);
  }
  return best;
}

function holds({ left, right, top, bottom }, px, py) {
  return left <= px && px <= right && top <= py && py <= bottom;
}

function thingOf({ x, y, title, row, rank, ...more }) {
  const facts = [rank === null ? "" : `number ${rank}`, aboutHit(more)];
  return { x, y, text: title, fact: facts.filter(Boolean).join(" · "), row };
}

/** The year of a paper that was found, and a note if it is an outlier or not in the corpus. */
function aboutHit({ year, outlier, live }) {
  return [yearInWords(year), outlier ? "outlier in subject" : "", live ? `live: ${live}` : ""].filter(Boolean).join(" · ");
}

/** Shows on `map` what is pointed at: with a ring, a card, a line in the list, and words for those who cannot see. */
class Pointing {
  constructor(map) {
    this.map = map;
    this.card = new Card();
    this.said = made("div", { class: "atlas-said", "aria-live": "polite" });
    this.pointed = this.chosen = null;
    this.lit = null; // the paper that is highlighted in the list
    this.hits = new HitList({ lit: (dot) => this.light(dot), visited: (dot) => this.visit(dot) });
  }

  at(px, py) {
    const { map } = this;
    const { width, height } = map.frame;
    const found = map.hand.fingers.size ? null : nearest(map, px, py, REACH);
    const changed = (found && found.text) !== (this.pointed && this.pointed.text);
    this.pointed = found;
    this.card.show(found, px, py, width, height);
    this.hits.light(found && found.row);
    if (map.hand.mode === "pan") map.canvas.style.cursor = found ? "pointer" : "grab";
    if (changed) map.redraw();
  }

  /** The map moved away under the pointer. */
  leave() {
    this.card.show(null);
    this.pointed = null;
    this.hits.light(null);
  }

  /** A reader points at a paper in the list, or stops doing so. */
  light(dot) {
    this.lit = dot;
    this.hits.light(dot && dot.row);
    this.map.redraw();
  }

  click(px, py, reach) {
    const { map } = this;
    map.canvas.focus({ preventScroll: true });
    const name = reach > REACH && Number.isFinite(reach) && map.names.find(({ box }) => holds(box, px, py));
    if (name) {
      this.visitName(name);
      return;
    }
    const found = nearest(map, px, py, reach);
    this.choose(found);
    const [x, y] = map.frame.toMap(px, py);
    this.tell(found || { x, y });
  }

  /** Go to a paper in the list, and choose it as a click on its dot does. */
  visit(dot) {
    const { map } = this;
    const found = thingOf(dot);
    map.frame.go({ x: dot.x, y: dot.y, zoom: Math.max(map.frame.zoom, NEAR_ZOOM) });
    map.moved();
    this.choose(found);
    this.hits.light(dot.row);
    this.tell(found);
  }

  /** Go to a place whose name a finger has pressed: the dots under a name are too small for it. */
  visitName({ text, x, y }) {
    const { map } = this;
    map.frame.go({ x, y, zoom: Math.max(map.frame.zoom, NEAR_ZOOM) });
    map.moved();
    this.choose(null);
    this.said.textContent = text;
    this.tell({ x, y });
  }

  tell({ row = null, text = null, x, y }) {
    this.map.report("click", { row, text, x, y });
  }

  choose(found) {
    const { frame } = this.map;
    this.chosen = found;
    if (found) {
      this.card.show(found, ...frame.toScreen(found.x, found.y), frame.width, frame.height);
      this.said.textContent = `${found.text}, ${found.fact}`;
    } else this.card.show(null);
    this.map.redraw();
  }

  /** Ring the centre of a view that the map was sent to. */
  ring(view) {
    this.leave();
    this.chosen = view;
  }

  sayNearest() {
    const { width, height } = this.map.frame;
    const found = nearest(this.map, width / 2, height / 2, Infinity);
    this.said.textContent = found ? `Nearest to the centre: ${found.text}, ${found.fact}` : "No papers in view.";
  }
}
