import type { ClientBase } from 'pg';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { ChangeRetention } from '../changes/change-retention.entity.js';
import { ClientChange } from '../clients/client-change.entity.js';
import { ClientSecret } from '../clients/client-secret.entity.js';
import { Client } from '../clients/client.entity.js';
import { WarningBasis } from '../clients/warning-basis.entity.js';
import { IdempotencyKey } from '../idempotency/idempotency-key.entity.js';
import { ClientRegistration } from '../registration/client-registration.entity.js';
import { ApiToken } from '../tokens/api-token.entity.js';
import { CreateRegistry1790000000000 } from './migrations/1790000000000-create-registry.js';
import { AddChecks1790000001000 } from './migrations/1790000001000-add-checks.js';
import { AddTokenOrigin1790000002000 } from './migrations/1790000002000-add-token-origin.js';
import { AddRegistration1790000003000 } from './migrations/1790000003000-add-registration.js';
import { AddClientState1790000004000 } from './migrations/1790000004000-add-client-state.js';
import { AddSearch1790000005000 } from './migrations/1790000005000-add-search.js';
import { OrderChanges1790000006000 } from './migrations/1790000006000-order-changes.js';
import { AddIdempotencyKey1790000007000 } from './migrations/1790000007000-add-idempotency-key.js';
import { AddWarningBasis1790000009000 } from './migrations/1790000009000-add-warning-basis.js';
import { AddSecretSearch1790000010000 } from './migrations/1790000010000-add-secret-search.js';
import { AddTokenLineage1790000011001 } from './migrations/1790000011001-add-token-lineage.js';
import { AddIdempotentOutcome1790000012001 } from './migrations/1790000012001-add-idempotent-outcome.js';
import { SearchWords1790000012002 } from './migrations/1790000012002-search-words.js';
import { endWhenSilent } from './end-when-silent.js';
import { TypeormLogger } from './typeorm-logger.js';

/** A statement that takes longer than this, in milliseconds, is cancelled. */
const STATEMENT_TIMEOUT_MS = 5_000;

/** The time for a statement, and for its answer to come; beyond, its connection is given up. In milliseconds. */
export const SILENCE_MS = 7_000;

/** How long a request waits for a connection, in milliseconds, before it is told that the database is away. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Where the database is. */
export type DatabaseAddress =
  | { readonly url: string; readonly poolSize: number }
  /** Folder of the embedded database's Unix socket. */
  | { readonly embedded: string };

/** The one description of the database: the service, its migrations and the tests all connect with it. */
export function createDataSource(address: DatabaseAddress, logger: Logger): DataSource {
  return new DataSource({
    type: 'postgres',
    entities: [
      Client,
      ClientSecret,
      ClientChange,
      ApiToken,
      ClientRegistration,
      ChangeRetention,
      IdempotencyKey,
      WarningBasis,
    ],
    migrations: [
      CreateRegistry1790000000000,
      AddChecks1790000001000,
      AddTokenOrigin1790000002000,
      AddRegistration1790000003000,
      AddClientState1790000004000,
      AddSearch1790000005000,
      OrderChanges1790000006000,
      AddIdempotencyKey1790000007000,
      AddWarningBasis1790000009000,
      AddSecretSearch1790000010000,
      AddTokenLineage1790000011001,
      AddIdempotentOutcome1790000012001,
      SearchWords1790000012002,
    ],
    migrationsTransactionMode: 'each',
    applicationName: 'svc-registry',
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    logger: new TypeormLogger(logger),
    // The pool replaces it.
    poolErrorHandler: (err: unknown) => logger.warn({ err }, 'an idle database connection was lost'),
    ...('url' in address ? serverOptions(address) : embeddedOptions(address.embedded)),
  });
}

function serverOptions({ url, poolSize }: { url: string; poolSize: number }) {
  const onConnect = (client: ClientBase) => endWhenSilent(client, SILENCE_MS);
  return { url, poolSize, extra: { statement_timeout: STATEMENT_TIMEOUT_MS, onConnect } };
}

/**
 * PGlite has one session behind all its sockets: prepared statements of two connections would collide there, and so
 * would their transactions. Hence one connection, never closed for idleness, that begins with a clean session.
 */
function embeddedOptions(host: string) {
  const onConnect = async (client: { query(sql: string): Promise<unknown> }) => client.query('DISCARD ALL');
  return {
    host,
    username: 'postgres',
    database: 'postgres',
    poolSize: 1,
    extra: { idleTimeoutMillis: 0, onConnect },
  };
}
