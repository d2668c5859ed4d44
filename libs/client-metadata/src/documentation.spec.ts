import { readdirSync, readFileSync } from 'node:fs';
import { CLIENT_FIELDS } from './fields/client-fields.js';

const SOURCES = new URL('.', import.meta.url);
const DOCUMENT = readFileSync(new URL('../../../docs/client-metadata.md', import.meta.url), 'utf8');

/** What is wrong with a pasted URL says so by itself. */
const EXPLAINED_ELSEWHERE = ['requests/parse-authorization-url.ts'];

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !EXPLAINED_ELSEWHERE.includes(name))
  .map((name) => readFileSync(new URL(name, SOURCES), 'utf8'));

test('docs/client-metadata.md names every field', () => {
  expect(CLIENT_FIELDS.filter(({ name }) => !DOCUMENT.includes(`\`${name}\``))).toEqual([]);
});

test('docs/client-metadata.md explains every code of a violation and a warning', () => {
  const codes = sources.flatMap((text) =>
    [...text.matchAll(/(?:code: |refuse\(field, )'(\w+)'/g)].map(([, code]) => code),
  );
  expect(codes.length).toBeGreaterThan(50);
  expect(codes.filter((code) => !DOCUMENT.includes(`\`${code}\``))).toEqual([]);
});
