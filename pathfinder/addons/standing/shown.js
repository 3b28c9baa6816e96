// Reports that the end of the list of changes has been on screen in a visible tab: only then are
// the changes marked as seen.

export default function ({ parentElement, data, setTriggerValue }) {
  const end = parentElement.querySelector(".end");
  let isOnScreen = false;
  const report = () => {
    if (!isOnScreen || document.visibilityState !== "visible") return;
    stop();
    setTriggerValue("shown", data.run);
  };
  const observer = new IntersectionObserver((entries) => {
    isOnScreen = entries[entries.length - 1].isIntersecting;
    report();
  });
  const stop = () => {
    observer.disconnect();
    document.removeEventListener("visibilitychange", report);
  };
  observer.observe(end);
  document.addEventListener("visibilitychange", report);
  return stop;
}
