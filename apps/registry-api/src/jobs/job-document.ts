import { toEntityTag } from '../http/conditional-requests.js';
import type { ClientJobItem } from './client-job.entity.js';
import type { StoredJob } from './job-statements.js';
import type { Job, JobResult } from './job.dto.js';

/** The only place that defines how callers see a job. */
export function toJob(job: StoredJob): Job {
  const { id, action, filter, clientIds, patch, warning, problem, undoes, undoneBy } = job;
  const { dryRun, state, total, changed, unchanged, failed, createdAt, finishedAt } = job;
  return {
    id: Number(id),
    action,
    ...(filter && { filter }),
    ...(clientIds && { client_ids: clientIds }),
    ...(patch && { patch }),
    ...(warning !== null && { warning }),
    dry_run: dryRun,
    state,
    ...(problem && { problem }),
    ...{ total, changed, unchanged, failed },
    created_by: { id: job.actorId, name: job.actorName },
    created_at: createdAt.toISOString(),
    ...(finishedAt && { finished_at: finishedAt.toISOString() }),
    ...(undoes !== null && { undoes: Number(undoes) }),
    ...(undoneBy !== null && { undone_by: Number(undoneBy) }),
  };
}

export function toJobResult(item: ClientJobItem): JobResult {
  const { clientId, clientName, result, revisionAfter, problem, difference } = item;
  return {
    client_id: clientId,
    ...(clientName !== null && { client_name: clientName }),
    result: result ?? 'pending',
    ...(revisionAfter !== null && { etag: toEntityTag(revisionAfter) }),
    ...(problem && { problem }),
    ...(difference && { changes: difference }),
  };
}
