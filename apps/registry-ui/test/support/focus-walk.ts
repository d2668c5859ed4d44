import type { Page } from 'playwright-core';

/** More tab stops than any screen has before its lists repeat. */
const MOST_STOPS = 80;

/**
 * Why the focus is invisible: it is covered, or has no focus ring. Empty if it is visible; null when the focus has left
 * the page.
 */
const FOCUS_FAILURE = `(() => {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return null;
  const named = focused.outerHTML.slice(0, 120);
  // Some inputs are represented by their labels.
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

/** Moves the focus before the first stop. */
const FOCUS_TOP = `(() => {
  const top = document.createElement('span');
  top.tabIndex = -1;
  document.body.prepend(top);
  top.focus();
  top.remove();
})()`;

/** Tabs through the page from its top and collects the stops where the focus is invisible. */
export async function focusFailures(
  page: Page,
): Promise<{ readonly stops: number; readonly failures: string[] }> {
  // The title has the focus initially.
  await page.evaluate(FOCUS_TOP);
  const failures: string[] = [];
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    await page.keyboard.press('Tab');
    const failure = await page.evaluate<string | null>(FOCUS_FAILURE);
    if (failure === null) return { stops, failures };
    if (failure !== '') failures.push(failure);
  }
  return { stops: MOST_STOPS, failures };
}
