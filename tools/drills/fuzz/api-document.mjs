// What a running service says of itself, and whether an answer is as it says.
import { createRequire } from 'node:module';

// The root has a former version of ajv, which others bring along.
const load = createRequire(new URL('../../../apps/registry-api/package.json', import.meta.url));
const { Ajv2020 } = load('ajv/dist/2020.js');
const addFormats = load('ajv-formats');

export class ApiDocument {
  #ajv = new Ajv2020({ strict: false });
  #validators = new Map();

  /** @param {object} document */
  constructor(document) {
    this.document = document;
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(document, 'api');
    /** By method and path, such as `GET /client/{client_id}`. */
    this.operations = new Map(
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => [
          `${method.toUpperCase()} ${path}`,
          { ...operation, method: method.toUpperCase(), path },
        ]),
      ),
    );
  }

  static async of(url) {
    return new ApiDocument(await (await fetch(`${url}/openapi.json`)).json());
  }

  /** A schema without a reference at its head. */
  resolved(schema) {
    let found = schema;
    while (found.$ref !== undefined) {
      found = found.$ref
        .split('/')
        .slice(1)
        .reduce((at, step) => at[step], this.document);
    }
    return found;
  }

  /**
   * What is wrong with the answer to an operation: its status, its type or a member.
   *
   * @param {string} name of the operation
   * @param {{ status: number, type: string, values: unknown[] }} answer `values` are what it says in JSON: one, or one a line
   * @returns {string | undefined}
   */
  faultOf(name, { status, type, values }) {
    const { method, path, responses } = this.operations.get(name);
    const told = responses[status];
    if (!told) return `${status} is not told of`;
    if (!told.content) return undefined;
    if (!(type in told.content)) return `${status} is not told to be '${type}'`;
    if (told.content[type].schema === undefined) return undefined;
    const place = ['paths', path, method.toLowerCase(), 'responses', status, 'content', type, 'schema'];
    return values.map((value) => this.#faultBy(place, value)).find(Boolean);
  }

  /** What is wrong with the body of a refusal. */
  faultOfProblem(body) {
    return this.#faultBy(['components', 'schemas', 'Problem'], body);
  }

  #faultBy(place, body) {
    const pointer = place.map((step) =>
      encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1')),
    );
    const ref = `api#/${pointer.join('/')}`;
    const validate = this.#validators.get(ref) ?? this.#ajv.getSchema(ref);
    this.#validators.set(ref, validate);
    return validate(body) ? undefined : this.#ajv.errorsText(validate.errors);
  }
}
