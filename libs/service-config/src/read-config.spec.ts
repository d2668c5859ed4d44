import { z } from 'zod';
import { ConfigError, readConfig, type Environment } from './read-config.js';

const schema = z.object({ PORT: z.coerce.number().int().default(3000), TOKEN: z.string().min(8) });
const files: Record<string, string> = { '/run/secrets/token': 'from the file\n' };
const readFile = (path: string) => {
  const content = files[path];
  if (content === undefined) throw Object.assign(new Error(`no ${path}`), { code: 'ENOENT' });
  return content;
};
const read = (environment: Environment) => readConfig(schema, environment, readFile);
const faultsOf = (environment: Environment) => {
  try {
    read(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  throw new Error('it was accepted');
};

test('values are converted and defaults filled in', () => {
  expect(read({ TOKEN: 'long enough' })).toEqual({ PORT: 3000, TOKEN: 'long enough' });
});

test('every fault is named, and no value', () => {
  const faults = faultsOf({ PORT: 'tcp', TOKEN: 'short' });
  expect(faults.map((fault) => fault.split(':')[0])).toEqual(['PORT', 'TOKEN']);
  expect(faults.join()).not.toMatch(/short|tcp/);
});

test('a missing variable is called required', () => {
  expect(faultsOf({})).toEqual(['TOKEN: is required']);
});

test('an empty variable counts as not set', () => {
  expect(faultsOf({ TOKEN: '' })).toEqual(['TOKEN: is required']);
});

test('NAME_FILE hands over the content of a file, less its last line break', () => {
  expect(read({ TOKEN_FILE: '/run/secrets/token' }).TOKEN).toBe('from the file');
});

test('a file that cannot be read is a fault of its own', () => {
  expect(faultsOf({ TOKEN_FILE: '/missing' })).toEqual([
    'TOKEN_FILE: cannot read the file it names (ENOENT)',
  ]);
});

test('a variable set in both ways is a fault', () => {
  expect(faultsOf({ TOKEN: 'long enough', TOKEN_FILE: '/run/secrets/token' })).toEqual([
    'TOKEN: is set both directly and by TOKEN_FILE; keep one of them',
  ]);
});

test('the result cannot be changed', () => {
  expect(Object.isFrozen(read({ TOKEN: 'long enough' }))).toBe(true);
});
