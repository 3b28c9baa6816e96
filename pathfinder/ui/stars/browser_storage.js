// What a visitor makes, in the storage of their browser: nobody else sees it. Whatever another tab has stored is reported
// to the server before anything takes its place, so that the tabs never lose each other's records.

const heard = new Map(); // what the server has been told of, or has sent
const listening = new Map();

export default function ({ data, setTriggerValue }) {
  const { tab, records } = data;
  const exchange = (kinds) => {
    const reports = {};
    for (const kind of kinds) {
      const { key, text } = records[kind];
      const name = `${tab} ${key}`;
      try {
        const stored = window.localStorage.getItem(key);
        if (stored === text) heard.set(name, text);
        else if (stored !== null && stored !== heard.get(name)) {
          heard.set(name, stored);
          reports[kind] = stored;
        } else if (text !== null) {
          window.localStorage.setItem(key, text);
          heard.set(name, text);
        }
      } catch (error) {
        if (heard.get(`${name} fault`) !== text) setTriggerValue("fault", String(error));
        heard.set(`${name} fault`, text);
      }
    }
    if (Object.keys(reports).length) setTriggerValue("stored", reports);
  };
  for (const [kind, { key }] of Object.entries(records)) {
    window.removeEventListener("storage", listening.get(key));
    listening.set(key, (event) => event.key === key && exchange([kind])); // the others may have been sent anew since
    window.addEventListener("storage", listening.get(key));
  }
  exchange(Object.keys(records));
}
