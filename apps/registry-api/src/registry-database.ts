import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { UsedAssertion } from './assertions/used-assertion.entity.js';
import { ChangeRetention } from './changes/change-retention.entity.js';
import { ClientChange } from './clients/client-change.entity.js';
import { ClientSecret } from './clients/client-secret.entity.js';
import { Client } from './clients/client.entity.js';
import { WarningBasis } from './clients/warning-basis.entity.js';
import { DeletedClient } from './clients/deleted-client.entity.js';
import { createDataSource, type DatabaseAddress, type DatabaseSchema } from './database/data-source.js';
import { type Database, type DatabaseSettings, openDatabase } from './database/open-database.js';
import { IdempotencyKey } from './idempotency/idempotency-key.entity.js';
import { ClientJob, ClientJobItem } from './jobs/client-job.entity.js';
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
import { AddChangeMarks1790000013000 } from './migrations/1790000013000-add-change-marks.js';
import { AddLabels1790000015000 } from './migrations/1790000015000-add-labels.js';
import { AddTokenRestrictions1790000016000 } from './migrations/1790000016000-add-token-restrictions.js';
import { LabelFormerChanges1790000017000 } from './migrations/1790000017000-label-former-changes.js';
import { AddSecurityEvents1790000017500 } from './migrations/1790000017500-add-security-events.js';
import { AddTemporaryUris1790000018500 } from './migrations/1790000018500-add-temporary-uris.js';
import { AddUsage1790000018000 } from './migrations/1790000018000-add-usage.js';
import { AddSecretNotices1790000019000 } from './migrations/1790000019000-add-secret-notices.js';
import { AddOpenRegistration1790000030000 } from './migrations/1790000030000-add-open-registration.js';
import { AddRegistrationSuccessors1790000019100 } from './migrations/1790000019100-add-registration-successors.js';
import { AddForeignHashes1790000019500 } from './migrations/1790000019500-add-foreign-hashes.js';
import { AddUsedAssertions1790000034000 } from './migrations/1790000034000-add-used-assertions.js';
import { AddStandbyBeats1790000014000 } from './migrations/1790000014000-add-standby-beats.js';
import { AddDeletedClients1790000035000 } from './migrations/1790000035000-add-deleted-clients.js';
import { AddClientJobs1790000040000 } from './migrations/1790000040000-add-client-jobs.js';
import { LeaveRoomForCounts1790000041000 } from './migrations/1790000041000-leave-room-for-counts.js';
import { KeepPending1790000042000 } from './migrations/1790000042000-keep-pending.js';
import { AddTokenCreators1790000043000 } from './migrations/1790000043000-add-token-creators.js';
import { IndexEventTimes1790000036000 } from './migrations/1790000036000-index-event-times.js';
import { ClientRegistration } from './registration/client-registration.entity.js';
import { OpenRegistrationCount } from './registration/open-registration.entity.js';
import { RegistrationSuccessor } from './registration/registration-successor.entity.js';
import { SecurityEventChain, SecurityEventRow } from './security-events/security-event.entity.js';
import { ApiToken } from './tokens/api-token.entity.js';
import { ClientLastUse, ClientUsage } from './usage/client-usage.entity.js';
import { UsageBatchRow, UsageGap, UsageRecording, UsageReporterRow } from './usage/usage-reporting.entity.js';

/** Every entity and migration of the features. */
const SCHEMA: DatabaseSchema = {
  entities: [
    Client,
    ClientSecret,
    ClientChange,
    DeletedClient,
    ApiToken,
    ClientRegistration,
    OpenRegistrationCount,
    RegistrationSuccessor,
    ChangeRetention,
    IdempotencyKey,
    WarningBasis,
    SecurityEventRow,
    SecurityEventChain,
    ClientUsage,
    ClientLastUse,
    UsageBatchRow,
    UsageReporterRow,
    UsageGap,
    UsageRecording,
    UsedAssertion,
    ClientJob,
    ClientJobItem,
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
    AddChangeMarks1790000013000,
    AddStandbyBeats1790000014000,
    AddLabels1790000015000,
    AddTokenRestrictions1790000016000,
    LabelFormerChanges1790000017000,
    AddSecurityEvents1790000017500,
    AddUsage1790000018000,
    AddTemporaryUris1790000018500,
    AddSecretNotices1790000019000,
    AddRegistrationSuccessors1790000019100,
    AddForeignHashes1790000019500,
    AddOpenRegistration1790000030000,
    AddUsedAssertions1790000034000,
    AddDeletedClients1790000035000,
    IndexEventTimes1790000036000,
    AddClientJobs1790000040000,
    LeaveRoomForCounts1790000041000,
    KeepPending1790000042000,
    AddTokenCreators1790000043000,
  ],
};

/** The one description of the database, for the service, its migrations and the tests. */
export function createRegistryDataSource(address: DatabaseAddress, logger: Logger): DataSource {
  return createDataSource(address, SCHEMA, logger);
}

export async function openRegistryDatabase(settings: DatabaseSettings, logger: Logger): Promise<Database> {
  return openDatabase(settings, SCHEMA, logger);
}
