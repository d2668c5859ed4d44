import { readFileSync } from 'node:fs';
import { SECRET_SETTINGS, givenSettings } from './given-settings.js';

/** Named like secrets, but without any. */
const HARMLESS = [
  'OIDC_TOKEN_MAX_LIFETIME',
  'PUBLIC_URL',
  'RATE_LIMIT_PER_TOKEN',
  'REGISTRATION_TOKEN_LIFETIME',
  'SECRET_IMPORT',
  'SECRET_IMPORT_MAX_AGE',
  'SECRET_MAX_LIFETIME',
  'SECRET_NOTICE_DAYS',
  'TOKEN_ENDPOINT_AUTH_METHODS',
];

test('each documented variable whose name suggests a secret is treated as one, or known to contain none', () => {
  const page = readFileSync(new URL('../../../../docs/registry.md', import.meta.url), 'utf8');
  const documented = [...page.matchAll(/^\| `([A-Z][A-Z_]+)`/gm)].map(([, name]) => String(name));
  const named = documented.filter((name) => /PASSWORD|PEPPER|SECRET|TOKEN|KEY|URL$/.test(name));
  expect(named).toContain('DATABASE_URL');
  const covered = [...SECRET_SETTINGS, ...HARMLESS];
  expect(named.filter((name) => !covered.includes(name))).toEqual([]);
});

test('of a secret the text is not given', () => {
  const given = givenSettings(['DATABASE_URL', 'PORT'], { DATABASE_URL: 'postgres://a:b@c', PORT: '1' }, {});
  expect(given.get('PORT')).toEqual({ text: '1' });
  expect(given.get('DATABASE_URL')).not.toHaveProperty('text');
});
