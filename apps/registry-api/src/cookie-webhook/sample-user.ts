/** Claims of a user who does not exist, as OpenID Connect Core section 5.1 names them. */
export const SAMPLE_USER = {
  sub: 'sample-user',
  preferred_username: 'sample',
  name: 'Sample User',
  given_name: 'Sample',
  family_name: 'User',
  email: 'sample.user@example.com',
  email_verified: true,
  phone_number: '+1 555 0100',
  phone_number_verified: false,
  locale: 'en',
  zoneinfo: 'Europe/Prague',
  updated_at: 1_700_000_000,
} as const;
