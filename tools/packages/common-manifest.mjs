import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { REPOSITORY, SCOPE, WORKSPACE_SCOPE } from './published.mjs';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export function readManifest(folder) {
  return JSON.parse(readFileSync(`${ROOT}${folder}/package.json`, 'utf8'));
}

/** A text with the names that packages are published by. */
export function scoped(text) {
  return text.replaceAll(`${WORKSPACE_SCOPE}/`, `${SCOPE}/`);
}

/** A project's README, whose links to other pages lead to the repository. */
export function readmeOf(directory) {
  const { version } = readManifest('.');
  const text = readFileSync(`${ROOT}${directory}/README.md`, 'utf8');
  return scoped(text).replaceAll('](../../', `](${REPOSITORY}/blob/v${version}/`);
}

/**
 * What all packages say about themselves.
 *
 * @param about description and keywords
 * @param directory of the project
 * @param name without scope
 */
export function commonManifest({ description, keywords }, directory, name) {
  const { version, license, engines } = readManifest('.');
  return {
    name: `${SCOPE}/${name}`,
    version,
    description,
    keywords,
    license,
    repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory },
    homepage: REPOSITORY,
    bugs: `${REPOSITORY}/issues`,
    type: 'module',
    engines,
    // A scoped package is private unless it says otherwise.
    publishConfig: { access: 'public' },
  };
}
