import { existsSync, readFileSync } from 'node:fs';

/**
 * The version of the package that a module belongs to: in the nearest package.json above it, wherever its build put it.
 *
 * @param module its `import.meta.url`
 */
export function packageVersion(module: string): string {
  let manifest = new URL('package.json', module);
  while (!existsSync(manifest)) manifest = new URL('../package.json', manifest);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };
  return version;
}
