import fc from 'fast-check';
import { isLabelKey, isLabelValue, parseLabel } from './labels.js';

/** Kubernetes' own rules, from apimachinery's validation: `qualifiedNameFmt` and `dns1123SubdomainFmt`. */
const isQualifiedName = (text: string): boolean =>
  text.length <= 63 && /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/.test(text);
const isSubdomain = (text: string): boolean =>
  text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text);
const isKubernetesKey = (key: string): boolean => {
  const parts = key.split('/');
  if (parts.length > 2) return false;
  const name = parts.pop() ?? '';
  return isQualifiedName(name) && parts.every(isSubdomain);
};

const text = fc.string({
  unit: fc.constantFrom('a', 'Z', '0', '-', '_', '.', '/', ':', ' ', 'é', '\n'),
  maxLength: 8,
});

test('keys and values are those that Kubernetes allows', () => {
  fc.assert(
    fc.property(text, (any) => {
      expect([any, isLabelKey(any)]).toEqual([any, isKubernetesKey(any)]);
      expect([any, isLabelValue(any)]).toEqual([any, any === '' || isQualifiedName(any)]);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['a'.repeat(63), true],
  ['a'.repeat(64), false],
  [`${'a'.repeat(253)}/b`, true],
  [`${'a'.repeat(254)}/b`, false],
  ['example.com/team', true],
  ['Example.com/team', false],
  ['constructor', true],
  ['__proto__', false],
])('the key %s is valid: %s', (key, expected) => {
  expect(isLabelKey(key)).toBe(expected);
  expect(isKubernetesKey(key)).toBe(expected);
});

test('a label is a key and a value, or a key alone', () => {
  expect(parseLabel('example.com/team:shop')).toEqual({ key: 'example.com/team', value: 'shop' });
  expect(parseLabel('team:')).toEqual({ key: 'team', value: '' });
  expect(parseLabel('team')).toEqual({ key: 'team', value: undefined });
  expect([':shop', 'team:a:b', 'team:-', ''].map(parseLabel)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
