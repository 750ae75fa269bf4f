// In a page that holds others in frames: says what is wrong with each, or how much was seen. DARK and WIDTHS are given.
const look = (frame, WIDTH) => {
  const page = frame.contentDocument;
  const view = page.defaultView, root = page.documentElement;
  const wrong = [];
  const say = (what, element) => {
    if (wrong.length < 12) wrong.push(what + ': ' + (element ? element.textContent.trim().slice(0, 40) : ''));
  };
  const isShown = (element) => element.getClientRects().length > 0;
  const about = { texts: 0, figures: 0, tables: 0 };
  // Closed details are not laid out; a reader opens them.
  for (const details of page.querySelectorAll('details')) details.open = true;

  if (view.innerWidth !== WIDTH) say('the frame is ' + view.innerWidth);
  if (view.matchMedia('(prefers-color-scheme: dark)').matches !== DARK) say('the scheme is the other one');
  if (root.scrollWidth > root.clientWidth) say('the page is ' + root.scrollWidth + ' broad');
  for (const element of page.querySelectorAll('body *')) {
    if (!isShown(element) || element.closest('.frame table') || element.closest('svg')) continue;
    // The links are one line that scrolls where they have no room.
    const line = element.parentElement.closest('nav ul');
    if (line && view.getComputedStyle(line).overflowX === 'auto') continue;
    const box = element.getBoundingClientRect();
    if (box.right > WIDTH + 0.5 || box.left < -0.5) say('<' + element.tagName + '> runs over', element);
  }
  for (const frame of page.querySelectorAll('.frame')) {
    about.tables += 1;
    const overflow = view.getComputedStyle(frame).overflowX;
    if (frame.scrollWidth > frame.clientWidth && overflow !== 'auto') say('a table is cut', frame);
    // From 900 pixels on there is room for every column.
    if (frame.scrollWidth > frame.clientWidth && WIDTH >= 900) say('a table is broader than the page', frame);
  }

  for (const svg of page.querySelectorAll('svg')) {
    if (!isShown(svg)) continue;
    about.figures += 1;
    const room = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll('text')];
    const boxes = texts.map((text) => text.getBoundingClientRect());
    boxes.forEach((box, i) => {
      about.texts += 1;
      const out = box.left < room.left - 0.5 || box.right > room.right + 0.5
        || box.top < room.top - 1 || box.bottom > room.bottom + 1;
      if (out) say('words leave ' + svg.getAttribute('aria-label').slice(0, 50), texts[i]);
      if (box.height < 8) say('words are ' + box.height.toFixed(1) + ' high', texts[i]);
      for (let j = 0; j < i; j += 1) {
        const other = boxes[j];
        const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left);
        const high = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
        // Boxes of letters have air above and below.
        if (wide > 0.5 && high > 0.3 * box.height) say('words on "' + texts[j].textContent.trim() + '"', texts[i]);
      }
    });
  }

  const light = (color) => {
    const [r, g, b] = color.match(/[\d.]+/g).map(Number).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  const clear = 'rgba(0, 0, 0, 0)';
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = view.getComputedStyle(at).backgroundColor;
      if (color !== clear) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  for (const element of page.querySelectorAll('p, h1, h2, li, a, code, th, td, caption, figcaption, summary, svg text')) {
    if (!isShown(element)) continue;
    const style = view.getComputedStyle(element);
    const color = element.tagName === 'text' ? style.fill : style.color;
    if (contrast(color, behind(element)) < 4.5) say('too pale (' + color + ')', element);
  }
  const grid = view.getComputedStyle(root).getPropertyValue('--grid').trim();
  const paper = view.getComputedStyle(root).getPropertyValue('--paper').trim();
  const drawn = { grid: 0, marks: 0 };
  for (const mark of page.querySelectorAll('svg rect:not(.spot), svg circle, svg polyline, svg line')) {
    if (!isShown(mark)) continue;
    const name = [mark.getAttribute('fill'), mark.getAttribute('stroke')].find((ink) => ink && ink !== 'none');
    if (name === 'var(--grid)' || name === 'var(--paper)') { drawn.grid += 1; continue; }
    drawn.marks += 1;
    const style = view.getComputedStyle(mark);
    const color = style.fill !== 'none' && mark.getAttribute('fill') !== 'none' ? style.fill : style.stroke;
    if (contrast(color, behind(mark.closest('figure'))) < 3) say('a mark is too pale: ' + color, mark);
  }
  if (!grid || !paper) say('the style sheet is not there');
  const seen = about.figures + ' figures with ' + about.texts + ' words, ' + drawn.marks + ' marks, '
    + about.tables + ' tables, ' + root.scrollHeight + ' pixels high';
  if (about.figures < 10 || about.texts < 200 || drawn.marks < 100) say('little is shown: ' + seen);
  return wrong.length ? WIDTH + ' pixels: ' + wrong.join('\n') : 'seen ' + seen;
};
addEventListener('load', () => {
  const found = [...document.querySelectorAll('iframe')].map((frame, at) => look(frame, WIDTHS[at]));
  const wrong = found.filter((text) => !text.startsWith('seen '));
  document.getElementById('found').textContent = (wrong.length ? wrong : found).join('\n');
});
