import { challengeFault } from './code-challenge.js';

/** RFC 7636 appendix B. */
const S256 = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const PLAIN = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk.~';

test.each([
  ['none', undefined, undefined],
  ['none', PLAIN, undefined],
  ['none', PLAIN, 'plain'],
  ['none', S256, 'S256'],
  ['plain', PLAIN, undefined],
  ['plain', PLAIN, 'plain'],
  ['S256', S256, 'S256'],
  ['plain', 'a'.repeat(43), 'plain'],
  ['plain', 'a'.repeat(128), 'plain'],
] as const)('a Client with %s may send %s by %s', (required, challenge, method) => {
  expect(challengeFault({ challenge, method }, required)).toBeUndefined();
});

test.each([
  ['S256', undefined, undefined, 'is missing'],
  ['S256', undefined, 'S256', 'is missing'],
  ['plain', undefined, undefined, 'is missing'],
  ['none', undefined, 'S256', 'without a code_challenge'],
  ['S256', S256, undefined, 'without one it is plain'],
  ['S256', S256, 'plain', 'not plain'],
  ['plain', S256, 'S256', 'not S256'],
  ['S256', S256, 's256', 'none of plain, S256'],
  ['none', S256, 'S512', 'none of plain, S256'],
  ['S256', `${S256}=`, 'S256', '43 characters'],
  ['S256', S256.slice(1), 'S256', '43 characters'],
  ['S256', S256.replace('-', '+'), 'S256', '43 characters'],
  ['none', 'a'.repeat(42), 'plain', '43 to 128'],
  ['none', 'a'.repeat(129), 'plain', '43 to 128'],
  ['none', `${PLAIN}/`, 'plain', '43 to 128'],
  ['plain', '', 'plain', '43 to 128'],
] as const)('a Client with %s may not send %s by %s', (required, challenge, method, fault) => {
  expect(challengeFault({ challenge, method }, required)).toContain(fault);
});
