import type { Page } from 'playwright-core';

/**
 * Controls and titles whose text is cut off, and controls that cover one another. What an ellipsis shortens has its whole text
 * in a tooltip or in the page that it leads to.
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
  // A part that scrolls hides its controls' remains; a popover or sticky header covers on purpose what scrolls below it.
  const boxOf = (element) => {
    const box = element.getBoundingClientRect();
    let { left, right, top, bottom } = box;
    for (let part = element.parentElement; part; part = part.parentElement) {
      if (getComputedStyle(part).overflowY === 'visible') continue;
      const clip = part.getBoundingClientRect();
      [left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)];
      [top, bottom] = [Math.max(top, clip.top), Math.min(bottom, clip.bottom)];
    }
    return { left, right, top, bottom };
  };
  const isPinned = (element) => {
    for (let part = element; part; part = part.parentElement)
      if (['sticky', 'fixed'].includes(getComputedStyle(part).position)) return true;
    return false;
  };
  const controls = select('button, a, input, select, textarea')
    .map((element) => ({ element, box: boxOf(element), pinned: isPinned(element) }))
    .filter(({ box }) => box.right - box.left > 4 && box.bottom - box.top > 4);
  for (const [index, one] of controls.entries()) {
    for (const other of controls.slice(index + 1)) {
      if (one.pinned !== other.pinned) continue;
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      // A field's own buttons lie within it.
      const isField = ({ element }) => element.matches('input[type=text], input[type=search], input:not([type]), textarea');
      if (width > 2 && height > 2 && !isField(one) && !isField(other))
        failures.push('overlap: ' + named(one.element) + ' and ' + named(other.element));
    }
  }
  return failures;
})()`;

/** What of the page is cut off or overlaps at the window's present size. */
export async function layoutFailures(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(LAYOUT_FAILURES);
}
