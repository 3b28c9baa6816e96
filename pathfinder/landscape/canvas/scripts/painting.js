// The whole picture, from the ground up, with text only where it hides no other text.

const ON_A_WALL = 1.3; // factor by which names are enlarged on a wall screen
const MARK_PIXELS = 12;
const MANY_MARKS = 80; // in one layer: if there are more, they are drawn small, and names go over them
const LIT = 1.4; // factor by which a highlighted dot is enlarged
const EDGE = 8; // pixels between the side of the map and the tip of an arrow that points beyond it
const pictures = new WeakMap(); // of heatmaps

/** Draw all of `map`, and list in `map.names` the names that are drawn. */
function paint(map) {
  const { pen, frame, scene } = map;
  const { colours, layers } = scene;
  pen.clearRect(0, 0, frame.width, frame.height);
  map.ground.paint(pen, frame);
  const played = map.years.picture(colours.years);
  if (played) drawHeatmap(pen, frame, played, scene.extent);
  for (const layer of layers) for (const heatmap of layer.cells) drawHeatmap(pen, frame, pictureOf(heatmap), heatmap.extent);
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

/** Note on the element what is drawn, for tests and scripts. */
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

/** Write the names of marks, then of places, then of lines, each only where it hides nothing. */
function writeAll(map) {
  const { pen, frame, scene } = map;
  const marks = scene.layers.flatMap((layer) => layer.marks);
  const alone = scene.layers.flatMap((layer) => (isCrowded(layer) ? [] : layer.marks));
  const taken = [
    ...alone.map((mark) => boxAround(frame, mark, 6)),
    ...scene.dots.map((dot) => boxAround(frame, dot, 11)),
  ];
  for (const mark of marks) {
    const [px, py] = frame.toScreen(mark.x, mark.y);
    if (mark.label) writeBeside(map, mark.label, px + 10, py, taken);
  }
  const scale = scene.options.large ? ON_A_WALL : 1;
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

/** Write to the right of a place, or further left if the screen ends there. */
function writeBeside({ pen, frame, scene }, text, px, py, taken, ink = scene.colours.ink) {
  pen.font = `600 ${MARK_PIXELS}px ${FONT}`;
  const { width } = pen.measureText(text);
  const left = Math.min(px, frame.width - width - 4);
  const box = { left, right: left + width, top: py - 7, bottom: py + 7 };
  if (taken.some((other) => overlaps(box, other))) return;
  taken.push(box);
  write(pen, text, left, py, MARK_PIXELS, scene.colours, { anchor: "left", ink });
}

/** For each title, its longest line, next to which the title is written. */
function titledLines(layers) {
  const longest = new Map();
  for (const line of layers.flatMap((layer) => layer.lines)) {
    const known = longest.get(line.title);
    if (line.title && (!known || known.points.length < line.points.length)) longest.set(line.title, line);
  }
  return [...longest.values()];
}

/** The highest point of a line on the screen, if any. */
function highest(frame, points) {
  const seen = points
    .map(([x, y]) => frame.toScreen(x, y))
    .filter(([px, py]) => px > 0 && py > 16 && px < frame.width && py < frame.height);
  return seen.reduce((best, place) => (best && best[1] <= place[1] ? best : place), null);
}

/** A paper that is pointed at in the list: larger and above everything else, or an arrow to it if it is out of view. */
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

function pictureOf(heatmap) {
  if (!pictures.has(heatmap)) pictures.set(heatmap, heatmapPicture({ ...heatmap, values: bytesOf(heatmap.values) }));
  return pictures.get(heatmap);
}
