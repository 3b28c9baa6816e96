// Where the map lies on the screen. Coordinates of the map increase to the right and upwards, those of pixels to the
// right and downwards.

const TILE_PIXELS = 256;

/** The part of the map in view: its centre and zoom; each zoom halves the width. */
class Frame {
  constructor(extent, maxZoom) {
    this.extent = extent;
    this.maxZoom = maxZoom;
    this.width = this.height = 1;
    this.showAll();
  }

  /** Pixels per unit of the map: at zoom 0 the whole extent fits. */
  get unit() {
    const { left, right, bottom, top } = this.extent;
    return Math.min(this.width / (right - left), this.height / (top - bottom)) * 2 ** this.zoom;
  }

  /** The box in view, in coordinates of the map; it may reach beyond the map. */
  get box() {
    const across = this.width / this.unit / 2;
    const up = this.height / this.unit / 2;
    return { left: this.x - across, right: this.x + across, bottom: this.y - up, top: this.y + up };
  }

  /** The part of the map in view: left, bottom, right, top. */
  get boxOfMap() {
    const { extent, box } = this;
    return [
      Math.max(box.left, extent.left),
      Math.max(box.bottom, extent.bottom),
      Math.min(box.right, extent.right),
      Math.min(box.top, extent.top),
    ];
  }

  toScreen(x, y) {
    return [(x - this.x) * this.unit + this.width / 2, this.height / 2 - (y - this.y) * this.unit];
  }

  toMap(px, py) {
    return [this.x + (px - this.width / 2) / this.unit, this.y - (py - this.height / 2) / this.unit];
  }

  showAll() {
    const { left, right, bottom, top } = this.extent;
    this.go({ x: (left + right) / 2, y: (bottom + top) / 2, zoom: 0 });
  }

  /** Go to a view, or to the nearest that the map allows. */
  go({ x, y, zoom }) {
    const { left, right, bottom, top } = this.extent;
    this.zoom = Math.min(Math.max(zoom, 0), this.maxZoom);
    this.x = Math.min(Math.max(x, left), right);
    this.y = Math.min(Math.max(y, bottom), top);
  }

  moveBy(px, py) {
    this.go({ x: this.x - px / this.unit, y: this.y + py / this.unit, zoom: this.zoom });
  }

  /** Zoom by `steps`; what lies under the given pixel stays there. */
  zoomAt(px, py, steps) {
    const [x, y] = this.toMap(px, py);
    this.zoom = Math.min(Math.max(this.zoom + steps, 0), this.maxZoom);
    this.go({
      x: x - (px - this.width / 2) / this.unit,
      y: y + (py - this.height / 2) / this.unit,
      zoom: this.zoom,
    });
  }

  /** True if the whole map is in view, as at the start. */
  get isWhole() {
    const { left, right, bottom, top } = this.extent;
    return this.zoom === 0 && this.x === (left + right) / 2 && this.y === (bottom + top) / 2;
  }

  get view() {
    return { x: this.x, y: this.y, zoom: this.zoom };
  }
}

/** The square around the extent, which the tiles cover. */
function squareAround({ left, right, bottom, top }) {
  const side = Math.max(right - left, top - bottom);
  return { left: (left + right - side) / 2, top: (bottom + top + side) / 2, side };
}

/** True if a place lies in a polygon: a line from the place outwards crosses an odd number of edges. */
function isWithin(x, y, corners) {
  let within = false;
  for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
    const [ax, ay] = corners[i];
    const [bx, by] = corners[j];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) within = !within;
  }
  return within;
}
