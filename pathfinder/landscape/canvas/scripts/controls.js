// Controls on the map: buttons, the card for whatever is pointed at, and the strip with the years.

const ICONS = {
  zoomIn: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z",
  zoomOut: "M5 11h14v2H5z",
  whole: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
  pan: "M12 2l3 4h-2v5h5V9l4 3-4 3v-2h-5v5h2l-3 4-3-4h2v-5H6v2l-4-3 4-3v2h5V6H9z",
  box: "M4 4h4v2H6v2H4zM10 4h4v2h-4zM16 4h4v4h-2V6h-2zM4 10h2v4H4zM18 10h2v4h-2zM4 16h2v2h2v2H4zM10 18h4v2h-4zM18 16h2v4h-4v-2h2z",
  lasso: "M12 4c5 0 9 2.500 9 6s-4 6-9 6c-1 0-2-.1-2.900-.3C9 17.500 7.500 19 5.500 20.500l-1.200-1.600C5.700 17.800 6.700 16.700 7 15c-2.400-1-4-2.800-4-5 0-3.500 4-6 9-6zm0 2c-4 0-7 1.900-7 4s3 4 7 4 7-1.900 7-4-3-4-7-4z",
  seen: "M3 5h18v14H3zm2 2v10h14V7zm3 4h8v2H8z",
  play: "M8 5l11 7-11 7z",
  pause: "M7 5h4v14H7zM13 5h4v14h-4z",
};
const PLAY_MS = 700;

/** An element with attributes; `text` is inserted as plain text. */
function made(name, attributes = {}, text = "") {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", ICONS[name]);
  path.setAttribute("fill-rule", "evenodd");
  picture.append(path);
  return picture;
}

function button(name, label, pressed, word = "") {
  const found = made("button", { type: "button", title: label, "aria-label": label, class: `atlas-${name}` });
  found.append(icon(name));
  if (word) found.append(made("span", { class: "atlas-word" }, word));
  found.addEventListener("click", pressed);
  return found;
}

/** The buttons. `does` holds a function for each button, keyed by the button's name; the mode buttons show which mode is on. */
class Tools {
  constructor(does, hasModes) {
    this.element = made("div", { class: "atlas-tools", role: "toolbar", "aria-label": "Map" });
    this.modes = {};
    const zooms = made("div");
    zooms.append(
      button("zoomIn", "Zoom in (+)", does.zoomIn),
      button("zoomOut", "Zoom out (-)", does.zoomOut),
      button("whole", "Whole map (0)", does.whole),
    );
    this.element.append(zooms);
    if (!hasModes) return;
    const modes = made("div");
    const names = {
      pan: ["Move", "Move the map (m)"],
      lasso: ["Draw", "Draw a region by hand (l)"],
      box: ["Box", "Draw a box (b)"],
    };
    for (const [name, [word, label]] of Object.entries(names)) {
      this.modes[name] = button(name, label, () => does.mode(name), word);
      modes.append(this.modes[name]);
    }
    modes.append(button("seen", "Select everything in view (v)", does.seen, "All in view"));
    this.element.append(modes);
  }

  show(mode) {
    for (const [name, one] of Object.entries(this.modes)) one.setAttribute("aria-pressed", String(name === mode));
  }
}

/** The card next to whatever is pointed at. */
class Card {
  constructor() {
    this.element = made("div", { class: "atlas-card", hidden: "" });
    this.title = made("strong");
    this.fact = made("span");
    this.element.append(this.title, this.fact);
  }

  show(thing, px, py, width, height) {
    this.element.hidden = !thing;
    if (!thing) return;
    this.title.textContent = thing.text;
    this.fact.textContent = thing.fact;
    const { offsetWidth, offsetHeight } = this.element;
    const left = Math.min(Math.max(px + 14, 4), Math.max(width - offsetWidth - 4, 4));
    const under = py + 16 + offsetHeight < height;
    this.element.style.left = `${left}px`;
    this.element.style.top = `${under ? py + 16 : Math.max(py - 12 - offsetHeight, 4)}px`;
  }
}

/** First and last year, and a play button that moves the window by a year at a time and starts again at the end. */
class YearStrip {
  constructor(first, last, chosen, changed) {
    this.first = first;
    this.last = last;
    this.changed = changed;
    this.element = made("div", { class: "atlas-years", role: "group", "aria-label": "Years" });
    this.play = button("play", "Play the years", () => this.toggle());
    const slider = (label) =>
      made("input", { type: "range", min: String(first), max: String(last), step: "1", "aria-label": label });
    this.from = slider("From year");
    this.to = slider("To year");
    this.told = made("output");
    this.element.append(this.play, this.from, this.to, this.told);
    this.from.addEventListener("input", () => this.set([Number(this.from.value), Math.max(this.from.value, this.to.value)]));
    this.to.addEventListener("input", () => this.set([Math.min(this.from.value, this.to.value), Number(this.to.value)]));
    this.reset(chosen);
  }

  show(years) {
    this.chosen = years.map((year) => Math.min(Math.max(year, this.first), this.last));
    [this.from.value, this.to.value] = this.chosen;
    this.told.textContent = this.chosen[0] === this.chosen[1] ? `${this.chosen[0]}` : this.chosen.join("–");
  }

  /** Show `years`, or all of them if none are given, and stop playing. */
  reset(years) {
    this.stop();
    this.show(years || [this.first, this.last]);
  }

  set(years, isPlay = false) {
    if (!isPlay) this.stop();
    this.show(years);
    this.changed(this.chosen, isPlay);
  }

  toggle() {
    if (this.timer) {
      this.stop();
      this.changed(this.chosen, false);
      return;
    }
    this.span = this.chosen[1] - this.chosen[0];
    if (this.span >= this.last - this.first) this.span = Math.min(2, this.last - this.first);
    this.play.replaceChildren(icon("pause"));
    this.play.setAttribute("aria-pressed", "true");
    this.timer = setInterval(() => this.step(), PLAY_MS);
    this.step();
  }

  step() {
    const next = this.chosen[1] >= this.last || this.chosen[1] - this.chosen[0] !== this.span ? this.first : this.chosen[0] + 1;
    this.set([next, next + this.span], true);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.play.replaceChildren(icon("play"));
    this.play.setAttribute("aria-pressed", "false");
  }
}
