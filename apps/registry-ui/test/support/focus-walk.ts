import type { Page } from 'playwright-core';

/** More stops than any of the screens has before its lists repeat themselves. */
const MOST_STOPS = 80;

/**
 * What is wrong with the place of the focus as it is: that nobody can see where it is, by a mark or since something lies
 * over it. An empty text when nothing is; nothing when the focus has left the page.
 */
const FAULT_OF_FOCUS = `(() => {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return null;
  const named = focused.outerHTML.slice(0, 120);
  // Some inputs are drawn by their labels alone.
  const drawn = focused.offsetWidth < 4 ? (focused.labels?.[0] ?? focused) : focused;
  const box = drawn.getBoundingClientRect();
  const points = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [box.left + x * box.width, box.top + y * box.height]));
  const seen = points.some(([x, y]) => {
    const top = document.elementFromPoint(x, y);
    return top && (drawn.contains(top) || top.contains(drawn) || top.closest('tr')?.contains(drawn));
  });
  if (!seen) return 'covered: ' + named;
  const isMarked = (element, pseudo) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element, pseudo);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
  };
  const accent = getComputedStyle(document.documentElement).getPropertyValue('--mantine-primary-color-filled');
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = accent;
  const accentColour = getComputedStyle(probe).color;
  probe.remove();
  const marked =
    isMarked(drawn) || isMarked(drawn, '::after') || getComputedStyle(focused).borderTopColor === accentColour;
  return marked ? '' : 'unmarked: ' + named;
})()`;

/** Leads the focus once through the page by Tab, from its top on, and tells each stop where it could not be seen. */
export async function faultsOfFocus(
  page: Page,
): Promise<{ readonly stops: number; readonly faults: string[] }> {
  // From the title, which has the focus to begin with, to the end of the page, and then from its top on.
  await walk(page);
  return walk(page);
}

async function walk(page: Page) {
  const faults: string[] = [];
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    await page.keyboard.press('Tab');
    const fault = await page.evaluate<string | null>(FAULT_OF_FOCUS);
    if (fault === null) return { stops, faults };
    if (fault !== '') faults.push(fault);
  }
  return { stops: MOST_STOPS, faults };
}
