import { existsSync, readFileSync } from 'node:fs';

/**
 * The version of the package that a module belongs to: in the nearest package.json above it, wherever its build put it.
 *
 * @param module its `import.meta.url`
 * @throws {Error} if there is none
 */
export function packageVersion(module: string): string {
  let manifest = new URL('package.json', module);
  while (!existsSync(manifest)) {
    const above = new URL('../package.json', manifest);
    if (above.href === manifest.href) throw new Error(`no package.json above ${module}`);
    manifest = above;
  }
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };
  return version;
}
