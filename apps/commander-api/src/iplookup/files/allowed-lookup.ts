import { createParamDecorator, type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';
import { Problem } from '@svc/service-kit';
import type { FastifyRequest } from 'fastify';
import { mayUseAllLookups, mayUseLookup } from '../../access/caller.js';
import { senderOf } from '../../audit/audit-log.js';
import { RefusalLog } from '../../audit/refusal-log.js';
import { CommanderError } from '../../errors/commander-error.js';

declare const allowed: unique symbol;

/** The name of a lookup, or of its file, that the sender of the request may use. {@link LookupGate} makes it. */
export type AllowedLookup = string & { readonly [allowed]: true };

interface LookupRequest {
  readonly name: string;
  readonly request: FastifyRequest;
}

/** A build that a request asks for. */
interface WantedBuild {
  /** Whether the input is the request's body. */
  readonly upload: boolean;
  readonly flags: {
    readonly lookupName?: string | undefined;
    readonly zoneName?: string | undefined;
    readonly join?: readonly string[] | undefined;
  };
}

/** Lets callers use only the lookups that their token is for. */
@Injectable()
export class LookupGate implements PipeTransform<LookupRequest, AllowedLookup> {
  constructor(private readonly refusals: RefusalLog) {}

  /** @throws {CommanderError} `lookup_not_found`, whether the lookup exists or not */
  transform({ name, request }: LookupRequest): AllowedLookup {
    this.assertLookup(request, name.replace(/\.mmdb(\.gz)?$/, ''), name);
    return name as AllowedLookup;
  }

  /**
   * A token for some lookups may build only those, and only from what it sends: files in the folder of inputs may be
   * meant for other lookups.
   */
  assertBuild(request: FastifyRequest, { upload, flags }: WantedBuild): void {
    if (mayUseAllLookups(callerOf(request))) return;
    if (!upload || (flags.join ?? []).length > 0)
      throw new Problem({
        status: 403,
        detail: "The token is for some lookups only: send the input as the request's body, without join.",
      });
    const name = flags.lookupName ?? flags.zoneName;
    if (name === undefined)
      throw new CommanderError('usage', 'Pass lookup_name: the token is for some lookups only.');
    this.assertLookup(request, name, name);
  }

  private assertLookup(request: FastifyRequest, lookup: string, name: string): void {
    if (mayUseLookup(callerOf(request), lookup)) return;
    this.refusals.add('lookup', senderOf(request), name);
    throw new CommanderError(
      'lookup_not_found',
      `There is no lookup ${JSON.stringify(name)}, or the token may not use it.`,
    );
  }
}

function callerOf({ principal }: FastifyRequest) {
  if (!principal) throw new Error('a public route has no principal');
  return principal;
}

const Requested = createParamDecorator((parameter: string, context: ExecutionContext): LookupRequest => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return { name: (request.params as Readonly<Record<string, string>>)[parameter] ?? '', request };
});

/** A lookup's name in the request's path. */
export const TargetLookup = (parameter = 'name') => Requested(parameter, LookupGate);
