import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, createMetrics } from '@svc/service-kit';
import type { CommanderConfig } from '../config/commander-config.js';
import { BuildQueue } from './build/build-queue.js';
import type { AllowedLookup } from './files/allowed-lookup.js';
import { IplookupService } from './iplookup.service.js';
import { LookupMetrics } from './lookup-metrics.js';

test('a rollback whose caller has left while it waited is not carried out', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lookups-'));
  const queue = new BuildQueue();
  const config = { iplookup: { destination_path: folder } } as CommanderConfig;
  const logger = createLogger('test', 'silent');
  const lookups = new IplookupService(config, logger, new LookupMetrics(createMetrics('test', '1')), queue);
  let endBuild = () => {};
  const built = new Promise<void>((resolve) => (endBuild = resolve));
  const building = queue.run(async () => built);
  const [leaving, staying] = [new AbortController(), new AbortController()];
  const rollBack = async ({ signal: left }: AbortController) =>
    lookups.rollBack('sites' as AllowedLookup, undefined, { left });
  const ended = Promise.allSettled([rollBack(leaving), rollBack(staying)]);
  leaving.abort();
  endBuild();
  await building;
  const codes = (await ended).map(
    (result) => result.status === 'rejected' && (result.reason as { code: string }).code,
  );
  expect(codes).toEqual(['build_stopped', 'lookup_not_found']);
  await rm(folder, { recursive: true });
});
