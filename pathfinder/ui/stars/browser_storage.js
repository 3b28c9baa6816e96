// What a visitor makes, in the storage of their browser: nobody else sees it. Whatever another tab has stored is reported
// to the server before anything takes its place, so that the tabs never lose each other's records.

const heard = new Map(); // what the server has been told of, or has sent
const listening = new Map();

export default function ({ data, setTriggerValue }) {
  const { key, text, tab } = data;
  const name = `${tab} ${key}`;
  const exchange = () => {
    try {
      const stored = window.localStorage.getItem(key);
      if (stored === text) heard.set(name, text);
      else if (stored !== null && stored !== heard.get(name)) {
        heard.set(name, stored);
        setTriggerValue("stored", stored);
      } else if (text !== null) {
        window.localStorage.setItem(key, text);
        heard.set(name, text);
      }
    } catch (error) {
      if (heard.get(`${name} fault`) !== text) setTriggerValue("fault", String(error));
      heard.set(`${name} fault`, text);
    }
  };
  window.removeEventListener("storage", listening.get(key));
  listening.set(key, (event) => event.key === key && exchange());
  window.addEventListener("storage", listening.get(key));
  exchange();
}
