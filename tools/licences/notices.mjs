// What docs/licences.md and THIRD-PARTY-NOTICES.txt say; tools/docs.mjs writes both, a test compares them.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundledPackages, installedPackages } from './lock-file.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Licences (SPDX) that ask for no more than that their text is kept. */
const ALLOWED = new Set([
  ...[
    '0BSD',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'CC0-1.0',
    'ISC',
    'MIT',
    'MIT-0',
  ],
  ...['OFL-1.1', 'Python-2.0', 'Unlicense', 'Zlib'],
]);

/** What is shipped, and what of others is in it. */
export const SHIPPED = [
  { what: 'Image `svc-registry`', packages: installedPackages('apps/registry-api') },
  { what: 'Image `svc-commander`', packages: installedPackages('apps/commander-api') },
  { what: 'Admin web UI, in `svc-registry`', packages: bundledPackages('apps/registry-ui') },
];

/** @returns {string[]} the packages whose licence is none of those allowed */
export function refusedLicences(shipped = SHIPPED) {
  const refused = shipped.flatMap(({ packages }) => packages.filter(({ licence }) => !isAllowed(licence)));
  return [...new Set(refused.map(({ name, version, licence }) => `${name} ${version}: ${licence}`))];
}

/** SPDX expressions of one level: `(MIT AND Zlib)`, `MIT OR Apache-2.0`. */
function isAllowed(expression) {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  if (/[()]/.test(plain)) return false;
  return plain.split(' OR ').some((part) => part.split(' AND ').every((name) => ALLOWED.has(name)));
}

/** @returns {string} Markdown */
export function licenceTables() {
  const sections = SHIPPED.map(({ what, packages }) => {
    const rows = packages.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`);
    return `## ${what}\n\n| package | version | licence |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  return `# Licences of others\n\n${INTRODUCTION}\n\n${sections.join('\n')}`;
}

const INTRODUCTION = `What is shipped holds these packages, by \`package-lock.json\` (\`node tools/docs.mjs\` writes this
page). Optional ones are listed for every platform. A test refuses licences other than
${[...ALLOWED].join(', ')}. The images hold each package's own licence file, below \`node_modules\`; the web UI is one
bundle, so the licences of what may be in it stand in [THIRD-PARTY-NOTICES.txt](../THIRD-PARTY-NOTICES.txt).`;

/** @returns {string} the licence texts of what the bundle may hold a part of */
export function bundleNotices() {
  const [{ packages }] = SHIPPED.slice(-1);
  const notices = packages.map(({ name, version, licence, path }) => {
    const text = licenceText(path) ?? `Licensed under ${licence}; the package holds no licence file.`;
    return `${name} ${version} (${licence})\n\n${text.trim().replaceAll('\r\n', '\n')}\n`;
  });
  return `The admin web UI holds parts of these packages.\n\n${notices.join(`\n${'-'.repeat(78)}\n\n`)}`;
}

function licenceText(path) {
  const name = readdirSync(`${root}${path}`).find((each) =>
    /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(each),
  );
  return name && readFileSync(`${root}${path}/${name}`, 'utf8');
}
