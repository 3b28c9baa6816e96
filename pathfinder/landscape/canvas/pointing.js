// What is pointed at.

function yearInWords(year) {
  return year === null || year === undefined ? "year unknown" : String(year);
}

/** What is drawn within `reach` pixels, the nearest; papers found before marks, and marks before the many. */
function nearest({ frame, scene, points, years }, px, py, reach) {
  let best = null;
  const consider = (x, y, bonus, told) => {
    const [ax, ay] = frame.toScreen(x, y);
    if (ax < 0 || ay < 0 || ax > frame.width || ay > frame.height) return;
    const apart = Math.hypot(ax - px, ay - py) - bonus;
    if (apart <= reach && (!best || apart < best.apart)) best = { apart, x, y, ...told() };
  };
  for (const dot of scene.dots) consider(dot.x, dot.y, 6, () => ({ text: dot.title, fact: factOf(dot), row: dot.row }));
  for (const layer of scene.layers)
    for (const mark of layer.marks)
      consider(mark.x, mark.y, 3, () => ({ text: mark.text, fact: mark.title, row: mark.row }));
  for (let i = 0; i < points.rows.length; i++) {
    const fact = () => ({ text: points.titles[i], fact: yearInWords(points.years[i]), row: points.rows[i] });
    if (years.shows(points.years[i])) consider(points.x[i], points.y[i], 0, fact);
  }
  return best;
}

function factOf({ rank, year, outlier }) {
  const facts = [rank === null ? "" : `number ${rank}`, yearInWords(year), outlier ? "apart from the others in subject" : ""];
  return facts.filter(Boolean).join(" · ");
}
