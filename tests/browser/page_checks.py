"""Scripts that look at a page from inside: what sticks out, what is hard to read, what is cut off."""

from typing import Final

# Elements wider than the window, as far as nothing around them scrolls.
STICKS_OUT: Final = """() => [...document.body.querySelectorAll('*')]
  .filter(each => !each.closest('.scroll, svg') && each.getBoundingClientRect().right > innerWidth + 0.5)
  .map(each => `${each.tagName}.${each.className}`)"""

# Charts that are shown, with their size and the labels that reach out of the viewBox, kerning apart.
CHARTS: Final = """() => [...document.querySelectorAll('svg')]
  .filter(svg => svg.getBoundingClientRect().width)
  .map(svg => {
    const { width, height } = svg.viewBox.baseVal, shown = svg.getBoundingClientRect();
    const outside = [...svg.querySelectorAll('text')].filter(text => {
      const box = text.getBBox();
      return box.x < -1.5 || box.y < -0.5 || box.x + box.width > width + 1.5 || box.y + box.height > height + 0.5;
    });
    return { id: svg.querySelector('title').id, width: shown.width, height: shown.height,
             cut: outside.map(text => text.textContent) };
  })"""

# Labels of one chart that lie on one another.
OVERLAPS: Final = """() => [...document.querySelectorAll('svg')]
  .filter(svg => svg.getBoundingClientRect().width)
  .flatMap(svg => {
    const texts = [...svg.querySelectorAll('text')].map(text => [text.textContent, text.getBBox()]);
    const both = (a, b) => Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > 1
      && Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > 3;
    return texts.flatMap(([name, box], at) => texts.slice(at + 1)
      .filter(([, other]) => both(box, other)).map(([other]) => `${name} × ${other}`));
  })"""

# Text whose contrast with what is under it is below 4.5 : 1.
FAINT: Final = """() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = colour => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
                          return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => [r, g, b].map(part => part / 255)
    .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = each => { const own = rgb(getComputedStyle(each).backgroundColor);
                           return own[3] === 255 || !each.parentElement ? own : ground(each.parentElement); };
  const found = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const holder = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !holder.getClientRects().length) continue;
    const style = getComputedStyle(holder);
    const pair = [holder.closest('svg') ? style.fill : style.color, ground(holder).join()].join(' on ');
    const [a, b] = [light(rgb(holder.closest('svg') ? style.fill : style.color)), light(ground(holder))];
    found.set(pair, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
  }
  return [...found].map(([pair, ratio]) => ({ pair, ratio }));
}"""
