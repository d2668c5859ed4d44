/**
 * Writes a path as `database.users.0.password`, with a backslash before dots and backslashes within keys.
 */
export function formatKeyPath(path: readonly string[]): string {
  return path.map((key) => key.replace(/[.\\]/g, '\\$&')).join('.');
}

/** The inverse of {@link formatKeyPath}. */
export function parseKeyPath(text: string): string[] {
  const keys = [''];
  for (const [token] of text.matchAll(/\\[\s\S]|[\s\S]/g)) {
    if (token === '.') keys.push('');
    else keys.push(keys.pop()! + (token.length > 1 ? token.slice(1) : token));
  }
  return keys;
}
