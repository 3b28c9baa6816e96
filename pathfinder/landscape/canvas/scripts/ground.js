// The ground: a mosaic of the tiles in view, coloured pixel by pixel, so that a coast is sharp at every zoom.

const NOTHING = "rgb(0, 128, 0)"; // red: no papers; green: level ground; blue: no height
const SHADES = 64;
const SOFTENED = 6; // pixels of blur, close up: without it, the levels look like terraces, as there are only a few
const EVENED = 3; // tile pixels of blur, for the same reason, where a tile is enlarged because there is no finer one

/** Decode base64. */
function bytesOf(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

function blank(width, height, options) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(width, 1);
  canvas.height = Math.max(height, 1);
  return [canvas, canvas.getContext("2d", options)];
}

/** The colour of each level under each shade, stored like the pixels of a picture. */
function lookUpTable({ table, shading, shaded_from }) {
  const found = new Uint32Array(256 * SHADES);
  for (let level = 0; level < 256; level++) {
    for (let step = 0; step < SHADES; step++) {
      const slope = (step * 256) / SHADES / 128 - 1;
      const light = level >= shaded_from ? shading * slope : 0;
      const [red, green, blue] = [0, 1, 2].map((i) => {
        const own = table[3 * level + i];
        return Math.round(light > 0 ? own + (255 - own) * light : own * (1 + light));
      });
      found[level * SHADES + step] = ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
    }
  }
  return found;
}

class Ground {
  constructor(square, nZooms, redraw) {
    this.square = square;
    this.nZooms = nZooms;
    this.redraw = redraw;
    this.tiles = new Map();
    this.nAdded = 0;
    [this.mosaic, this.mosaicPen] = blank(1, 1);
    [this.raw, this.rawPen] = blank(1, 1, { willReadFrequently: true });
    this.painted = "";
  }

  dress(colours) {
    this.colours = colours;
    this.lookUp = lookUpTable(colours);
    this.painted = "";
  }

  /** Store tiles that have arrived; a tile that cannot be read counts as missing. */
  async add(tiles) {
    await Promise.allSettled(
      Object.entries(tiles).map(async ([key, text]) => {
        if (this.tiles.has(key)) return;
        const picture = new Blob([bytesOf(text)], { type: "image/png" });
        const options = { colorSpaceConversion: "none", premultiplyAlpha: "none" };
        this.tiles.set(key, await createImageBitmap(picture, options));
      }),
    );
    this.nAdded += 1;
    this.redraw();
  }

  /** The zoom of the tiles that are about as fine as the screen: a tile is drawn 200 to 400 pixels wide. */
  level(frame) {
    const level = Math.floor(Math.log2((frame.unit * this.square.side) / TILE_PIXELS) + 0.35);
    return Math.min(Math.max(level, 0), this.nZooms - 1);
  }

  /** The tiles in view: their zoom, and the first and the last column and row. */
  inView(frame) {
    const zoom = this.level(frame);
    const { left, top, side } = this.square;
    const n = 2 ** zoom;
    const within = (share) => Math.min(Math.max(Math.floor(share * n), 0), n - 1);
    const box = frame.box;
    return {
      zoom,
      columns: [within((box.left - left) / side), within((box.right - left) / side)],
      lines: [within((top - box.top) / side), within((top - box.bottom) / side)],
    };
  }

  keys(frame) {
    const { zoom, columns, lines } = this.inView(frame);
    const found = [];
    for (let line = lines[0]; line <= lines[1]; line++)
      for (let column = columns[0]; column <= columns[1]; column++) found.push(`${zoom}/${column}/${line}`);
    return found;
  }

  missing(frame) {
    return this.keys(frame).filter((key) => !this.tiles.has(key));
  }

  /** Draw the ground of `frame` with `pen`, from the available tiles. */
  paint(pen, frame) {
    const { width, height } = frame;
    const key = [width, height, frame.x, frame.y, frame.zoom, this.nAdded].join();
    if (key !== this.painted) {
      this.compose(frame);
      this.colour(frame);
      this.painted = key;
    }
    pen.drawImage(this.raw, 0, 0, width, height);
  }

  /** Tiles side by side first, then all of them scaled at once: tiles scaled one by one would show their seams. */
  compose(frame) {
    const { left, top, side } = this.square;
    const seen = this.inView(frame);
    const tile = side / 2 ** seen.zoom;
    const scale = (tile * frame.unit) / TILE_PIXELS;
    const { column, line } = this.lay(seen, scale > 2);
    this.raw.width = frame.width;
    this.raw.height = frame.height;
    this.rawPen.fillStyle = NOTHING;
    this.rawPen.fillRect(0, 0, frame.width, frame.height);
    const [x, y] = frame.toScreen(left + column * tile, top - line * tile);
    this.rawPen.imageSmoothingQuality = "medium";
    this.rawPen.filter = `blur(${SOFTENED * Math.min(frame.zoom, 1)}px)`;
    this.rawPen.drawImage(this.mosaic, x, y, this.mosaic.width * scale, this.mosaic.height * scale);
  }

  /** Lay out the mosaic, unless it is already in place, and return where it begins. If it is to be smoothed, the mosaic includes the surrounding tiles. */
  lay({ zoom, columns, lines }, isEven) {
    const within = (at) => Math.min(Math.max(at, 0), 2 ** zoom - 1);
    const [firstColumn, lastColumn, firstLine, lastLine] = [...columns, ...lines].map((at, i) =>
      isEven ? within(at + (i % 2 ? 1 : -1)) : at,
    );
    const found = { column: firstColumn, line: firstLine };
    const key = [zoom, firstColumn, lastColumn, firstLine, lastLine, isEven, this.nAdded].join();
    if (key === this.laid) return found;
    this.laid = key;
    this.mosaic.width = (lastColumn - firstColumn + 1) * TILE_PIXELS;
    this.mosaic.height = (lastLine - firstLine + 1) * TILE_PIXELS;
    this.mosaicPen.fillStyle = NOTHING;
    this.mosaicPen.fillRect(0, 0, this.mosaic.width, this.mosaic.height);
    for (let line = firstLine; line <= lastLine; line++)
      for (let column = firstColumn; column <= lastColumn; column++)
        this.place(zoom, column, line, (column - firstColumn) * TILE_PIXELS, (line - firstLine) * TILE_PIXELS);
    if (isEven) this.even();
    return found;
  }

  /** Blur the mosaic itself, which takes the same time at any zoom. */
  even() {
    const { width, height } = this.mosaic;
    const [rough, pen] = blank(width, height);
    pen.drawImage(this.mosaic, 0, 0);
    this.mosaicPen.filter = `blur(${EVENED}px)`;
    this.mosaicPen.drawImage(rough, 0, 0);
    this.mosaicPen.filter = "none";
  }

  /** One tile of the mosaic: the tile itself, or the matching part of the nearest coarser one that has arrived. */
  place(zoom, column, line, x, y) {
    for (let up = 0; up <= zoom; up++) {
      const tile = this.tiles.get(`${zoom - up}/${column >> up}/${line >> up}`);
      if (!tile) continue;
      const part = TILE_PIXELS / 2 ** up;
      const mask = 2 ** up - 1;
      const [fromX, fromY] = [(column & mask) * part, (line & mask) * part];
      this.mosaicPen.drawImage(tile, fromX, fromY, part, part, x, y, TILE_PIXELS, TILE_PIXELS);
      return;
    }
  }

  colour(frame) {
    const picture = this.rawPen.getImageData(0, 0, frame.width, frame.height);
    const { data } = picture;
    const pixels = new Uint32Array(data.buffer);
    const { channel } = this.colours;
    const { lookUp } = this;
    for (let i = 0, at = 0; i < pixels.length; i++, at += 4)
      pixels[i] = lookUp[data[at + channel] * SHADES + (data[at + 1] >> 2)];
    this.rawPen.putImageData(picture, 0, 0);
  }
}
