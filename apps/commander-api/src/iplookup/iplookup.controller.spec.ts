import { EventEmitter } from 'node:events';
import { createLogger } from '@svc/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IplookupController } from './iplookup.controller.js';
import { AuditLog } from '../audit/audit-log.js';
import { RefusalLog } from '../audit/refusal-log.js';
import { LookupGate } from './files/allowed-lookup.js';
import type { IplookupService } from './iplookup.service.js';

/** Asks for a build over a connection, and gives the signal that the build is handed. */
async function signalOf(raw: EventEmitter & { readonly destroyed: boolean }): Promise<AbortSignal> {
  let signal: AbortSignal | undefined;
  const lookups = {
    buildFromFile: async (...[, , , caller]: Parameters<IplookupService['buildFromFile']>) => {
      signal = caller.left;
      throw new Error('not built');
    },
  };
  const audit = new AuditLog(createLogger('test', 'silent'));
  const gate = new LookupGate(new RefusalLog(audit));
  const controller = new IplookupController(lookups as unknown as IplookupService, gate, audit);
  const request = {
    body: { file_name: 'a.csv' },
    headers: { 'content-type': 'application/json' },
    principal: { id: 'token', name: 'token', scopes: [], lookups: 'all' },
  };
  const building = controller.fromCsv(
    {},
    request as unknown as FastifyRequest,
    { raw } as unknown as FastifyReply,
  );
  await expect(building).rejects.toThrow('not built');
  return signal!;
}

test('a build ends when its caller leaves, even before it has begun', async () => {
  const staying = Object.assign(new EventEmitter(), { destroyed: false });
  const signal = await signalOf(staying);
  expect(signal.aborted).toBe(false);
  staying.emit('close');
  expect(signal.aborted).toBe(true);
  const gone = Object.assign(new EventEmitter(), { destroyed: true });
  expect((await signalOf(gone)).aborted).toBe(true);
});
