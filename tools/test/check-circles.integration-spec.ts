import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './support/services.js';

type Imports = Readonly<Record<string, readonly string[]>>;

/** @param imports path of each file → the modules it imports */
function check(imports: Imports) {
  const root = mkdtempSync(join(tmpdir(), 'check-circles-'));
  try {
    for (const [path, modules] of Object.entries(imports)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), modules.map((name) => `import '${name}';\n`).join(''));
    }
    const { status, stdout, stderr } = spawnSync(process.execPath, [`${ROOT}tools/check-circles.mjs`, root], {
      encoding: 'utf8',
    });
    return { status, stdout, lines: stderr.trimEnd().split('\n') };
  } finally {
    rmSync(root, { recursive: true });
  }
}

test('a tree whose imports run one way passes; spec files and types in other projects do not count', () => {
  const { status, stdout, lines } = check({
    'apps/shop/src/main.ts': ['./cart/cart.js', './database/rows.js'],
    'apps/shop/src/cart/cart.ts': ['../database/rows.js', './price.js', '@svc/prices'],
    'apps/shop/src/cart/cart.spec.ts': ['./cart.js'],
    'apps/shop/src/cart/price.ts': [],
    'apps/shop/src/database/rows.ts': ['node:fs'],
    'apps/shop/src/database/rows.spec.ts': ['../cart/cart.js'],
    'libs/prices/src/index.ts': [],
  });
  expect({ status, lines }).toEqual({ status: 0, lines: [''] });
  expect(stdout).toBe('7 files: 0 circles of files, 0 circles of folders\n');
});

describe('a tree with circles is rejected', () => {
  let found: ReturnType<typeof check>;
  beforeAll(() => {
    found = check({
      'libs/files/src/cart.ts': ['./price.js'],
      'libs/files/src/price.ts': ['./cart.js'],

      'apps/folders/src/cart/cart.ts': ['../database/rows.js'],
      'apps/folders/src/cart/price.ts': [],
      'apps/folders/src/database/rows.ts': [],
      'apps/folders/src/database/schema.ts': ['../cart/price.js'],

      'libs/three/src/a/one.ts': ['../b/one.js'],
      'libs/three/src/b/one.ts': ['../c/one.js'],
      'libs/three/src/c/one.ts': ['../a/two.js'],
      'libs/three/src/a/two.ts': [],

      'libs/nested/src/index.ts': ['./cart/cart.js'],
      'libs/nested/src/version.ts': [],
      'libs/nested/src/cart/cart.ts': ['../version.js', './list/list.js'],
      'libs/nested/src/cart/line.ts': [],
      'libs/nested/src/cart/list/list.ts': ['../line.js'],
    });
    expect(found.status).toBe(1);
  });

  const linesOf = (project: string) => found.lines.filter((line) => line.includes(`${project}/src`));

  test('files that import each other', () => {
    expect(linesOf('libs/files')).toEqual([
      'circle of files: libs/files/src/cart.ts → libs/files/src/price.ts → libs/files/src/cart.ts',
    ]);
  });

  test('two folders that import each other, naming the files', () => {
    expect(linesOf('apps/folders')).toEqual([
      'circle of folders in apps/folders/src: cart → database → cart',
      '    apps/folders/src/cart/cart.ts → apps/folders/src/database/rows.ts',
      '    apps/folders/src/database/schema.ts → apps/folders/src/cart/price.ts',
    ]);
  });

  test('three folders', () => {
    expect(linesOf('libs/three')[0]).toBe('circle of folders in libs/three/src: a → b → c → a');
  });

  test('a folder and the folder in it, and `src` itself', () => {
    expect(linesOf('libs/nested').filter((line) => line.startsWith('circle'))).toEqual([
      'circle of folders in libs/nested/src: . → cart → .',
      'circle of folders in libs/nested/src: cart → cart/list → cart',
    ]);
  });
});
