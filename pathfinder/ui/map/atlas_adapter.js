
// Between Streamlit and the canvas. A run of the script hands over data, and what a reader does becomes a trigger. The
// view goes straight into the address, so that it needs no run and adds no step to the browser's history; the server
// learns of it with the next request for tiles, and whenever the server has written the address, the view is put back.
// Of two triggers that wait for the server only the second arrives: years are told with each request until a scene comes.

const maps = new WeakMap();

function intoAddress(name, text) {
  const address = new URL(window.location.href);
  if (text === null) address.searchParams.delete(name);
  else address.searchParams.set(name, text);
  if (address.href !== window.location.href) window.history.replaceState(window.history.state, "", address);
}

function begun(parentElement, data) {
  const kept = { tell: null, view: null, untold: {} };
  kept.map = mount(parentElement, { ...data.scene, tiles: data.tiles, points: data.points }, (kind, value) => {
    if (kind === "view") {
      kept.view = value.is_whole ? null : [value.x.toFixed(3), value.y.toFixed(3), value.zoom.toFixed(2)].join();
      intoAddress("view", kept.view);
    } else if (kind === "years") {
      intoAddress("years", value ? value.join("-") : "all");
      kept.untold = { years: value };
      kept.tell("years", value);
    } else kept.tell(kind, kind === "want" ? { ...value, view: kept.view, ...kept.untold } : value);
  });
  return kept;
}

export default function ({ parentElement, data, setTriggerValue }) {
  let kept = maps.get(parentElement);
  if (kept) {
    kept.tell = setTriggerValue;
    const { scene, tiles, points } = data;
    if (scene) kept.untold = {};
    kept.map.take({ ...scene, tiles, points });
    intoAddress("view", kept.view);
  } else if (data.scene) {
    kept = begun(parentElement, data);
    kept.tell = setTriggerValue;
    maps.set(parentElement, kept);
  }
  return () => {
    const ended = maps.get(parentElement);
    if (ended) ended.map.end();
    maps.delete(parentElement);
  };
}
