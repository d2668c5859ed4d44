import type { components, operations, paths } from './registry-api.js';

export type { components, operations, paths };

/** A schema of the registry's API document, by its name: `Schema<'Client'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** A path template: `/client/{client_id}`. */
export type Path = keyof paths;

/** The methods of a path, in capitals. */
export type MethodOf<P extends Path> = {
  [M in keyof paths[P]]-?: [paths[P][M]] extends [{ readonly responses: unknown }]
    ? Uppercase<M & string>
    : never;
}[keyof paths[P]];

type Operation<P extends Path, M extends MethodOf<P>> = paths[P][Lowercase<M> & keyof paths[P]];

/** The parameters in a path: `{ client_id: string }`. */
export type PathParameters<P extends Path, M extends MethodOf<P>> =
  Operation<P, M> extends { readonly parameters: { readonly path: infer Parameters } }
    ? Parameters
    : undefined;

/** The query of an operation; an undefined value is the same as none. */
export type Query<P extends Path, M extends MethodOf<P>> =
  Operation<P, M> extends { readonly parameters: { readonly query?: infer Parameters } }
    ? { readonly [Name in keyof Parameters]?: Parameters[Name] | undefined }
    : undefined;

/** The body that an operation takes: JSON, or the text of a file. */
export type Body<P extends Path, M extends MethodOf<P>> =
  Operation<P, M> extends { readonly requestBody?: { readonly content: infer Content } }
    ? Content extends { readonly 'application/json': infer Json }
      ? Json
      : Content extends { readonly 'application/x-ndjson': unknown }
        ? string
        : undefined
    : undefined;

/** The JSON that an operation answers with on success. */
export type Answer<P extends Path, M extends MethodOf<P>> =
  Operation<P, M> extends { readonly responses: infer Responses } ? JsonOf<Responses> : never;

type JsonOf<Responses> = Responses extends { readonly 200: Json<infer Body> }
  ? Body
  : Responses extends { readonly 201: Json<infer Body> } | { readonly 202: Json<infer Body> }
    ? Body
    : undefined;

interface Json<Body> {
  readonly content: { readonly 'application/json': Body };
}
