import { ask } from './ask.mjs';

const CLIENT = {
  client_name: 'Shop',
  redirect_uris: ['https://shop.example.com/callback'],
  code_challenge_method: 'S256',
};

const GOOD_REQUEST = {
  response_type: 'code',
  redirect_uri: 'https://shop.example.com/callback',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};

/** Exercises the registry like an administrator and an authorization server. @returns the Client, for later checks */
export async function useRegistry({ registryUrl, secret }, report) {
  const token = secret('bootstrap-token');
  const registered = await ask('POST', `${registryUrl}/client`, token, CLIENT);
  report.check('a Client is registered', registered.status === 201, registered);
  const client = registered.body;
  const path = `${registryUrl}/client/${client.client_id}`;

  const read = await ask('GET', path, token);
  report.check('it is read', read.status === 200 && read.body.client_name === 'Shop', read);
  const change = { client_name: 'Shop, renamed' };
  const patched = await ask('PATCH', path, token, change, {
    'content-type': 'application/merge-patch+json',
    'if-match': read.headers.get('etag'),
  });
  report.check('it is changed', patched.status === 200, patched);

  const good = await ask('POST', `${path}/check/authorization_request`, token, GOOD_REQUEST);
  report.check('its authorization request is valid', good.body.valid === true, good);
  const bad = { ...GOOD_REQUEST, redirect_uri: 'https://evil.example.com/' };
  const refused = await ask('POST', `${path}/check/authorization_request`, token, bad);
  report.check('one with a foreign redirect URI is not', refused.body.valid === false, refused);
  const given = await ask('POST', `${path}/check/secret`, token, { client_secret: client.client_secret });
  report.check('its secret is valid', given.body.valid === true, given);
  const open = await ask('GET', path);
  report.check('requests without a token are rejected', open.status === 401, open);
  return client;
}

/** Fetches the console's page like a browser. */
export async function openConsole({ registryUrl }, report) {
  const page = await ask('GET', `${registryUrl}/ui/`);
  const policy = page.headers.get('content-security-policy') ?? '';
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  report.check(
    "the console's page has a strict policy with its own nonce",
    page.status === 200 &&
      policy.includes("default-src 'none'") &&
      !policy.includes('unsafe') &&
      nonce !== undefined &&
      page.text.includes(nonce),
    policy,
  );
  const scripts = [...page.text.matchAll(/<script[^>]+src="([^"]+)"/g)].map(([, path]) => path);
  const answers = await Promise.all(scripts.map((path) => ask('GET', new URL(path, `${registryUrl}/ui/`))));
  report.check(
    'its scripts are served',
    scripts.length > 0 && answers.every(({ status, text }) => status === 200 && text.length > 0),
    scripts,
  );
}

/** Checks that the Client is unchanged, and its secret and the token are still valid. */
export async function findClientAgain({ registryUrl, secret }, client, report) {
  const token = secret('bootstrap-token');
  const path = `${registryUrl}/client/${client.client_id}`;
  const read = await ask('GET', path, token);
  const given = await ask('POST', `${path}/check/secret`, token, { client_secret: client.client_secret });
  report.check(
    'the Client still has its last name and a valid secret',
    read.body.client_name === 'Shop, renamed' && given.body.valid === true,
    [read, given],
  );
}
