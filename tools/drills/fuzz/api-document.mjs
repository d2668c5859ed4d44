// A running service's API document, and checks of responses against it.
import { createRequire } from 'node:module';

// The root's ajv is an older version, installed by other packages.
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

  /** Resolves a top-level reference. */
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
   * Returns the deviation of a response from its documentation: status, type or a property.
   *
   * @param {string} name of the operation
   * @param {{ status: number, type: string, values: unknown[] }} answer `values` are its JSON values: one, or one per
   *   line
   * @returns {string | undefined}
   */
  failureOf(name, { status, type, values }) {
    const { method, path, responses } = this.operations.get(name);
    const documented = responses[status];
    if (!documented) return `${status} is not documented`;
    if (!documented.content) return undefined;
    if (!(type in documented.content)) return `${status} is not documented as '${type}'`;
    if (documented.content[type].schema === undefined) return undefined;
    const place = ['paths', path, method.toLowerCase(), 'responses', status, 'content', type, 'schema'];
    return values.map((value) => this.#violationBy(place, value)).find(Boolean);
  }

  /** Returns the deviation of an error body from the problem schema. */
  failureOfProblem(body) {
    return this.#violationBy(['components', 'schemas', 'Problem'], body);
  }

  #violationBy(place, body) {
    const pointer = place.map((step) =>
      encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1')),
    );
    const ref = `api#/${pointer.join('/')}`;
    const validate = this.#validators.get(ref) ?? this.#ajv.getSchema(ref);
    this.#validators.set(ref, validate);
    return validate(body) ? undefined : this.#ajv.errorsText(validate.errors);
  }
}
