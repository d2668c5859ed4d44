import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './support/services.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'check-circles-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** @param imports path of each file → the modules it imports */
function check(imports: Record<string, readonly string[]>) {
  for (const [path, modules] of Object.entries(imports)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), modules.map((name) => `import '${name}';\n`).join(''));
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${ROOT}tools/check-circles.mjs`, root], {
    encoding: 'utf8',
  });
  return { status, stdout, lines: stderr.trimEnd().split('\n') };
}

test('a tree whose imports run one way passes', () => {
  const { status, stdout, lines } = check({
    'apps/shop/src/main.ts': ['./cart/cart.js', './database/rows.js'],
    'apps/shop/src/cart/cart.ts': ['../database/rows.js', './price.js'],
    'apps/shop/src/cart/price.ts': [],
    'apps/shop/src/database/rows.ts': ['node:fs'],
  });
  expect({ status, lines }).toEqual({ status: 0, lines: [''] });
  expect(stdout).toBe('4 files: 0 circles of files, 0 circles of folders\n');
});

test('files that import each other are rejected', () => {
  const { status, lines } = check({
    'libs/shop/src/cart.ts': ['./price.js'],
    'libs/shop/src/price.ts': ['./cart.js'],
  });
  expect(status).toBe(1);
  expect(lines[0]).toBe(
    'circle of files: libs/shop/src/cart.ts → libs/shop/src/price.ts → libs/shop/src/cart.ts',
  );
});

test('two folders that import each other are rejected, naming the files', () => {
  const { status, lines } = check({
    'apps/shop/src/cart/cart.ts': ['../database/rows.js'],
    'apps/shop/src/cart/price.ts': [],
    'apps/shop/src/database/rows.ts': [],
    'apps/shop/src/database/schema.ts': ['../cart/price.js'],
  });
  expect(status).toBe(1);
  expect(lines).toEqual([
    'circle of folders in apps/shop/src: cart → database → cart',
    '    apps/shop/src/cart/cart.ts → apps/shop/src/database/rows.ts',
    '    apps/shop/src/database/schema.ts → apps/shop/src/cart/price.ts',
  ]);
});

test('a circle of three folders is rejected', () => {
  const { status, lines } = check({
    'libs/shop/src/a/one.ts': ['../b/one.js'],
    'libs/shop/src/b/one.ts': ['../c/one.js'],
    'libs/shop/src/c/one.ts': ['../a/two.js'],
    'libs/shop/src/a/two.ts': [],
  });
  expect({ status, line: lines[0] }).toEqual({
    status: 1,
    line: 'circle of folders in libs/shop/src: a → b → c → a',
  });
});

test('a folder and the folder in it are two, and so is `src` itself', () => {
  const { status, lines } = check({
    'libs/shop/src/index.ts': ['./cart/cart.js'],
    'libs/shop/src/version.ts': [],
    'libs/shop/src/cart/cart.ts': ['../version.js', './list/list.js'],
    'libs/shop/src/cart/line.ts': [],
    'libs/shop/src/cart/list/list.ts': ['../line.js'],
  });
  expect(status).toBe(1);
  expect(lines.filter((line) => line.startsWith('circle'))).toEqual([
    'circle of folders in libs/shop/src: . → cart → .',
    'circle of folders in libs/shop/src: cart → cart/list → cart',
  ]);
});

test('spec files and types in other projects do not count', () => {
  const { status } = check({
    'apps/shop/src/cart/cart.ts': ['../database/rows.js', '@svc/prices'],
    'apps/shop/src/cart/cart.spec.ts': ['./cart.js'],
    'apps/shop/src/database/rows.ts': [],
    'apps/shop/src/database/rows.spec.ts': ['../cart/cart.js'],
    'libs/prices/src/index.ts': [],
  });
  expect(status).toBe(0);
});
