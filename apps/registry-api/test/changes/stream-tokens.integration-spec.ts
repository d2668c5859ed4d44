import { once } from 'node:events';
import { createLogger } from '@svc/service-kit';
import { eventually } from '@svc/test-servers';
import { ChangeFeed } from '../../src/changes/change-feed.js';
import { ChangeReader } from '../../src/changes/change-reader.js';
import type { ChangeStream } from '../../src/changes/change-stream.js';
import { ChangeStreams } from '../../src/changes/change-streams.js';
import { FULL_VIEW } from '../../src/changes/feed-view.js';
import { StreamAccess } from '../../src/changes/stream-access.js';
import { ISSUER_TIMES, IssuerKeys, type IssuerTimes } from '../../src/oidc/issuer-keys.js';
import { OidcTokenVerifier } from '../../src/oidc/oidc-token-verifier.js';
import { SAME_SCOPES } from '../../src/oidc/granted-scopes.js';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { AUDIENCE, type OidcIssuer, startIssuer } from '../oidc/oidc-issuer.js';
import { type RunningRegistry, runRegistry } from '../running-registry.js';

/** The issuer is asked anew for every look at a token: nothing is remembered while it is away. */
const FORGETFUL: IssuerTimes = { ...ISSUER_TIMES, cooldownMs: 0, keysMaxAgeMs: 1, metadataMaxAgeMs: 1 };

/** Clocks may differ by as much, in seconds. */
const TOLERANCE_S = 30;

let registry: RunningRegistry;
let issuer: OidcIssuer;
let streams: ChangeStreams;

beforeAll(async () => {
  registry = await runRegistry();
}, DATABASE_START_MS);
afterAll(async () => {
  await registry.close();
});

beforeEach(async () => {
  issuer = await startIssuer();
  const settings = {
    ...{ algorithms: ['ES256'], audience: AUDIENCE, selectorClaim: 'groups' },
    ...{ scopeClaim: 'scope', scopeMap: SAME_SCOPES },
  };
  const keys = new IssuerKeys(issuer.issuer, FORGETFUL);
  const accessTokens = new OidcTokenVerifier(
    { ...settings, issuer: issuer.issuer },
    keys.keyFor,
    createLogger('test', 'silent'),
  );
  const { app } = registry.service;
  streams = new ChangeStreams(
    app.get(ChangeFeed, { strict: false }),
    app.get(ChangeReader, { strict: false }),
    new StreamAccess(registry.dataSource, accessTokens),
  );
});
afterEach(() => streams.onModuleDestroy());

const follow = async (token: string): Promise<ChangeStream> =>
  (
    await streams.open(undefined, token, {
      ...{ id: token, address: '127.0.0.1' },
      ...FULL_VIEW,
    })
  ).resume();
const hasEnded = ({ destroyed }: ChangeStream) => destroyed;
const apiToken = async () => {
  const body = { name: 'reader', scopes: ['clients:read'] };
  const { body: made } = await registry.ask('POST', '/token', { body });
  return { id: String(made['id']), value: String(made['token']) };
};

test('during an outage of the issuer, revoked API tokens end their streams, and access tokens when they expire', async () => {
  const now = Math.floor(Date.now() / 1000);
  const [revoked, kept] = [await apiToken(), await apiToken()];
  const [ending, staying, expiring, valid] = [
    await follow(revoked.value),
    await follow(kept.value),
    await follow(await issuer.sign({ exp: now + 4 - TOLERANCE_S })),
    await follow(await issuer.sign({})),
  ];
  let expiredAt = 0;
  expiring.once('close', () => (expiredAt = Date.now()));
  await issuer.halt();
  await registry.ask('DELETE', `/token/${revoked.id}`);
  await eventually(async () => expect([ending, expiring].map(hasEnded)).toEqual([true, true]));
  expect([staying, valid].map(hasEnded)).toEqual([false, false]);
  expect(expiredAt).toBeGreaterThanOrEqual((now + 4) * 1000);
});

test('an access token whose key the issuer has withdrawn ends its stream', async () => {
  const stream = await follow(await issuer.sign({}));
  await issuer.rotate();
  await once(stream, 'close', { signal: AbortSignal.timeout(5_000) });
  await issuer.halt();
});
