// The years: which papers are shown, and how many lie in each cell, counted here so that playing needs no server.

/** Decompress what Python's zlib compressed. */
async function inflated(text) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

class Years {
  constructor(redraw) {
    this.redraw = redraw;
    this.chosen = null;
    this.history = null;
    this.source = null;
  }

  /** Read the counts of a scene, unless they have already been read. */
  async load(history) {
    if (this.source === (history && history.counts)) return;
    this.source = history && history.counts;
    this.history = null;
    if (history) {
      const bytes = await inflated(history.counts);
      if (this.source !== history.counts) return; // other counts have arrived in the meantime
      this.history = { ...history, counts: new Uint16Array(bytes.buffer) };
    }
    this.heatmap = null;
    this.redraw();
  }

  choose(years) {
    this.chosen = years;
    this.heatmap = null;
    this.redraw();
  }

  /** True if a paper of `year` is drawn; papers without a year are drawn only while no years are chosen. */
  shows(year) {
    return !this.chosen || (year !== null && year >= this.chosen[0] && year <= this.chosen[1]);
  }

  /** The square root of the number of papers in each cell, as a share of its maximum over all spans of this length. */
  picture(colour) {
    if (!this.history || !this.chosen) return null;
    if (this.heatmap) return this.heatmap;
    const { rows, columns, first, last, counts } = this.history;
    const n = rows * columns;
    const sums = new Float64Array(n);
    for (let year = Math.max(this.chosen[0], first); year <= Math.min(this.chosen[1], last); year++)
      for (let cell = 0, at = (year - first) * n; cell < n; cell++, at++) sums[cell] += counts[at];
    const most = this.most(this.chosen[1] - this.chosen[0] + 1);
    const values = Array.from(sums, (sum) => Math.round(254 * Math.sqrt(sum / most)));
    this.heatmap = heatmapPicture({ rows, columns, values, colour });
    return this.heatmap;
  }

  /** The most papers in any cell over `span` consecutive years, so that a moving window keeps its scale. */
  most(span) {
    if (this.mostOf && this.mostOf[0] === span && this.mostOf[1] === this.source) return this.mostOf[2];
    const { rows, columns, first, last, counts } = this.history;
    const n = rows * columns;
    let most = 1;
    for (let cell = 0; cell < n; cell++) {
      let sum = 0;
      for (let year = 0; year <= last - first; year++) {
        sum += counts[year * n + cell] - (year >= span ? counts[(year - span) * n + cell] : 0);
        most = Math.max(most, sum);
      }
    }
    this.mostOf = [span, this.source, most];
    return most;
  }
}
