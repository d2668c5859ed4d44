import { Tooltip } from '@mantine/core';
import { type RefObject, useEffect, useState } from 'react';
import { formatDateTime } from '../texts/times.js';

/** As for other tooltips. */
const DELAY_MS = 300;

/** Many cells with a tooltip each would take longer to render than the cells. */
const TIPPED = '[data-tip], time';

/**
 * One tooltip for everything in `within` that has a `data-tip`, on hover or focus. If that is empty, it shows the text itself.
 * Text that is not cut off has no tooltip; that of a time is the full date.
 */
export function SharedTooltip({ within: ref }: { readonly within: RefObject<HTMLElement | null> }) {
  const [target, setTarget] = useState<HTMLElement>();
  useEffect(() => {
    const within = ref.current;
    if (!within) return undefined;
    const events = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let isShown = false;
    const setShown = (tipped: HTMLElement | undefined) => {
      isShown = tipped !== undefined;
      setTarget(tipped);
    };
    const hide = () => {
      clearTimeout(timer);
      // Not for each event while a list scrolls.
      if (isShown) setShown(undefined);
    };
    const show = ({ target: at }: Event) => {
      hide();
      const tipped = tippedAt(at);
      if (tipped) timer = setTimeout(() => setShown(tipped), DELAY_MS);
    };
    const listen = (kind: string, act: (event: Event) => void) =>
      within.addEventListener(kind, act, { signal: events.signal, passive: true });
    for (const kind of ['pointerover', 'focusin']) listen(kind, show);
    for (const kind of ['pointerleave', 'pointerdown', 'focusout', 'scroll']) listen(kind, hide);
    listen('keydown', (event) => {
      if ((event as KeyboardEvent).key === 'Escape') hide();
    });
    return () => {
      events.abort();
      clearTimeout(timer);
    };
  }, [ref]);
  if (!target?.isConnected) return null;
  const tip = tipOf(target);
  return <Tooltip key={tip} target={target} label={tip} opened multiline maw={480} />;
}

function tipOf(tipped: HTMLElement): string | undefined {
  if (tipped instanceof HTMLTimeElement) return formatDateTime(new Date(tipped.dateTime));
  return tipped.dataset['tip'] === '' ? (tipped.textContent ?? '') : tipped.dataset['tip'];
}

/** What is hovered, or the content of a focused cell. */
function tippedAt(at: EventTarget | null): HTMLElement | undefined {
  if (!(at instanceof HTMLElement)) return undefined;
  const tipped =
    at.closest<HTMLElement>(TIPPED) ?? (at.matches('td') ? at.querySelector<HTMLElement>(TIPPED) : null);
  if (!tipped) return undefined;
  const lines = [tipped, ...tipped.querySelectorAll<HTMLElement>('*')].filter((one) =>
    one.matches('.one-line'),
  );
  const isCut = lines.some((line) => line.scrollWidth > line.clientWidth);
  return lines.length === 0 || isCut ? tipped : undefined;
}
