// The shelves and drafts of a visitor in the storage of their browser: nobody else sees them. The server learns of them
// when a page is opened, and when another tab has changed them; whatever the server sends replaces them.

const listening = new Map();

export default function ({ data, setTriggerValue }) {
  const { key, text } = data;
  const isFirst = !listening.has(key);
  if (!isFirst) window.removeEventListener("storage", listening.get(key));
  const listen = (event) => {
    if (event.key === key && event.newValue) setTriggerValue("stored", { text: event.newValue, is_first: false });
  };
  listening.set(key, listen);
  window.addEventListener("storage", listen);
  try {
    const stored = window.localStorage.getItem(key);
    if (text !== null && text !== stored) window.localStorage.setItem(key, text);
    else if (text === null && stored && isFirst) setTriggerValue("stored", { text: stored, is_first: true });
  } catch (error) {
    setTriggerValue("fault", String(error));
  }
}
