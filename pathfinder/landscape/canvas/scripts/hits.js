// The papers found, as a list next to the map: pointing at a paper in one highlights it in the other, without a server.

/** `told` has two callbacks: `lit(dot)` for the paper that is pointed at or has the focus, or null; `visited(dot)`. */
class HitList {
  constructor(told) {
    this.told = told;
    this.buttons = new Map(); // keyed by the row of the paper
    this.hovered = this.focused = null;
    this.element = made("section", { class: "atlas-hits", "aria-label": "Papers found", hidden: "" });
    this.list = made("ol");
    this.list.addEventListener("keydown", (event) => this.walk(event));
    this.element.append(this.list);
  }

  /** List the ranked dots in order; if they are the same as before, nothing changes, not even the focus. */
  take(dots, { dot, outlier }) {
    const ranked = dots.filter(({ rank }) => rank !== null);
    this.element.hidden = !ranked.length;
    const colours = { "--dot": dot, "--on-dot": inkOn(dot), "--outlier": outlier, "--on-outlier": inkOn(outlier) };
    for (const [name, colour] of Object.entries(colours)) this.element.style.setProperty(name, colour);
    const listed = JSON.stringify(ranked);
    if (listed === this.listed) return;
    this.listed = listed;
    this.buttons = new Map(ranked.map((one) => [one.row, this.line(one)]));
    this.list.replaceChildren(...[...this.buttons.values()].map((button) => button.parentElement));
    this.hovered = this.focused = null;
    this.told.lit(null);
  }

  line(dot) {
    const button = made("button", { type: "button" });
    const words = made("span");
    words.append(made("strong", {}, dot.title), made("span", {}, aboutHit(dot)));
    button.append(made("b", dot.outlier ? { class: "atlas-apart" } : {}, String(dot.rank)), words);
    const hears = { pointerenter: ["hovered", dot], pointerleave: ["hovered", null], focus: ["focused", dot], blur: ["focused", null] };
    for (const [name, [kind, value]] of Object.entries(hears))
      button.addEventListener(name, () => {
        this[kind] = value;
        this.told.lit(this.hovered || this.focused);
      });
    button.addEventListener("click", () => this.told.visited(dot));
    made("li").append(button);
    return button;
  }

  /** Arrow keys move from line to line. */
  walk(event) {
    const buttons = [...this.buttons.values()];
    const at = buttons.indexOf(event.target);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (next === undefined) return;
    if (buttons[next]) buttons[next].focus();
    event.preventDefault();
  }

  /** Highlight the line of the paper at `row`, if it is listed, and scroll it into view. */
  light(row) {
    for (const [own, button] of this.buttons) button.classList.toggle("atlas-lit", own === row);
    const lit = this.buttons.get(row);
    if (!lit) return;
    const { element } = this;
    const { offsetTop, offsetHeight } = lit.parentElement;
    const lowest = offsetTop + offsetHeight - element.clientHeight;
    element.scrollTop = Math.max(Math.min(element.scrollTop, offsetTop), lowest);
  }
}
