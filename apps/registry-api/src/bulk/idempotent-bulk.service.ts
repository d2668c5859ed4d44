import { Injectable } from '@nestjs/common';
import { RegistryError } from '../errors/registry-error.js';
import type { Actor } from '../http/current-actor.js';
import { IdempotencyKeys } from '../idempotency/idempotency-keys.js';
import { requestFingerprint } from '../idempotency/request-fingerprint.js';
import { toBulkAnswer } from './bulk-answer.js';
import type { BulkRequest } from './bulk-request.js';
import { BulkService } from './bulk.service.js';

type BulkAnswer = ReturnType<typeof toBulkAnswer>;

interface BulkAnswerOnce {
  readonly answer: BulkAnswer;
  readonly isReplayed: boolean;
}

/** Carries out operations once for each Idempotency-Key. */
@Injectable()
export class IdempotentBulkService {
  constructor(
    private readonly keys: IdempotencyKeys,
    private readonly bulk: BulkService,
  ) {}

  /**
   * @returns a repetition's answer is the first one without secrets and without the list of what is wrong with a Client
   * @throws {RegistryError | BulkRefusedError} `invalid_idempotency_key`, `idempotent_dry_run`, `idempotency_key_reused`
   */
  async run(request: BulkRequest, key: string, actor: Actor): Promise<BulkAnswerOnce> {
    const { atomic, dryRun, operations } = request;
    if (dryRun) throw idempotentDryRun();
    return this.keys.once<BulkAnswerOnce>({
      ...{ key, actorId: actor.id, fingerprint: await requestFingerprint('bulk', [atomic, ...operations]) },
      perform: async (transaction) => {
        const answer = toBulkAnswer(request, await this.bulk.runIn(transaction, request, actor));
        return { result: { answer, isReplayed: false }, outcome: { answer: kept(answer) } };
      },
      repeat: async ({ answer }) => ({ answer: answer as BulkAnswer, isReplayed: true }),
    });
  }
}

function kept(answer: BulkAnswer) {
  return { ...answer, results: answer.results.map(keptResult) };
}

function keptResult(result: BulkAnswer['results'][number]) {
  if ('problem' in result) {
    const { errors: _, ...problem } = result.problem;
    return { ...result, problem };
  }
  const { client_secret: _, ...rest } = result;
  return rest;
}

/** A dry run changes nothing, so there is nothing for a key to keep from happening twice. */
function idempotentDryRun(): RegistryError {
  return new RegistryError(
    'idempotent_dry_run',
    'a dry run changes nothing and takes no Idempotency-Key; send it without',
  );
}
