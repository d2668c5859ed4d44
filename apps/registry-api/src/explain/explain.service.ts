import { Injectable } from '@nestjs/common';
import {
  type AuthorizationUrl,
  nearestRedirectUri,
  parseAuthorizationUrl,
  type RequestUse,
  requestUse,
} from '@svc/client-metadata';
import { Problem } from '@svc/service-kit';
import { DataSource } from 'typeorm';
import { toChangeDocument } from '../changes/change.dto.js';
import { seesAfter, seesBefore } from '../changes/feed-view.js';
import { ClientsService } from '../clients/clients.service.js';
import { isClientId } from '../clients/credentials.js';
import type { StoredClient } from '../clients/stored-client.js';
import { liveMetadata } from '../clients/temporary-uris.js';
import { hasErrorCode } from '../errors/registry-error.js';
import { metadataDifference } from '../history/history.service.js';
import type { Reach } from '../http/current-caller.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import { lastAccepted } from '../usage/last-accepted.js';
import { type DecisiveChangeRow, readDecisiveChanges } from './decisive-changes.js';
import type { Explanation, NearestRedirectUri } from './explain.dto.js';
import { type CheckedRequest, checkVersion, type ClientVersion, replayChanges } from './replay-changes.js';

/** Per read. */
const PAGE = 50;

/** Newest changes that are replayed. */
const MAX_REPLAYED = 500;

/** Since when a request fails. */
type Finding = Pick<Explanation, 'history' | 'broken_by' | 'expired_at'> & {
  /** The Client as it last accepted the request. */
  readonly accepted?: NonNullable<ClientVersion>;
};

/** Explains refused authorization requests. What it checks is neither logged nor counted as use. */
@Injectable()
export class ExplainService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clients: ClientsService,
    private readonly settings: RegistrySettings,
  ) {}

  /** @throws {RegistryError | Problem} `client_not_found`; 400 if the URL contains nothing that can be checked */
  async explain(url: string, reach: Reach, now = Date.now()): Promise<Explanation> {
    const { clientId, parameters, notes } = readUrl(url);
    const { capabilities } = this.settings;
    const request = { clientId, parameters, capabilities };
    const stored = await this.findCurrent(clientId, reach);
    const version = stored && { enabled: stored.enabled, metadata: liveMetadata(stored, now) };
    const verdict = checkVersion(request, version);
    const finding = verdict.valid ? { accepted: version } : await this.findBreak(request, stored, reach, now);
    const { accepted, ...found } = finding;
    // Counts are deleted with their Client: by now they may be those of a re-registered Client, out of reach.
    const last = stored && (await lastAccepted(this.dataSource, clientId, acceptedUse(request, accepted)));
    const { redirect_uri: requested } = parameters;
    return {
      client_id: clientId,
      ...(stored && { client_name: stored.metadata.client_name }),
      valid: verdict.valid,
      errors: verdict.errors,
      notes,
      ...(typeof requested === 'string' && { redirect_uri: requested }),
      ...(verdict.redirect_uri_match && { redirect_uri_match: verdict.redirect_uri_match }),
      ...nearestTo(requested, version, verdict.redirect_uri_match?.matches),
      ...last,
      ...found,
    };
  }

  /** @returns undefined: it was deleted @throws {RegistryError} `client_not_found` if its history is not kept, or not seen */
  private async findCurrent(clientId: string, reach: Reach): Promise<StoredClient | undefined> {
    try {
      return await this.clients.find(clientId, reach);
    } catch (error) {
      if (!hasErrorCode(error, 'client_not_found') || !isClientId(clientId)) throw error;
      const page = { before: undefined, limit: 1 };
      const [latest] = await readDecisiveChanges(this.dataSource, clientId, reach, page);
      // Otherwise it was moved out of reach of the caller, who must not learn its current state.
      if (latest?.kind !== 'deleted' || !seesBefore(reach.selector, latest)) throw error;
      return undefined;
    }
  }

  private async findBreak(
    request: CheckedRequest,
    stored: StoredClient | undefined,
    reach: Reach,
    now: number,
  ): Promise<Finding> {
    let version: ClientVersion = stored && { enabled: stored.enabled, metadata: stored.metadata };
    if (stored && version && checkVersion(request, version).valid) return expiry(stored, version, now);
    let before: string | undefined;
    for (let read = 0; read < MAX_REPLAYED; read += PAGE) {
      const page = { before, limit: PAGE };
      const found = await readDecisiveChanges(this.dataSource, request.clientId, reach, page);
      const hidden = found.findIndex(
        (change) => !seesAfter(reach.selector, change) || !seesBefore(reach.selector, change),
      );
      const seen = hidden < 0 ? found : found.slice(0, hidden);
      const replayed = replayChanges(request, version, seen);
      if ('broken' in replayed) {
        const { change, accepted } = replayed.broken;
        return { history: 'changed', broken_by: toBreakingChange(change), accepted };
      }
      if ('unseen' in replayed) return { history: 'unknown', accepted: replayed.unseen };
      if (hidden >= 0) break;
      if (found.length < PAGE) return { history: isWhole(found, version) ? 'never_valid' : 'unknown' };
      version = replayed.before;
      before = found.at(-1)?.changeSeq;
    }
    return { history: 'unknown' };
  }
}

/** @throws {Problem} 400 */
function readUrl(url: string): AuthorizationUrl {
  const read = parseAuthorizationUrl(url);
  if (!('code' in read)) return read;
  const detail = `url ${read.message}`;
  throw new Problem({ status: 400, detail, errors: [{ field: '/url', ...read }] });
}

/** Whether the oldest change that is kept is the first one. */
function isWhole(found: readonly DecisiveChangeRow[], version: ClientVersion): boolean {
  const oldest = found.at(-1);
  return oldest ? oldest.kind === 'registered' : version === undefined;
}

function expiry(stored: StoredClient, version: NonNullable<ClientVersion>, now: number): Finding {
  const ended = (stored.temporaryUris ?? []).map(({ expires_at: at }) => at);
  const last = ended
    .filter((at) => Date.parse(at) <= now)
    .sort()
    .at(-1);
  return { history: 'expired', ...(last !== undefined && { expired_at: last }), accepted: version };
}

function toBreakingChange(change: DecisiveChangeRow) {
  const { before, after } = change;
  const changed = metadataDifference(before as never, after as never);
  return { ...toChangeDocument(change), changed };
}

/** The use as it was counted when last accepted; if the history does not show that, as for an exact match. */
function acceptedUse(request: CheckedRequest, accepted: ClientVersion): RequestUse {
  const { parameters, capabilities } = request;
  const requested = typeof parameters['redirect_uri'] === 'string' ? parameters['redirect_uri'] : undefined;
  const metadata = accepted?.metadata ?? {
    redirect_uris: requested === undefined ? [] : [requested],
    redirect_uri_validation_method: 'full_match' as const,
    application_type: 'web' as const,
    response_types: [],
    code_challenge_method: 'none' as const,
  };
  const verdict = checkVersion(request, { enabled: true, metadata });
  const { refusal: _refusal, ...use } = requestUse(parameters, verdict, metadata, capabilities);
  return use;
}

function nearestTo(
  requested: unknown,
  version: ClientVersion,
  matches: boolean | undefined,
): { nearest?: NearestRedirectUri } {
  if (typeof requested !== 'string' || matches !== false || !version) return {};
  const nearest = nearestRedirectUri(requested, version.metadata.redirect_uris);
  if (!nearest) return {};
  const { registered, difference, commonStart, commonEnd } = nearest;
  return {
    nearest: {
      redirect_uri: registered,
      ...(difference !== undefined && { difference }),
      common_start: commonStart,
      common_end: commonEnd,
    },
  };
}
