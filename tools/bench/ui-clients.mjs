// Realistic Clients: several kinds, some with warnings, disabled or with cookies, and names of many lengths and
// scripts.
// Reproducible, so that runs are comparable.

const OWNERS = [
  ...[
    'Accounting',
    'Billing',
    'Customer care',
    'Data platform',
    'Facilities',
    'Human resources',
    'IT operations',
  ],
  ...[
    'Legal',
    'Logistics',
    'Marketing',
    'Northern branch',
    'Procurement',
    'Retail',
    'Sales',
    'Treasury',
    'Warehouse',
  ],
];
const PURPOSES = [
  ...[
    'admin console',
    'approvals',
    'archive',
    'booking',
    'calendar',
    'dashboard',
    'document portal',
    'expenses',
  ],
  ...[
    'forecast',
    'gateway',
    'inventory',
    'knowledge base',
    'loader',
    'mobile app',
    'notifications',
    'planning',
  ],
  ...['reporting', 'scheduler', 'self-service', 'shop', 'tickets', 'time sheets', 'tracking', 'wallet'],
];
const STAGES = ['', '', '', ' (test)', ' (staging)', ' EU', ' APAC'];
const OTHER_SCRIPTS = [
  '在庫管理',
  'إدارة المخزون',
  'Бухгалтерия',
  'Qualitätssicherung',
  'ניהול לקוחות',
  'Übersetzungsbüro',
];

/** One NDJSON line of `POST /clients/import` per Client. */
export function* clientLines(count) {
  for (let index = 0; index < count; index += 1) yield `${JSON.stringify(clientOf(index))}\n`;
}

function clientOf(index) {
  const random = randomOf(index);
  const pick = (values) => values[Math.floor(random() * values.length)];
  const chance = (share) => random() < share;
  const name = chance(0.02)
    ? `${pick(OTHER_SCRIPTS)} ${index}`
    : `${pick(OWNERS)} ${pick(PURPOSES)}${pick(STAGES)}${chance(0.6) ? ` ${1 + (index % 40)}` : ''}`;
  const slug = `${name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')}-${index.toString(36)}`;
  const host = `https://${slug.slice(0, 60).replace(/-$/, '')}.example.com`;
  const native = chance(0.1);
  const secret = !native && chance(0.5);
  return {
    client_id: chance(0.7) ? slug : idOf(random),
    client_name: name,
    application_type: native ? 'native' : 'web',
    redirect_uris: native
      ? [`com.example.${slug.replace(/[^a-z0-9]/g, '')}:/callback`]
      : Array.from({ length: chance(0.05) ? 12 : 1 + Math.floor(random() * 3) }, (_, at) =>
          at === 0 ? `${host}/callback` : `${host}/callback/${at}`,
        ),
    token_endpoint_auth_method: secret ? pick(['client_secret_basic', 'client_secret_post']) : 'none',
    code_challenge_method: secret && chance(0.3) ? 'none' : chance(0.05) ? 'none' : 'S256',
    ...(chance(0.5) && { grant_types: ['authorization_code', 'refresh_token'] }),
    ...(!native && chance(0.03) && { redirect_uri_validation_method: 'prefix_match' }),
    ...(chance(0.5) && { client_uri: `${host}/` }),
    ...(chance(0.3) && { session_expiration: pick(['8 h', '30 m', '14 d']) }),
    ...(!native && chance(0.04) && cookiesOf(host, chance(0.8))),
    enabled: !chance(0.04),
  };
}

function cookiesOf(host, hasEntry) {
  return {
    cookie_webhook_uri: `${host}/hooks/cookies`,
    ...(hasEntry && { cookie_entry_uri: `${host}/cookie` }),
  };
}

/** Like the registry's ids: 22 characters. */
function idOf(random) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return Array.from({ length: 22 }, () => letters[Math.floor(random() * letters.length)]).join('');
}

/** Mulberry32: small, and random enough for samples. */
function randomOf(seed) {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
