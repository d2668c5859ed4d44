import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { anchorOf } from '../docs-site/anchors.mjs';
import { preparePages } from '../docs-site/prepare-pages.mjs';
import { LIBRARIES } from '../packages/published.mjs';
import { readPage } from './support/documented-tables.js';

const folder = mkdtempSync(join(tmpdir(), 'docs-site-'));
let pages: ReadonlyMap<string, string>;
beforeAll(async () => {
  await preparePages(folder);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  pages = new Map(names.map((name) => [`/${name}`, readFileSync(join(folder, name), 'utf8')]));
});
afterAll(() => rmSync(folder, { recursive: true }));

const withoutFences = (text: string) => text.replaceAll(/^```[^]*?^```$/gm, '');
const anchorsOf = (text: string) =>
  new Set([...withoutFences(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)));

test('every link within the site leads to a page and a heading of it', () => {
  expect(pages.size).toBeGreaterThan(50);
  for (const [path, text] of pages) {
    const links = [...withoutFences(text).matchAll(/(?<!!\[[^\]]*)\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(
      ([, link]) => link!,
    );
    const dead = links.filter((link) => {
      const [file = '', anchor] = link.split('#');
      if (file.endsWith('.json')) return false;
      const target = pages.get(file === '' ? path : file);
      return target === undefined || (anchor !== undefined && !anchorsOf(target).has(anchor));
    });
    expect([path, dead]).toEqual([path, []]);
  }
});

test('every picture is there', () => {
  for (const [path, text] of pages)
    for (const [, picture = ''] of withoutFences(text).matchAll(/!\[[^\]]*\]\(([^)]+)\)/g))
      expect(readFileSync(join(folder, dirname(path), picture)).length).toBeGreaterThan(0);
});

interface Section {
  readonly text: string;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

test("the sidebar has the contents page's pages by their titles, the APIs and the libraries, and no engineering", () => {
  const sidebar = JSON.parse(readFileSync(join(folder, 'sidebar.json'), 'utf8')) as Section[];
  expect(sidebar.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['start from your role', 'manage clients', 'HTTP APIs', 'Libraries']),
  );
  const items = sidebar.flatMap((section) => section.items);
  for (const { text, link } of items)
    expect((pages.get(`${link}.md`) ?? '').replaceAll('`', '').split('\n')).toContain(`# ${text}`);
  const links = items.map(({ link }) => link);
  expect(links).toEqual(
    expect.arrayContaining(['/for-administrators', '/for-operators', '/for-builders', '/registry']),
  );
  expect(links).not.toContain('/architecture');
});

test.each(['registry', 'commander'])('the API page of the %s has each operation', (service) => {
  const { paths } = JSON.parse(readPage(`docs/openapi-${service}.json`)) as { paths: Record<string, object> };
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const headings = [...(pages.get(`/api-${service}.md`) ?? '').matchAll(/^### `(.+)`$/gm)].map(
    ([, heading]) => heading,
  );
  expect(headings.sort()).toEqual(operations.sort());
});

/** All that a library's index lists, types included. */
function exportedBy(library: string): string[] {
  const lists = readPage(`libs/${library}/src/index.ts`).matchAll(/^export (?:type )?\{([^}]+)\}/gm);
  return [...lists]
    .flatMap(([, names = '']) => names.split(',').map((name) => name.replace('type ', '').trim()))
    .filter(Boolean);
}

test.each(LIBRARIES)('the page of %s has its README and each of its exports', (name) => {
  const page = pages.get(`/libraries/${name}.md`) ?? '';
  expect(page).toContain(`# @svc/${name}`);
  const exported = exportedBy(name);
  expect(exported.length).toBeGreaterThan(3);
  for (const each of exported) expect(page).toContain(`\n### \`${each}\`\n`);
});
