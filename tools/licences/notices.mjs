// The contents of docs/licences.md and THIRD-PARTY-NOTICES.txt; tools/docs.mjs writes both, a test compares them.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UNBUNDLED } from '../bundle.mjs';
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

/** What we ship, with the third-party packages in it; those of `apart` are not in its bundle but files of their own. */
export const SHIPPED = [
  {
    what: 'Image `svc-registry`',
    packages: installedPackages('apps/registry-api'),
    apart: UNBUNDLED['registry-api'],
  },
  {
    what: 'Image `svc-commander`',
    packages: installedPackages('apps/commander-api'),
    apart: UNBUNDLED['commander-api'],
  },
  { what: 'Console, in `svc-registry`', packages: bundledPackages('apps/registry-ui') },
];

/** @returns {string[]} the packages whose licence is not allowed */
export function refusedLicences(shipped = SHIPPED) {
  const refused = shipped.flatMap(({ packages, apart = [] }) =>
    packages.filter(
      ({ name, licence }) =>
        !isAllowed(licence) && !(apart.includes(name) && UNMODIFIED.get(name) === licence),
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
that can be replaced ([why](decisions/0018-openpgp-under-the-lgpl.md)). The services and the console are bundles, so
[THIRD-PARTY-NOTICES.txt](../THIRD-PARTY-NOTICES.txt), which is in both images, contains the licences of all packages that they may include.`;

/** @returns {string} the licence texts of all packages that the bundles may include parts of */
export function bundleNotices() {
  const shipped = SHIPPED.flatMap(({ packages }) => packages);
  const unique = [...new Map(shipped.map((each) => [`${each.name} ${each.version}`, each])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each);
  const notices = unique.map(({ name, version, licence, path }) => {
    const text = licenceText(path) ?? `Licensed under ${licence}; the package contains no licence file.`;
    return `${name} ${version} (${licence})\n\n${text.trim().replaceAll('\r\n', '\n')}\n`;
  });
  return `The services and the console contain parts of these packages.\n\n${notices.join(`\n${'-'.repeat(78)}\n\n`)}`;
}

function licenceText(path) {
  const name = readdirSync(`${root}${path}`).find((each) =>
    /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(each),
  );
  return name && readFileSync(`${root}${path}/${name}`, 'utf8');
}
