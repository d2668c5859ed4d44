// The contents of docs/licences.md and THIRD-PARTY-NOTICES.txt; tools/docs.mjs writes both, a test compares them.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundledPackages, installedPackages } from './lock-file.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Licences (SPDX) that only require keeping their text. */
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

/** Copyleft libraries, whose licences are met by shipping them unmodified, as files that can be replaced: never in a bundle. */
const UNMODIFIED = new Map([['openpgp', 'LGPL-3.0+']]);

/** What we ship, with the third-party packages in it. */
export const SHIPPED = [
  { what: 'Image `svc-registry`', packages: installedPackages('apps/registry-api') },
  { what: 'Image `svc-commander`', packages: installedPackages('apps/commander-api') },
  { what: 'Console, in `svc-registry`', packages: bundledPackages('apps/registry-ui'), isBundle: true },
];

/** @returns {string[]} the packages whose licence is not allowed */
export function refusedLicences(shipped = SHIPPED) {
  const refused = shipped.flatMap(({ packages, isBundle = false }) =>
    packages.filter(
      ({ name, licence }) => !isAllowed(licence) && (isBundle || UNMODIFIED.get(name) !== licence),
    ),
  );
  return [...new Set(refused.map(({ name, version, licence }) => `${name} ${version}: ${licence}`))];
}

/** Supports SPDX expressions of one level: `(MIT AND Zlib)`, `MIT OR Apache-2.0`. */
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
  return `# Third-party licences\n\n${INTRODUCTION}\n\n${sections.join('\n')}`;
}

const INTRODUCTION = `We ship these packages, in the versions of \`package-lock.json\`; \`node tools/docs.mjs\` generates this page.
Optional packages are listed for every platform. A test rejects licences other than
${[...ALLOWED].join(', ')}. ${[...UNMODIFIED].map(([name, licence]) => `\`${name}\` (${licence})`).join(', ')} is in the images unmodified, as files of its own
that can be replaced ([why](decisions/0018-openpgp-under-the-lgpl.md)). In the images, each package's licence file is under \`node_modules\`. The console is one
bundle, so [THIRD-PARTY-NOTICES.txt](../THIRD-PARTY-NOTICES.txt) contains the licences of all packages that it may include.`;

/** @returns {string} the licence texts of all packages that the bundle may include parts of */
export function bundleNotices() {
  const [{ packages }] = SHIPPED.slice(-1);
  const notices = packages.map(({ name, version, licence, path }) => {
    const text = licenceText(path) ?? `Licensed under ${licence}; the package contains no licence file.`;
    return `${name} ${version} (${licence})\n\n${text.trim().replaceAll('\r\n', '\n')}\n`;
  });
  return `The console contains parts of these packages.\n\n${notices.join(`\n${'-'.repeat(78)}\n\n`)}`;
}

function licenceText(path) {
  const name = readdirSync(`${root}${path}`).find((each) =>
    /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(each),
  );
  return name && readFileSync(`${root}${path}/${name}`, 'utf8');
}
