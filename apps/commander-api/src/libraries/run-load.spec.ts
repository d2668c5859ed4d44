import { EXIT } from '../errors/commander-error.js';
import { configuredOptions } from './run-load.js';

const optionsFor = (version_node?: string, max_bytes?: number) =>
  configuredOptions({
    source: { exclude: [], ...(max_bytes !== undefined && { max_bytes }) },
    destination: { path: '/library', timeoutMs: 1, ...(version_node !== undefined && { version_node }) },
  });

test('unset settings have the documented defaults', () => {
  expect(optionsFor()).toEqual({
    names: 'library',
    exclude: [],
    maxBytes: 512 * 1024 * 1024,
    versionNode: '.version.yaml',
  });
  expect(optionsFor('none', 5)).toMatchObject({ versionNode: undefined, maxBytes: 5 });
  expect(optionsFor('version.txt')).toMatchObject({ versionNode: 'version.txt' });
});

test.each(['a/b', '/', '.', '..', 'a\u0001'])('a version node cannot be called %j', (name) => {
  const message = `destination.version_node: ${JSON.stringify(name)} is not the name of one node; use a name such as .version.yaml, or none`;
  expect(() => optionsFor(name)).toThrow(expect.objectContaining({ message, exitCode: EXIT.configuration }));
});
