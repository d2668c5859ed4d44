import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { RunningRegistry } from './running-registry.js';

/** An operation as the API document tells it. */
export interface Operation {
  readonly security?: readonly object[];
  readonly tags?: readonly string[];
  readonly 'x-required-scope'?: string;
  readonly requestBody?: object;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, object>> }>
  >;
}

/** The API document of a running registry, which answers can be held against. */
export class ApiDocument {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });

  private constructor(
    /** By method and path, such as `GET /client/{client_id}`. */
    readonly operations: ReadonlyMap<string, Operation>,
    document: object,
  ) {
    addFormats.default(this.ajv);
    this.ajv.addSchema(document, 'api');
  }

  static async of(registry: RunningRegistry): Promise<ApiDocument> {
    const { body } = await registry.ask('GET', '/openapi.json');
    const paths = Object.entries(body['paths'] as Record<string, Record<string, Operation>>);
    const operations = paths.flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
      ),
    );
    return new ApiDocument(new Map(operations), body);
  }

  /** How an answer differs from the document: in its status, its type, its members. */
  violationsOf(name: string, answer: { status: number; headers: Headers; body: unknown }): string[] {
    const status = String(answer.status);
    const documented = this.operations.get(name)?.responses[status];
    if (!documented) return [`${name}: ${status} is not documented`];
    if (!documented.content) return [];
    const type = String(answer.headers.get('content-type')).replace(/;.*/, '');
    if (!(type in documented.content)) return [`${name}: ${status} is not documented as ${type}`];
    const [method = '', path = ''] = name.split(' ');
    const place = ['paths', path, method.toLowerCase(), 'responses', status, 'content', type, 'schema'];
    const validate = this.ajv.getSchema(`api#/${place.map(pointerStep).join('/')}`);
    if (!validate) return [`${name}: ${status} has no schema`];
    // `ask` reads JSON alone.
    if (!/json/.test(type) || validate(answer.body)) return [];
    return [`${name}: ${status} ${this.ajv.errorsText(validate.errors)}`];
  }
}

function pointerStep(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
}
