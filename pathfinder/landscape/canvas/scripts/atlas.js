// The map on a canvas: `mount(element, scene, report)`.

const SETTLED_MS = 90; // how long the map must rest before its view is reported and data are requested
const KEYS = "Arrow keys move the map, plus and minus zoom, 0 shows all of it, Enter opens the paper nearest to the centre.";

class AtlasMap {
  constructor(element, scene, report) {
    this.report = report;
    this.frame = new Frame(scene.extent, scene.max_zoom);
    this.ground = new Ground(squareAround(scene.extent), scene.n_tile_zooms, () => this.redraw());
    this.years = new Years(() => this.redraw());
    this.points = { rows: [], x: [], y: [], years: [], titles: [], n: 0, box: null };
    this.root = made("div", { class: "atlas" });
    this.stage = made("div", { class: "atlas-stage" });
    this.canvas = made("canvas", { tabindex: "0", role: "application", "aria-label": `Map of the papers. ${KEYS}` });
    this.pen = this.canvas.getContext("2d");
    this.pointing = new Pointing(this);
    this.wants = new Wants(this);
    this.middle = made("div", { class: "atlas-middle" });
    this.stage.append(this.canvas, this.middle, this.pointing.card.element);
    this.body = made("div", { class: "atlas-body" });
    this.body.append(this.stage, this.pointing.hits.element);
    this.root.append(this.body, this.pointing.said);
    element.append(this.root);
    this.take(scene);
    this.equip();
    this.watch = new ResizeObserver(() => this.fit());
    this.watch.observe(this.stage);
    this.fit();
    this.settle();
  }

  equip() {
    const zoom = (steps) => () => {
      this.frame.zoomAt(this.frame.width / 2, this.frame.height / 2, steps);
      this.moved();
    };
    const whole = () => {
      this.frame.showAll();
      this.moved();
    };
    const does = { zoomIn: zoom(1), zoomOut: zoom(-1), whole, mode: (name) => this.turn(name), seen: () => this.takeView() };
    this.tools = new Tools(does, this.scene.options.can_select);
    this.root.prepend(this.tools.element);
    this.hand = new Hand(this.canvas, this.frame, {
      moved: (byKey) => this.moved(byKey),
      pointed: (px, py) => this.pointing.at(px, py),
      clicked: (px, py, reach) => this.pointing.click(px, py, reach),
      drawing: (corners, isDone) => this.drawn(corners, isDone),
      left: () => this.pointing.at(-99, -99),
      keyed: (key) => this.keyed(key),
    });
    this.turn("pan");
  }

  /** Take a scene, or the parts of it that changed; the view stays unless `view_number` changes. */
  take(scene) {
    const before = this.scene || {};
    this.scene = { ...before, ...scene };
    const { options, labels } = this.scene;
    this.root.classList.toggle("atlas-big", Boolean(options.large));
    if (this.scene.colours !== before.colours) this.ground.dress(this.scene.colours);
    if (this.scene.view_number !== before.view_number) {
      if (this.scene.view) this.frame.go(this.scene.view);
      else this.frame.showAll();
      if (before.view_number) this.sent();
      this.settle();
    }
    if (labels !== before.labels) this.labels = [...labels].sort((a, b) => a.level - b.level || b.n_papers - a.n_papers);
    // What a reader has just drawn stays until the server sends another region.
    if (JSON.stringify(this.scene.region) !== JSON.stringify(before.region)) this.region = this.scene.region;
    this.takeYears(before);
    this.pointing.hits.take(this.scene.dots, this.scene.colours);
    if (scene.points) this.points = scene.points;
    if (scene.tiles) this.ground.add(scene.tiles).then(() => this.wants.arrived(!this.rest));
    else if (scene.points) this.wants.arrived(!this.rest);
    this.redraw();
  }

  /** The map was sent to a place: ring it, and scroll the map into view for a reader who is elsewhere on the page. */
  sent() {
    this.pointing.ring(this.scene.view);
    if (this.scene.options.scrolls_into_view) this.middle.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  takeYears(before) {
    const { history, years } = this.scene;
    this.years.load(history);
    if (JSON.stringify(years) !== JSON.stringify(before.years)) this.years.choose(years);
    if (JSON.stringify(history && history.counts) === JSON.stringify(before.history && before.history.counts)) return;
    if (this.strip) {
      this.strip.stop();
      this.strip.element.remove();
      this.strip = null;
      if (!history) this.years.choose(null);
    }
    if (!history) return;
    this.strip = new YearStrip(history.first, history.last, years, (chosen, isPlay) => {
      const isAll = chosen[0] === history.first && chosen[1] === history.last;
      this.years.choose(isAll ? null : chosen);
      if (isPlay) return;
      this.report("years", isAll ? null : chosen);
      this.points = { ...this.points, box: null }; // other papers, from these years, are to be drawn
      this.settle();
    });
    this.root.append(this.strip.element);
  }

  /** Go back to the scene as it was sent, whatever has been played, pointed at, chosen or moved since. */
  restart() {
    const { view, years } = this.scene;
    if (this.strip) this.strip.reset(years);
    this.years.choose(years);
    this.pointing.chosen = null;
    if (view) this.frame.go(view);
    else this.frame.showAll();
    this.moved();
  }

  fit() {
    const { clientWidth, clientHeight } = this.stage;
    if (!clientWidth || !clientHeight) return;
    this.frame.width = clientWidth;
    this.frame.height = clientHeight;
    const sharp = Math.min(window.devicePixelRatio || 1, 2);
    this.canvas.width = clientWidth * sharp;
    this.canvas.height = clientHeight * sharp;
    this.pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    this.draw();
    this.settle();
  }

  moved(byKey = false) {
    this.byKey = byKey;
    this.pointing.leave();
    this.redraw();
    this.settle();
  }

  /** Once the map rests: report the view, and request what it needs. */
  settle() {
    clearTimeout(this.rest);
    this.rest = setTimeout(() => {
      this.rest = null;
      const { x, y, zoom } = this.frame.view;
      const key = [x, y, zoom].join();
      if (key !== this.toldView) this.report("view", { x, y, zoom, is_whole: this.frame.isWhole });
      this.toldView = key;
      this.wants.ask();
      if (this.byKey) this.pointing.sayNearest();
    }, SETTLED_MS);
  }

  turn(mode) {
    this.hand.mode = mode;
    this.tools.show(mode);
    this.canvas.style.cursor = mode === "pan" ? "grab" : "crosshair";
  }

  drawn(corners, isDone) {
    this.sketch = isDone ? null : corners;
    if (isDone) {
      this.turn("pan");
      if (corners) this.select(corners);
    }
    this.redraw();
  }

  select(corners) {
    this.region = corners;
    this.report("select", corners);
    this.redraw();
  }

  takeView() {
    const { left, right, bottom, top } = this.frame.box;
    this.select([[left, bottom], [right, bottom], [right, top], [left, top]]);
  }

  keyed(key) {
    const modes = { m: "pan", b: "box", l: "lasso" };
    if (this.scene.options.can_select && modes[key]) this.turn(modes[key]);
    else if (this.scene.options.can_select && key === "v") this.takeView();
    else if (key === "Enter") this.pointing.click(this.frame.width / 2, this.frame.height / 2, Infinity);
    else if (key === "Escape") {
      this.turn("pan");
      if (this.region) this.select(null);
    } else return false;
    return true;
  }

  redraw() {
    if (this.due) return;
    this.due = requestAnimationFrame(() => {
      this.due = null;
      this.draw();
    });
  }

  draw() {
    if (this.frame.width <= 1) return;
    paint(this);
    sayWhatIsDrawn(this);
  }

  /** Remove everything. */
  end() {
    this.watch.disconnect();
    this.hand.end();
    if (this.strip) this.strip.stop();
    clearTimeout(this.rest);
    this.wants.end();
    cancelAnimationFrame(this.due);
    this.root.remove();
  }
}

/**
 * Draw the map of `scene` in `element` and keep it alive.
 *
 * `report(kind, value)` is told what the reader does:
 *   "view"   {x, y, zoom, is_whole}, once the hand rests;
 *   "want"   {tiles: ["zoom/column/row", ...], box: [left, bottom, right, top] or null, has}: what the view needs and
 *            has not, and the number of the scene that it is wanted for;
 *   "click"  {row, text, x, y}: a paper or a mark, on the map or in the list, or a place where neither is (row and text
 *            are null);
 *   "select" the corners [[x, y], ...] of a region, or null;
 *   "years"  [from, to], or null for all.
 * Returns an object with `take(scene)`, which takes another scene or the parts of one that changed, `go(view)`, and `end()`.
 */
function mount(element, scene, report) {
  const map = new AtlasMap(element, scene, report);
  return {
    take: (changed) => map.take(changed),
    go: (view) => {
      map.frame.go(view);
      map.moved();
    },
    end: () => map.end(),
    map,
  };
}
