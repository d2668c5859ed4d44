/** The tab's session storage. Without access to it, as when site data is blocked, nothing is stored, and reading finds nothing. */
export const tabStorage = {
  get: (key: string): string | null => attempt(() => sessionStorage.getItem(key)) ?? null,
  set: (key: string, value: string): void => attempt(() => sessionStorage.setItem(key, value)),
  remove: (key: string): void => attempt(() => sessionStorage.removeItem(key)),
  clear: (): void => attempt(() => sessionStorage.clear()),
};

/** Browsers that deny access throw as soon as the storage is named. */
function attempt<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
