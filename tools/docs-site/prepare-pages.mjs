import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { REPOSITORY } from '../packages/published.mjs';
import { ROOT } from '../packages/common-manifest.mjs';
import { apiPage } from './api-page.mjs';
import { libraryPages } from './library-pages.mjs';

/** The API documents, by the page made of each. */
const APIS = { 'api-registry': 'openapi-registry.json', 'api-commander': 'openapi-commander.json' };

/** Files of `docs` that pages link to as they are. */
const SERVED = /^docs\/[\w.-]+\.json$/;

/**
 * Writes the site's pages: those of `docs`, the changelog, a page for each HTTP API and for each published library, and the
 * sidebar, which follows the tables of contents.
 *
 * @param {string} folder is emptied first
 */
export async function preparePages(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(`${folder}/public`, { recursive: true });
  cpSync(`${ROOT}docs/images`, `${folder}/images`, { recursive: true });
  for (const path of readdirSync(`${ROOT}docs`, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  ))
    write(pageOf(`docs/${path}`), sitePage(`docs/${path}`, read(`docs/${path}`)));
  write('changelog.md', sitePage('CHANGELOG.md', read('CHANGELOG.md')));
  for (const [page, document] of Object.entries(APIS)) {
    cpSync(`${ROOT}docs/${document}`, `${folder}/public/${document}`);
    write(`${page}.md`, apiPage(JSON.parse(read(`docs/${document}`)), document));
  }
  for (const name of readdirSync(`${ROOT}docs`).filter((each) => SERVED.test(`docs/${each}`)))
    cpSync(`${ROOT}docs/${name}`, `${folder}/public/${name}`);
  for (const [name, text] of libraryPages())
    write(`libraries/${name}.md`, sitePage(`libs/${name}/README.md`, text));
  writeFileSync(`${folder}/sidebar.json`, JSON.stringify(sidebar(folder)));

  function write(path, text) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const read = (path) => readFileSync(ROOT + path, 'utf8');

/** Where a file of the repository is on the site; undefined for files that are not. */
function pageOf(path) {
  if (path === 'CHANGELOG.md') return 'changelog.md';
  const [, library] = /^libs\/([^/]+)\/README\.md$/.exec(path) ?? [];
  if (library !== undefined) return `libraries/${library}.md`;
  if (path === 'docs/README.md') return 'index.md';
  return path.startsWith('docs/') && path.endsWith('.md') ? path.slice('docs/'.length) : undefined;
}

/** A page whose links lead to other pages of the site, or into the repository. */
export function sitePage(path, text) {
  return outsideFences(text, (part) =>
    part.replaceAll(/\]\((?!https?:|mailto:|#)([^)\s]+)\)/g, (_link, target) => {
      const [file, anchor] = target.split('#');
      const place = normalize(join(dirname(path), file));
      return `](${placeOnSite(path, place)}${anchor ? `#${anchor}` : ''})`;
    }),
  );
}

function placeOnSite(from, place) {
  const page = pageOf(place);
  if (page !== undefined) return `/${page}`;
  if (SERVED.test(place)) {
    const api = Object.keys(APIS).find((name) => APIS[name] === basename(place));
    return api ? `/${api}.md` : `${REPOSITORY}/blob/main/${place}`;
  }
  if (place.startsWith('docs/images/'))
    return `${'../'.repeat(from.split('/').length - 2)}./${place.slice('docs/'.length)}`;
  return `${REPOSITORY}/blob/main/${place}`;
}

function outsideFences(text, change) {
  return text
    .split(/(^```[^]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : change(part)))
    .join('');
}

/** The sections and links of the contents page, then the APIs and libraries. */
function sidebar(folder) {
  const title = (page) =>
    /^# (.+)$/m.exec(readFileSync(join(folder, page), 'utf8'))?.[1]?.replaceAll('`', '') ?? page;
  const item = (page) => ({ text: title(page), link: `/${page.replace(/\.md$/, '')}` });
  /** @type {{ text: string, collapsed: boolean, items: { text: string, link: string }[] }[]} */
  const sections = [];
  for (const [, bold, links = ''] of read('docs/README.md').matchAll(
    /^\| (?:\*\*(.+?)\*\*|[^|]+?) +\|(.*)\|$/gm,
  )) {
    if (bold !== undefined) sections.push({ text: bold, collapsed: false, items: [] });
    const pages = [...links.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, page]) => page);
    sections.at(-1)?.items.push(...pages.map(item));
  }
  const libraries = readdirSync(`${folder}/libraries`).map((name) => item(`libraries/${name}`));
  return [
    ...sections,
    { text: 'HTTP APIs', collapsed: true, items: Object.keys(APIS).map((page) => item(`${page}.md`)) },
    { text: 'Libraries', collapsed: true, items: libraries },
  ];
}
