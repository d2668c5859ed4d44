/** The pages of a Client as the address bar names them; the first is shown when it names none. */
const CLIENT_TAB_NAMES = ['settings', 'history', 'tests', 'snippets', 'json'] as const;

export type ClientTab = (typeof CLIENT_TAB_NAMES)[number];

export function isClientTab(value: unknown): value is ClientTab {
  return CLIENT_TAB_NAMES.some((name) => name === value);
}

/** The page that an address asks for. */
export function readClientTab({ tab }: Record<string, unknown>): { tab?: ClientTab } {
  return isClientTab(tab) && tab !== CLIENT_TAB_NAMES[0] ? { tab } : {};
}
