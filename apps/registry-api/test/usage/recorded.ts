import type { UsageBatch, UsageRow } from '@svc/client-metadata';
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { UsageRecorder } from '../../src/usage/usage-recorder.js';
import type { ClientUsageReport } from '../../src/usage/usage.dto.js';
import { pathOf, type RunningRegistry } from '../running-registry.js';

/** Writes what the registry has counted. */
export async function flushUsage({ service }: Pick<RunningRegistry, 'service'>): Promise<void> {
  await setImmediate();
  const recorder = service.app.get(UsageRecorder);
  // A write that is under way may have begun before the last use.
  await recorder.flush();
  await recorder.flush();
}

/** How a Client is used, after everything was written. */
export async function usageOf(
  registry: RunningRegistry,
  clientId: unknown,
  days = 30,
): Promise<ClientUsageReport> {
  await flushUsage(registry);
  const { body } = await registry.ask('GET', `${pathOf(clientId)}/usage?days=${days}`);
  return body as unknown as ClientUsageReport;
}

export function batchOf(rows: readonly UsageRow[], overrides: Partial<UsageBatch> = {}): UsageBatch {
  const now = new Date().toISOString();
  return { batch_id: randomUUID(), reporter: 'as-1', from: now, to: now, rows, ...overrides };
}

export function acceptedRow(client_id: unknown, overrides: Partial<UsageRow> = {}): UsageRow {
  const at = new Date().toISOString();
  return {
    client_id: String(client_id),
    use: {
      kind: 'request',
      redirect_uri: 'https://shop.example/cb',
      match: 'exact',
      pkce: 'S256',
      response_type: 'code',
    },
    count: 1,
    first_at: at,
    last_at: at,
    ...overrides,
  };
}
