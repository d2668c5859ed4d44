import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@svc/test-servers';
import { EventPruner } from '../../src/security-events/event-pruner.js';
import { readChain } from '../../src/security-events/verify/read-chain.js';
import { ChainVerifier, type Verification } from '../../src/security-events/verify/verify-chain.js';
import type { RunningRegistry } from '../running-registry.js';

/** An event as `GET /audit` shows it. */
export interface Recorded {
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly actor: Readonly<Record<'id' | 'name' | 'source' | 'address', string>>;
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly mac: string;
}

/** As the stream of events names it. */
export function idOf({ seq, mac }: Recorded): string {
  return `${seq}-${mac}`;
}

/** The events that match, latest first. */
export async function recorded({ ask }: RunningRegistry, query = ''): Promise<Recorded[]> {
  const { status, body } = await ask('GET', `/audit?limit=1000&${query}`);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body['events'] as Recorded[];
}

/** Waits for events that are recorded off the path of requests. */
export async function eventuallyRecorded(
  registry: RunningRegistry,
  query: string,
  expected: readonly object[],
): Promise<void> {
  await eventually(async () => expect(await recorded(registry, query)).toMatchObject(expected));
}

/** Verifies the record as `audit verify` does. */
export async function verified(
  { dataSource, dataDir }: RunningRegistry,
  includes?: string,
  peppers?: readonly string[],
): Promise<Verification> {
  const own = [(await readFile(join(dataDir, 'secret-pepper'), 'utf8').catch(() => '')).trim()];
  return readChain(dataSource, (ends) => new ChainVerifier(peppers ?? own, ends, includes));
}

export function prunerOf({ service }: RunningRegistry): EventPruner {
  return service.app.get(EventPruner, { strict: false });
}
