import type { Registry } from './registry.js';

const NAMES = [
  'Billing portal',
  'Checkout',
  'Customer support desk',
  'Data warehouse loader',
  'Employee directory',
  'Fleet tracker',
  'Gift cards',
  'Help centre',
  'Invoice archive',
  'Job scheduler',
  'Knowledge base',
  'Loyalty programme',
  'Mobile wallet',
  'News desk',
  'Order history',
  'Partner gateway',
];

/** Fills a registry with realistic data: several types of clients, some with warnings, one disabled, and tokens. */
export async function fillRegistry(registry: Registry): Promise<void> {
  for (const [index, name] of NAMES.entries()) await registry.register(exampleClient(name, index));
  await registry.ask('POST', '/client/job-scheduler/disable');
  await registry.ask('PATCH', '/client/gift-cards', {
    redirect_uris: ['https://gift-cards.example.com/callback', 'https://gift-cards.example.com/app/'],
    session_expiration: '8 h',
  });
  await registry.ask('POST', '/client/gift-cards/reset_secret', { overlap: '24 h' });
  const tokens = [
    { name: 'Authorization server', scopes: ['clients:read', 'clients:check'], expires_in: '365 d' },
    { name: 'Nightly export', scopes: ['clients:read'], expires_in: '10 d' },
  ];
  for (const token of tokens) await registry.ask('POST', '/token', token);
}

function exampleClient(name: string, index: number): Record<string, unknown> {
  const id = name.toLowerCase().replaceAll(' ', '-');
  const host = `https://${id}.example.com`;
  return {
    client_name: name,
    preferred_client_id: id,
    redirect_uris: index % 4 === 0 ? [`${host}/callback`, `${host}/silent`] : [`${host}/callback`],
    code_challenge_method: index % 5 === 0 ? 'none' : 'S256',
    token_endpoint_auth_method: index % 2 === 0 ? 'none' : 'client_secret_basic',
    ...(name === 'Gift cards' && {
      redirect_uri_validation_method: 'prefix_match',
      token_endpoint_auth_method: 'client_secret_basic',
    }),
    ...(name === 'Checkout' && { cookie_entry_uri: `${host}/cookie` }),
    ...(name === 'Knowledge base' && { cookie_domain: 'example.com' }),
  };
}
