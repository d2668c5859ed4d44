import { inChildSpan } from '@svc/service-kit';

/** Where a statement runs. */
export type Server = 'primary' | 'standby';

/** A statement in the trace of its request, by name: never with values, nor with text that may contain them. */
export async function traceStatement<T>(name: string, server: Server, run: () => Promise<T>): Promise<T> {
  const attributes = {
    'db.system.name': 'postgresql',
    'db.query.summary': name,
    'svc.database.server': server,
  };
  return inChildSpan(name, { kind: 'client', attributes }, run);
}
