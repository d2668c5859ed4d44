import { z } from 'zod';
import { ConfigError, readConfig, type Environment } from './read-config.js';

const schema = z.object({ PORT: z.coerce.number().int().default(3000), TOKEN: z.string().min(8) });
const files: Record<string, string> = { '/run/secrets/token': '\ufefffrom the file\n' };
const readFile = (path: string) => {
  const content = files[path];
  if (content === undefined) throw Object.assign(new Error(`no ${path}`), { code: 'ENOENT' });
  return content;
};
const read = (environment: Environment) => readConfig(schema, environment, readFile);
const violationsOf = (environment: Environment) => {
  try {
    read(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.violations;
    throw error;
  }
  throw new Error('it was accepted');
};

test('values are converted and defaults filled in', () => {
  expect(read({ TOKEN: 'long enough' })).toEqual({ PORT: 3000, TOKEN: 'long enough' });
});

test('every violation is listed, without values', () => {
  const violations = violationsOf({ PORT: 'tcp', TOKEN: 'short' });
  expect(violations.map((violation) => violation.split(':')[0])).toEqual(['PORT', 'TOKEN']);
  expect(violations.join()).not.toMatch(/short|tcp/);
});

test('a missing variable is reported as required', () => {
  expect(violationsOf({})).toEqual(['TOKEN: is required']);
});

test('an empty variable counts as not set', () => {
  expect(violationsOf({ TOKEN: '' })).toEqual(['TOKEN: is required']);
});

test.each([' ', '\r', '\t\n'])('a variable or file with only %j counts as not set', (blank) => {
  expect(violationsOf({ TOKEN: blank, PORT: blank })).toEqual(['TOKEN: is required']);
  const readBlank = (TOKEN_FILE: string) => readConfig(schema, { TOKEN_FILE }, () => blank);
  expect(() => readBlank('/run/secrets/token')).toThrow('TOKEN: is required');
  expect(() => readBlank(blank)).toThrow('TOKEN: is required');
});

test('a password of a file keeps its blanks', () => {
  expect(readConfig(schema, { TOKEN_FILE: '/' }, () => ' with blanks \n').TOKEN).toBe(' with blanks ');
});

test('NAME_FILE reads a file, without a byte order mark and its last line break', () => {
  expect(read({ TOKEN_FILE: '/run/secrets/token' }).TOKEN).toBe('from the file');
});

test('a file that cannot be read is a violation of its own', () => {
  expect(violationsOf({ TOKEN_FILE: '/missing' })).toEqual([
    'TOKEN_FILE: cannot read the file it names (ENOENT)',
  ]);
});

test('a variable set in both ways is a violation', () => {
  expect(violationsOf({ TOKEN: 'long enough', TOKEN_FILE: '/run/secrets/token' })).toEqual([
    'TOKEN: is set both directly and by TOKEN_FILE; keep one of them',
  ]);
});

test('the result cannot be changed', () => {
  expect(Object.isFrozen(read({ TOKEN: 'long enough' }))).toBe(true);
});
