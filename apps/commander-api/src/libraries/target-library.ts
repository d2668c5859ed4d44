import { createParamDecorator, type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { mayUseLibrary } from '../access/caller.js';
import { senderOf } from '../audit/audit-log.js';
import { RefusalLog } from '../audit/refusal-log.js';
import { LibrariesService } from './libraries.service.js';
import type { ServedLibrary } from './served-library.js';

/** Path prefixes: of the unnamed library, and of named ones. */
export const LIBRARY_PATHS = ['library', 'libraries/:library'] as const;

interface LibraryRequest {
  readonly name: string | undefined;
  readonly request: FastifyRequest;
}

/** The name in the request's path; undefined below `/library`. */
export function libraryNameOf({ params }: Pick<FastifyRequest, 'params'>): string | undefined {
  return (params as { readonly library?: string }).library;
}

/** Finds the requested library, if the caller may use it. Handlers get libraries only from here. */
@Injectable()
export class FindLibrary implements PipeTransform<LibraryRequest, ServedLibrary> {
  constructor(
    private readonly libraries: LibrariesService,
    private readonly refusals: RefusalLog,
  ) {}

  /** @throws {CommanderError} `library_not_found` */
  transform({ name, request }: LibraryRequest): ServedLibrary {
    const { principal } = request;
    if (!principal) throw new Error('a public route has no principal');
    if (!mayUseLibrary(principal, name)) this.refusals.add('library', senderOf(request), name);
    return this.libraries.find(name, principal);
  }
}

const Requested = createParamDecorator((_: unknown, context: ExecutionContext): LibraryRequest => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return { name: libraryNameOf(request), request };
});

/** The library of the request's path, as a {@link ServedLibrary}. */
export const TargetLibrary = () => Requested(FindLibrary);
