import { readPage } from './support/documented-tables.js';

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
}

test('package.json denies the install scripts of all packages, on every platform, so that npm ci prints no warning', () => {
  const { packages } = JSON.parse(readPage('package-lock.json')) as LockFile;
  const names = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
  const { allowScripts } = JSON.parse(readPage('package.json')) as { allowScripts: Record<string, boolean> };
  expect(allowScripts).toEqual(Object.fromEntries(names.map((name) => [name, false])));
});
