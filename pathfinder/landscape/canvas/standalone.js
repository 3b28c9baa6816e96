// The map as a single file: everything around the canvas. All data are in the file.

function begin(data) {
  const part = (id) => document.getElementById(id);
  const isKiosk = new URLSearchParams(location.search).get("kiosk") === "1";
  const map = mount(part("map"), { ...data.scene, options: { ...data.scene.options, large: isKiosk } }, () => {});
  let palette = data.palette;
  let shown = new Set(data.shown);
  let nth = 0;

  function entry({ style, text }) {
    const line = document.createElement("li");
    const sample = document.createElement("i");
    sample.style.cssText = style;
    line.append(sample, text);
    return line;
  }

  function draw() {
    const look = data.looks[palette];
    const layers = look.layers.filter(({ record }) => shown.has(record.slug));
    map.take({ colours: look.colours, layers: layers.map(({ record }) => record) });
    part("legend").replaceChildren(...[look.ground, ...layers.map(({ legend }) => legend), look.papers].flat().map(entry));
  }

  function show(card) {
    const lines = card.lines.map((text) => Object.assign(document.createElement("p"), { textContent: text }));
    const heading = Object.assign(document.createElement("h2"), { textContent: card.heading });
    part("card").replaceChildren(heading, ...lines);
    part("card").hidden = false;
    map.take({ dots: [...data.scene.dots, card.dot] });
    map.go({ x: card.dot.x, y: card.dot.y, zoom: card.zoom });
  }

  function restart() {
    shown = new Set(data.shown);
    for (const box of part("layers").querySelectorAll("input")) box.checked = shown.has(box.value);
    palette = choice.value = data.palette;
    part("card").hidden = true;
    map.take({ dots: data.scene.dots });
    map.map.restart();
    draw();
  }

  for (const { record } of data.looks[palette].layers) {
    const box = Object.assign(document.createElement("input"), { type: "checkbox", value: record.slug });
    box.checked = shown.has(record.slug);
    box.addEventListener("change", () => {
      shown[box.checked ? "add" : "delete"](box.value);
      draw();
    });
    const label = document.createElement("label");
    label.append(box, ` ${record.title}`);
    part("layers").append(label);
    part("layers").hidden = false;
  }

  const choice = part("palette").querySelector("select");
  for (const name of Object.keys(data.looks)) choice.append(new Option(name, name, false, name === palette));
  choice.addEventListener("change", () => {
    palette = choice.value;
    draw();
  });

  part("surprise").hidden = !data.cards.length;
  part("surprise").addEventListener("click", () => show(data.cards[nth++ % data.cards.length]));

  if (isKiosk) {
    document.body.classList.add("kiosk");
    new IdleClock(data.idle_seconds, restart);
  }
  draw();
  return { restart };
}

begin(JSON.parse(document.getElementById("data").textContent));
