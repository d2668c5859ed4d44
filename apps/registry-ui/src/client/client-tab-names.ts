/** A client's tabs as named in the URL; the first is the default. */
const CLIENT_TAB_NAMES = ['settings', 'usage', 'history', 'tests', 'snippets', 'json'] as const;

export type ClientTab = (typeof CLIENT_TAB_NAMES)[number];

export function isClientTab(value: unknown): value is ClientTab {
  return CLIENT_TAB_NAMES.some((name) => name === value);
}

export function readClientTab({ tab }: Record<string, unknown>): { tab?: ClientTab } {
  return isClientTab(tab) && tab !== CLIENT_TAB_NAMES[0] ? { tab } : {};
}
