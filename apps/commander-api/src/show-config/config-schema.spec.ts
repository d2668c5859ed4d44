import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { CONFIG_KEYS } from '../config/config-keys.js';
import { configSchema } from './config-schema.js';
import { convertValue } from '../config/convert-value.js';

interface Property {
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
}
interface Section {
  readonly properties: Readonly<Record<string, Property>>;
}
const schema = configSchema(CONFIG_KEYS) as unknown as {
  readonly properties: Readonly<Record<string, Section>>;
};
const propertyOf = (section: string, key: string): Property => schema.properties[section]!.properties[key]!;

test('docs/svccmd.schema.json is the schema of the table (node tools/docs.mjs writes it)', () => {
  const published = readFileSync(new URL('../../../../docs/svccmd.schema.json', import.meta.url), 'utf8');
  expect(JSON.parse(published)).toEqual(configSchema(CONFIG_KEYS));
});

const converts = (type: 'port' | 'duration' | 'bytes', text: string): boolean => {
  try {
    convertValue(type, text, '/');
    return true;
  } catch {
    return false;
  }
};

test.each([
  ['port', 'http', 'port', fc.stringMatching(/^[0-9 .a-f]{0,6}$/)],
  ['bytes', 'source', 'max_bytes', fc.stringMatching(/^[0-9 .a-f]{0,6}$/)],
  ['duration', 'registry', 'timeout', fc.stringMatching(/^[0-9]{0,3}[. ]?[0-9]{0,3} {0,2}(ms|s|m|h|d|w|)$/)],
] as const)('what is read as a %s fits the pattern', (type, section, key, texts) => {
  const pattern = new RegExp(propertyOf(section, key).pattern!);
  fc.assert(fc.property(texts, (text) => !converts(type, text) || pattern.test(text)));
});

test.each(['yes', 'no', 'true', 'false', 'on', 'off', '1', '0'])('a switch may be %s', (value) => {
  expect(propertyOf('destination', 'tls').enum).toContain(value);
  expect(() => convertValue('switch', value, '/')).not.toThrow();
});

test.each(['0', '-1', '1.5', '1e6', '256 MiB', '1'.repeat(16)])('bytes may not be %s', (text) => {
  expect(() => convertValue('bytes', text, '/')).toThrow('a whole number of bytes, at least 1');
  expect(convertValue('bytes', '536870912', '/')).toBe(536_870_912);
});

test.each(['0', '5', '1.5', '0x2', '-1', '10000'])('a number from 1 to 4 may not be %s', (text) => {
  expect(() => convertValue({ from: 1, to: 4 }, text, '/')).toThrow('a number from 1 to 4');
  expect(convertValue({ from: 1, to: 4 }, '4', '/')).toBe(4);
  expect(propertyOf('iplookup', 'threads')).toMatchObject({ minimum: 1, maximum: 4 });
});
