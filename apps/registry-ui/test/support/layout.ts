import type { Page } from 'playwright-core';

/**
 * Controls and titles whose text is cut off, and buttons and links that cover one another. What an ellipsis shortens has its
 * whole text in a tooltip or in the page that it leads to.
 */
const LAYOUT_FAILURES = `(() => {
  const named = (element) => element.outerHTML.slice(0, 120);
  const isVisible = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const select = (selector) => [...document.querySelectorAll(selector)].filter(isVisible);
  const failures = [];
  for (const element of select('button, a, label, legend, h1, h2, h3, th')) {
    const { overflowX, textOverflow } = getComputedStyle(element);
    if (overflowX === 'visible' || textOverflow === 'ellipsis' || element.clientWidth < 4) continue;
    if (element.scrollWidth > element.clientWidth + 1) failures.push('cut off: ' + named(element));
  }
  // One box per line of text. A part that scrolls hides what lies outside it.
  const boxesOf = (element) => {
    const clips = [];
    for (let part = element.parentElement; part; part = part.parentElement)
      if (getComputedStyle(part).overflowY !== 'visible') clips.push(part.getBoundingClientRect());
    return [...element.getClientRects()].map((box) => ({
      left: Math.max(box.left, ...clips.map(({ left }) => left)),
      right: Math.min(box.right, ...clips.map(({ right }) => right)),
      top: Math.max(box.top, ...clips.map(({ top }) => top)),
      bottom: Math.min(box.bottom, ...clips.map(({ bottom }) => bottom)),
    }));
  };
  const doOverlap = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  // A sticky header covers on purpose what scrolls below it.
  const isPinned = (element) => {
    for (let part = element; part; part = part.parentElement)
      if (['sticky', 'fixed'].includes(getComputedStyle(part).position)) return true;
    return false;
  };
  // A field's own buttons lie within it.
  const isField = (element) => element.matches('input[type=text], input[type=search], input:not([type]), textarea');
  const controls = select('button, a, input, select, textarea')
    .filter((element) => !isField(element))
    .map((element) => ({ element, boxes: boxesOf(element), pinned: isPinned(element) }));
  for (const [index, one] of controls.entries()) {
    for (const other of controls.slice(index + 1)) {
      if (one.pinned !== other.pinned) continue;
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      if (one.boxes.some((box) => other.boxes.some((second) => doOverlap(box, second))))
        failures.push('overlap: ' + named(one.element) + ' and ' + named(other.element));
    }
  }
  return failures;
})()`;

/** What of the page is cut off or overlaps at the window's present size. */
export async function layoutFailures(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(LAYOUT_FAILURES);
}
