// Everything over the ground: heatmaps, lines, points, marks, papers found, the region, and names on top.

const FONT = "'Source Sans', 'Source Sans Pro', system-ui, sans-serif";
const GAP = 4;

function channels(colour) {
  const number = parseInt(colour.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

/** A heatmap as a small picture: a pixel for each cell, more opaque for higher values; 255 stands for no value. */
function heatmapPicture({ rows, columns, values, colour }) {
  const [picture, pen] = blank(columns, rows);
  const pixels = pen.createImageData(columns, rows);
  const [red, green, blue] = channels(colour);
  values.forEach((value, i) => {
    const opacity = value === 255 || value === 0 ? 0 : 40 + (value / 254) * 175;
    pixels.data.set([red, green, blue, opacity], 4 * i);
  });
  pen.putImageData(pixels, 0, 0);
  return picture;
}

function drawHeatmap(pen, frame, picture, extent) {
  const [left, top] = frame.toScreen(extent.left, extent.top);
  const [right, bottom] = frame.toScreen(extent.right, extent.bottom);
  pen.imageSmoothingEnabled = true;
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, left, top, right - left, bottom - top);
}

function trace(pen, frame, corners, isClosed) {
  pen.beginPath();
  corners.forEach(([x, y], i) => {
    const [px, py] = frame.toScreen(x, y);
    if (i) pen.lineTo(px, py);
    else pen.moveTo(px, py);
  });
  if (isClosed) pen.closePath();
}

function drawLine(pen, frame, line, halo) {
  pen.lineJoin = pen.lineCap = "round";
  trace(pen, frame, line.points, false);
  pen.strokeStyle = halo;
  pen.globalAlpha = 0.6;
  pen.lineWidth = line.is_path ? 5 : 3.5;
  pen.stroke();
  pen.globalAlpha = 1;
  pen.strokeStyle = line.colour;
  pen.lineWidth = line.is_path ? 2.5 : 1.75;
  if (line.dashes.length) pen.lineCap = "butt"; // a round end would fill the gap
  pen.setLineDash(line.dashes);
  pen.stroke();
  pen.setLineDash([]);
  if (line.is_path && line.points.length > 1) drawArrow(pen, frame, line);
}

function drawArrow(pen, frame, line) {
  const [from, to] = line.points.slice(-2).map(([x, y]) => frame.toScreen(x, y));
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  pen.fillStyle = line.colour;
  arrowHead(pen, ...to, angle, 13);
  pen.fill();
}

/** The outline of an arrow head with its tip at a place. */
function arrowHead(pen, px, py, angle, size) {
  pen.beginPath();
  pen.moveTo(px, py);
  for (const turn of [2.6, -2.6]) pen.lineTo(px + size * Math.cos(angle + turn), py + size * Math.sin(angle + turn));
  pen.closePath();
}

/** A paper among many: a square, which is drawn fastest. */
function drawPoints(pen, frame, points, isIn, colour) {
  const size = Math.min(2 + 0.45 * frame.zoom, 5);
  pen.fillStyle = colour;
  pen.globalAlpha = Math.min(0.4 + 0.08 * frame.zoom, 0.85);
  for (let i = 0; i < points.x.length; i++) {
    if (!isIn(points.years[i])) continue;
    const [px, py] = frame.toScreen(points.x[i], points.y[i]);
    pen.fillRect(px - size / 2, py - size / 2, size, size);
  }
  pen.globalAlpha = 1;
}

function drawMark(pen, frame, mark, halo, scale) {
  const [px, py] = frame.toScreen(mark.x, mark.y);
  pen.fillStyle = mark.colour;
  pen.strokeStyle = halo;
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (const [dx, dy] of [[0, -7], [6, 5], [-6, 5]]) pen.lineTo(px + dx * scale, py + dy * scale);
  pen.closePath();
  pen.fill();
  pen.stroke();
}

/** A paper that was found: its rank in a circle, in a diamond if it is an outlier, or in a square if it is not in the corpus. */
function drawDot(pen, frame, dot, colours, scale = 1) {
  const [px, py] = frame.toScreen(dot.x, dot.y);
  const radius = scale * (dot.rank === null ? 6 : 10);
  const corner = scale * 13;
  pen.beginPath();
  if (dot.live) pen.rect(px - 0.9 * radius, py - 0.9 * radius, 1.8 * radius, 1.8 * radius);
  else if (dot.outlier) for (const [dx, dy] of [[0, -corner], [corner, 0], [0, corner], [-corner, 0]]) pen.lineTo(px + dx, py + dy);
  else pen.arc(px, py, radius, 0, 2 * Math.PI);
  pen.closePath();
  pen.fillStyle = dot.outlier && !dot.live ? colours.outlier : colours.dot;
  pen.fill();
  pen.strokeStyle = inkOn(pen.fillStyle);
  pen.lineWidth = 1.5;
  pen.stroke();
  if (dot.rank === null) return;
  pen.fillStyle = pen.strokeStyle;
  pen.font = `700 ${11 * scale}px ${FONT}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(String(dot.rank), px, py + 0.5);
}

/** Black or white, whichever is more legible on a colour; picture files follow the same rule. */
function inkOn(colour) {
  const [red, green, blue] = channels(colour);
  return 0.299 * red + 0.587 * green + 0.114 * blue > 150 ? "#000000" : "#ffffff";
}

function drawRegion(pen, frame, corners, colour, isDone) {
  trace(pen, frame, corners, isDone);
  if (isDone) {
    pen.globalAlpha = 0.14;
    pen.fillStyle = colour;
    pen.fill();
    pen.globalAlpha = 1;
  }
  pen.setLineDash(isDone ? [] : [6, 4]);
  pen.strokeStyle = colour;
  pen.lineWidth = 2;
  pen.stroke();
  pen.setLineDash([]);
}

/** Write text in ink on a halo, and on a plate if the palette asks for one. `anchor` is "center" or "left". */
function write(pen, text, px, py, size, colours, { weight = 600, anchor = "center", ink = colours.ink } = {}) {
  pen.font = `${weight} ${size}px ${FONT}`;
  pen.textAlign = anchor;
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  if (colours.plate > 0) {
    const width = pen.measureText(text).width + 8;
    pen.globalAlpha = colours.plate;
    pen.fillStyle = colours.halo;
    pen.fillRect(anchor === "center" ? px - width / 2 : px - 4, py - size * 0.7, width, size * 1.4);
    pen.globalAlpha = 1;
  } else {
    pen.strokeStyle = colours.halo;
    pen.lineWidth = 3.5;
    pen.globalAlpha = 0.75;
    pen.strokeText(text, px, py);
    pen.globalAlpha = 1;
  }
  pen.fillStyle = ink;
  pen.fillText(text, px, py);
}

function overlaps(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** The names to draw: those of this zoom that overlap no earlier name and fit on the screen. They grow with the zoom. */
function placedLabels(pen, frame, labels, square, taken, { pixels, growth, smallest, largest, map_pixels }, scale) {
  const zoom = Math.log2((frame.unit * square.side) / map_pixels);
  const grown = Math.min(Math.max(growth ** zoom, smallest), largest);
  const placed = [];
  for (const label of labels) {
    if (label.min_zoom > Math.max(zoom, 0)) continue;
    const [px, py] = frame.toScreen(label.x, label.y);
    if (px < 0 || py < 0 || px > frame.width || py > frame.height) continue;
    const size = pixels[label.level] * grown * scale;
    pen.font = `600 ${size}px ${FONT}`;
    const half = pen.measureText(label.text).width / 2 + GAP;
    const at = Math.min(Math.max(px, half), frame.width - half);
    const box = { left: at - half, right: at + half, top: py - size * 0.7, bottom: py + size * 0.7 };
    if (2 * half > frame.width || taken.some((other) => overlaps(box, other))) continue;
    taken.push(box);
    placed.push({ ...label, px: at, py, size, box });
  }
  return placed;
}

/** The box of a dot or a mark, which no name may cover. */
function boxAround(frame, { x, y }, radius) {
  const [px, py] = frame.toScreen(x, y);
  return { left: px - radius, right: px + radius, top: py - radius, bottom: py + radius };
}
