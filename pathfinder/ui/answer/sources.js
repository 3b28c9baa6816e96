// Opens the source behind a sentence: a link to it is pointed at, tapped, or followed with Enter. All text from papers
// enters as text, never as markup.
const WAIT = 250;  // milliseconds that a pointer rests on a link, or has left it, before something happens
const LINKS = 'a[href^="#paper-"]';
const tell = shut => document.dispatchEvent(new CustomEvent('opened', {detail: shut}));  // of a step that Back undoes

let end = () => {};  // what is drawn again is not taken down first

export default function({data, parentElement, setTriggerValue}) {
  end();
  document.dispatchEvent(new Event('listed'));  // maybe similar papers now, or those of the question again
  const sheet = parentElement.querySelector('.sheet');
  const part = name => sheet.querySelector(`.${name}`);
  const state = sheet.state ??= {link: null, pinned: false, timer: 0};
  const number = link => link.getAttribute('href').slice('#paper-'.length);

  const fill = () => {
    const n = number(state.link);
    const paper = data.papers[n];
    const quote = data.quotes[state.link.dataset.quote] ?? paper.text;
    for (const [name, text] of Object.entries({...paper.facts, ...quote})) part(name).textContent = text;
    part('star').hidden = paper.star === null;
    part('star').textContent = paper.star ? '★ Starred' : '☆ Star';
    part('star').setAttribute('aria-pressed', String(paper.star));
    part('open').href = paper.open;
    part('similar').hidden = paper.star === null;
    part('next').hidden = links().length < 2;
  };
  // The answer is drawn anew when something else on the page changes, and its links with it.
  const current = () => links().find(link => link === state.link || link.outerHTML === state.link.outerHTML);
  const links = () => [...document.querySelectorAll(`.st-key-answer ${LINKS}`)].filter(
    link => link.checkVisibility() && number(link) in data.papers);

  const place = () => {
    if (innerWidth < 640) return sheet.removeAttribute('style');  // the style sheet lays it along the foot
    const box = state.link.getBoundingClientRect();
    const {width, height} = sheet.getBoundingClientRect();
    const below = box.bottom + 6;
    const top = below + height <= innerHeight ? below : Math.max(8, box.top - height - 6);
    sheet.style.left = `${Math.max(8, Math.min(box.left, innerWidth - width - 24))}px`;
    sheet.style.top = `${Math.min(top, Math.max(8, innerHeight - height - 8))}px`;
  };
  const open = (link, pinned) => {
    clearTimeout(state.timer);
    Object.assign(state, {link, pinned});
    fill();
    if (!sheet.matches(':popover-open')) sheet.showPopover();
    part('context').scrollTop = 0;
    place();
    part('quoted').scrollIntoView({block: 'nearest'});
    if (pinned) sheet.focus({preventScroll: true});
    if (pinned) tell(() => sheet.hidePopover());
  };
  const later = act => {
    clearTimeout(state.timer);
    state.timer = setTimeout(act, WAIT);
  };
  const linkOf = event => {
    const link = event.target.closest?.(LINKS);
    return link && number(link) in data.papers ? link : null;
  };
  const follow = event => {
    const link = linkOf(event);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    open(link, true);
  };
  const point = event => {
    const link = event.pointerType === 'mouse' && !state.pinned && linkOf(event);
    if (link) later(() => open(link, false));
  };
  const leave = event => {
    if (event.pointerType === 'mouse' && !state.pinned && (linkOf(event) || event.currentTarget === sheet))
      later(() => sheet.hidePopover());
  };
  sheet.onpointerenter = () => clearTimeout(state.timer);
  sheet.onpointerleave = leave;
  sheet.onpointerdown = () => { state.pinned = true; };
  sheet.ontoggle = event => {
    if (event.newState === 'open') return;
    if (state.pinned) current()?.focus({preventScroll: true});
    state.pinned = false;
    tell(null);
  };
  part('star').onclick = () => setTriggerValue('star', data.papers[number(state.link)].id);
  part('similar').onclick = () => {
    sheet.hidePopover();
    setTriggerValue('similar', data.papers[number(state.link)].id);
  };
  part('close').onclick = () => sheet.hidePopover();
  part('next').onclick = () => {
    const all = links();
    const link = all[(all.indexOf(current()) + 1) % all.length];
    link.scrollIntoView({block: 'nearest'});
    open(link, true);
  };
  if (sheet.matches(':popover-open')) fill();  // the paper may have been starred
  document.addEventListener('click', follow, true);
  document.addEventListener('pointerover', point);
  document.addEventListener('pointerout', leave);
  return end = () => {
    document.removeEventListener('click', follow, true);
    document.removeEventListener('pointerover', point);
    document.removeEventListener('pointerout', leave);
  };
}
