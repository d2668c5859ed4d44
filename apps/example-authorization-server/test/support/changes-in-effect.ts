import type { RegisteredClient, Registry } from './registry.js';
import { timeToEffect } from './time-to-effect.js';

/** Repetitions of each change. */
const ROUNDS = Number(process.env['DRILL_ROUNDS'] ?? 1);

/** In milliseconds: requests that start later than this after a change's response must see it. */
const BOUND_MS = 1_000;

/** Of a Client that authenticates with a secret. */
export const CONFIDENTIAL = { token_endpoint_auth_method: 'client_secret_basic' };

/** A change, and the request that it blocks or enables. */
export interface Change {
  readonly overrides?: Readonly<Record<string, unknown>>;
  before?(client: RegisteredClient): Promise<unknown>;
  make(client: RegisteredClient): Promise<unknown>;
  isInEffect(client: RegisteredClient): Promise<boolean>;
}

/** How an authorization server that uses the registry responds. */
export interface ServerUnderTest {
  readonly ask: Registry['ask'];
  /** Sends an authorization request of the Client. */
  isAccepted(client: RegisteredClient): Promise<boolean>;
  /** Authenticates with the secret of its registration. */
  isAuthenticated(client: RegisteredClient): Promise<boolean>;
}

export function pathOf({ client_id: id }: RegisteredClient): string {
  return `/client/${encodeURIComponent(id)}`;
}

/** The changes that every authorization server must see. */
export function changesSeenBy(server: ServerUnderTest): readonly [string, Change][] {
  const isRefused = async (client: RegisteredClient) => !(await server.isAccepted(client));
  const isNotAuthenticated = async (client: RegisteredClient) => !(await server.isAuthenticated(client));
  const disable = (client: RegisteredClient) => server.ask('POST', `${pathOf(client)}/disable`);
  const move = { redirect_uris: ['https://shop.example/other'] };
  return [
    ['a Client is disabled', { make: disable, isInEffect: isRefused }],
    [
      'a Client is enabled again',
      {
        before: disable,
        make: (client) => server.ask('POST', `${pathOf(client)}/enable`),
        isInEffect: server.isAccepted,
      },
    ],
    [
      'a Client is deleted',
      { make: (client) => server.ask('DELETE', pathOf(client)), isInEffect: isRefused },
    ],
    [
      'a redirect URI is changed',
      { make: (client) => server.ask('PATCH', pathOf(client), move), isInEffect: isRefused },
    ],
    [
      'a secret is rotated',
      {
        overrides: CONFIDENTIAL,
        make: (client) => server.ask('POST', `${pathOf(client)}/reset_secret`, {}),
        isInEffect: isNotAuthenticated,
      },
    ],
    [
      'a Client with a secret is disabled',
      { overrides: CONFIDENTIAL, make: disable, isInEffect: isNotAuthenticated },
    ],
  ];
}

/** Expects each round's change to be in effect within a second. @returns how long each took, in milliseconds */
export async function timesToEffect(registry: Registry, change: Change): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const client = await registry.register(change.overrides);
    await change.before?.(client);
    const { effectMs, formerMs } = await timeToEffect(
      () => change.make(client),
      () => change.isInEffect(client),
    );
    expect(formerMs).toBeLessThan(BOUND_MS);
    times.push(effectMs);
    // And it stays so.
    expect(await change.isInEffect(client)).toBe(true);
  }
  return times;
}
