// The whole picture, from the ground up, and what may be written on it without hiding what is written already.

const ON_A_WALL = 1.3; // times the size of a name
const MARK_PIXELS = 12;
const MANY_MARKS = 80; // in one layer: beyond, they are drawn small, and names go over them
const LIT = 1.4; // times the size of a dot
const EDGE = 8; // pixels from the side of the map at which an arrow points out of it
const pictures = new WeakMap(); // of veils

/** Draw all of `map`, and note in `map.names` which names found a place. */
function paint(map) {
  const { pen, frame, scene } = map;
  const { colours, layers } = scene;
  pen.clearRect(0, 0, frame.width, frame.height);
  map.ground.paint(pen, frame);
  const played = map.years.picture(colours.years);
  if (played) drawVeil(pen, frame, played, scene.extent);
  for (const layer of layers) for (const veil of layer.cells) drawVeil(pen, frame, pictureOf(veil), veil.extent);
  for (const layer of layers) for (const line of layer.lines) drawLine(pen, frame, line, colours.halo);
  drawPoints(pen, frame, map.points, (year) => map.years.shows(year), colours.point);
  if (map.region) drawRegion(pen, frame, map.region, colours.chosen, true);
  if (map.sketch) drawRegion(pen, frame, map.sketch, colours.chosen, false);
  for (const layer of layers)
    for (const mark of layer.marks) drawMark(pen, frame, mark, colours.halo, isCrowded(layer) && !mark.label ? 0.6 : 1);
  for (const dot of [...scene.dots].reverse()) drawDot(pen, frame, dot, colours);
  const { pointed, chosen, lit } = map.pointing;
  writeAll(map);
  for (const thing of [pointed, chosen]) if (thing) drawRing(pen, frame, thing, colours.chosen);
  if (lit) drawLit(pen, frame, lit, colours);
}

/** Say on the element what is drawn, for whoever looks from outside. */
function sayWhatIsDrawn({ root, frame, names, points, ground, pointing }) {
  const { x, y, zoom } = frame.view;
  const { dataset } = root;
  dataset.view = [x, y, zoom].map((number) => Number(number.toFixed(4))).join();
  dataset.names = String(names.length);
  dataset.lit = pointing.lit ? String(pointing.lit.rank) : "";
  dataset.points = String(points.rows.length);
  dataset.ground = ground.missing(frame).length ? "coarse" : "sharp";
  dataset.drawn = String(Number(dataset.drawn || 0) + 1);
}

/** Names of marks first, then those of places, then those of lines, each only where it hides nothing. */
function writeAll(map) {
  const { pen, frame, scene } = map;
  const marks = scene.layers.flatMap((layer) => layer.marks);
  const alone = scene.layers.flatMap((layer) => (isCrowded(layer) ? [] : layer.marks));
  const taken = [
    boxOf(map.tools.element),
    ...alone.map((mark) => boxAround(frame, mark, 6)),
    ...scene.dots.map((dot) => boxAround(frame, dot, 11)),
  ];
  for (const mark of marks) {
    const [px, py] = frame.toScreen(mark.x, mark.y);
    if (mark.label) writeBeside(map, mark.label, px + 10, py, taken);
  }
  const scale = scene.options.big ? ON_A_WALL : 1;
  const { square } = map.ground;
  map.names = scene.shows_labels ? placedLabels(pen, frame, map.labels, square, taken, scene.lettering, scale) : [];
  for (const { text, px, py, size } of map.names) write(pen, text, px, py, size, scene.colours);
  for (const line of titledLines(scene.layers)) {
    const [px, py] = highest(frame, line.points) || [];
    if (px !== undefined) writeBeside(map, line.title, px + 4, py - 8, taken, line.colour);
  }
}

function isCrowded({ marks }) {
  return marks.length > MANY_MARKS;
}

/** Write to the right of a place, or as far to the left of that as the screen asks for. */
function writeBeside({ pen, frame, scene }, text, px, py, taken, ink = scene.colours.ink) {
  pen.font = `600 ${MARK_PIXELS}px ${FONT}`;
  const { width } = pen.measureText(text);
  const left = Math.min(px, frame.width - width - 4);
  const box = { left, right: left + width, top: py - 7, bottom: py + 7 };
  if (taken.some((other) => overlaps(box, other))) return;
  taken.push(box);
  write(pen, text, left, py, MARK_PIXELS, scene.colours, { anchor: "left", ink });
}

/** Of the lines of each title the longest, which bears the title. */
function titledLines(layers) {
  const longest = new Map();
  for (const line of layers.flatMap((layer) => layer.lines)) {
    const known = longest.get(line.title);
    if (line.title && (!known || known.points.length < line.points.length)) longest.set(line.title, line);
  }
  return [...longest.values()];
}

/** The highest place of a line that is on the screen, if any is. */
function highest(frame, points) {
  const seen = points
    .map(([x, y]) => frame.toScreen(x, y))
    .filter(([px, py]) => px > 0 && py > 16 && px < frame.width && py < frame.height);
  return seen.reduce((best, place) => (best && best[1] <= place[1] ? best : place), null);
}

function boxOf({ offsetLeft, offsetTop, offsetWidth, offsetHeight }) {
  return { left: offsetLeft, right: offsetLeft + offsetWidth, top: offsetTop, bottom: offsetTop + offsetHeight };
}

/** A paper that is pointed at in the list, larger and above all else; where it is out of sight, the way to it. */
function drawLit(pen, frame, dot, colours) {
  const [px, py] = frame.toScreen(dot.x, dot.y);
  const [x, y] = [within(px, frame.width), within(py, frame.height)];
  if (x === px && y === py) {
    drawRing(pen, frame, dot, colours.chosen, LIT * 13);
    drawDot(pen, frame, dot, colours, LIT);
    return;
  }
  pen.fillStyle = colours.chosen;
  pen.strokeStyle = colours.halo;
  pen.lineWidth = 1.5;
  arrowHead(pen, x, y, Math.atan2(py - y, px - x), LIT * 13);
  pen.fill();
  pen.stroke();
}

function within(pixel, side) {
  return Math.min(Math.max(pixel, EDGE), side - EDGE);
}

function drawRing(pen, frame, { x, y }, colour, radius = 8) {
  const [px, py] = frame.toScreen(x, y);
  pen.beginPath();
  pen.arc(px, py, radius, 0, 2 * Math.PI);
  pen.strokeStyle = colour;
  pen.lineWidth = 2.5;
  pen.stroke();
}

function pictureOf(veil) {
  if (!pictures.has(veil)) pictures.set(veil, veilPicture({ ...veil, values: bytesOf(veil.values) }));
  return pictures.get(veil);
}
