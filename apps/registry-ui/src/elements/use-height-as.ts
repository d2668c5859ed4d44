import { useCallback } from 'react';

/**
 * Publishes an element's height as a CSS custom property of the page, so that other parts can make room for it.
 *
 * @returns the element's ref
 */
export function useHeightAs(property: `--${string}`): (element: HTMLElement | null) => void | (() => void) {
  return useCallback(
    (element: HTMLElement | null) => {
      if (!element) return undefined;
      const { style } = document.documentElement;
      const observer = new ResizeObserver(() => style.setProperty(property, `${element.offsetHeight}px`));
      observer.observe(element);
      return () => {
        observer.disconnect();
        style.removeProperty(property);
      };
    },
    [property],
  );
}
