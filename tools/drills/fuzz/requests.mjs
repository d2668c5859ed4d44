// Requests generated from the API document: valid, or with one or more parts modified.
import { METHODS } from 'node:http';
import fc from 'fast-check';
import { bodiesFor } from './bodies.mjs';
import { bySchema } from './by-schema.mjs';
import { anyHeader, HEADERS } from './headers.mjs';
import { hostileEncoded, hostileString } from './hostile.mjs';
import { rarely } from './rarely.mjs';

/**
 * @typedef {object} FuzzRequest
 * @property {string} method
 * @property {string} path with the query
 * @property {Record<string, string>} headers
 * @property {string | undefined} body in Latin-1: one character per byte
 * @property {string | undefined} operation whose documented responses apply; absent if the path may match any route
 */

/** @typedef {{ query: string, headers: object, body: string }} Content of a request */

/**
 * @param {object} document an ApiDocument
 * @param {object} service
 * @param {Record<string, unknown[]>} service.known existing values by parameter or property name
 * @param {(operation: object) => Record<string, string[]>} [service.namesFor] existing values for one operation
 * @param {Record<string, string[]>} service.samples non-JSON bodies by type
 * @param {Record<string, Partial<Content>[]>} [service.wholes] by operation, what a
 *   schema cannot say: queries, headers and bodies that fit each other
 * @param {{ goodFor: (operation?: object) => string[], bad: string[] }} service.tokens values of the header
 *   Authorization
 * @param {(operation: object) => number} service.weightOf
 * @param {string[]} service.otherPaths undocumented paths
 * @returns {fc.Arbitrary<FuzzRequest>}
 */
export function requestsFor(
  document,
  { known, namesFor, samples, wholes = {}, tokens, weightOf, otherPaths },
) {
  const operations = [...document.operations].map(([name, operation]) => ({
    weight: weightOf(operation),
    arbitrary: withToken(requestOf(name, operation), operation),
  }));
  const stray = fc
    .tuple(
      fc.constantFrom(...otherPaths),
      hostileEncoded,
      fc.constantFrom(...METHODS.filter((method) => method !== 'CONNECT')),
    )
    .map(([path, rest, method]) => ({
      method,
      path: `${path}${rest}`,
      headers: {},
      body: undefined,
      operation: undefined,
    }));
  return fc.oneof(...operations, { weight: 1, arbitrary: withToken(stray) });

  /** @returns {fc.Arbitrary<FuzzRequest>} */
  function requestOf(name, operation) {
    const { method, parameters = [], requestBody } = operation;
    const named = { ...known, ...namesFor?.(operation) };
    const existing = Object.entries(named).filter(([, list]) => list.length > 0);
    const chosenFrom = existing.map(([one, list]) => [one, fc.constantFrom(...list)]);
    const noContent = /** @type {Partial<Content>} */ ({});
    const toSchema = bySchema(document, Object.fromEntries(chosenFrom));
    return fc
      .record({
        path: pathOf(operation, named),
        query: queryOf(
          parameters.filter((one) => one.in === 'query'),
          toSchema,
        ),
        headers: headersOf(parameters.filter((one) => one.in === 'header')),
        content: requestBody ? bodiesFor(toSchema, samples)(requestBody.content) : fc.constant(noContent),
        method: rarely(
          fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'),
          fc.constant(method),
          40,
        ),
        whole: rarely(fc.constantFrom(...(wholes[name] ?? [noContent])), fc.constant(noContent), 8),
        stray: rarely(fc.array(anyHeader, { maxLength: 3 }), fc.constant([]), 5),
      })
      .map(({ path, query: made, headers, content, method: chosen, whole, stray: more }) => {
        const query = whole.query ?? made;
        const isElsewhere = chosen !== method || path.isElsewhere || query.includes('%');
        return {
          method: chosen,
          path: `${path.text}${query}`,
          headers: { ...headers, ...content.headers, ...whole.headers, ...Object.fromEntries(more) },
          body: whole.body ?? content.body,
          operation: isElsewhere ? undefined : name,
        };
      });
  }

  function pathOf({ path, parameters = [] }, named) {
    const names = parameters.filter((one) => one.in === 'path').map((one) => one.name);
    const segments = names.map((name) =>
      fc.oneof(
        {
          weight: 5,
          arbitrary: (named[name] ? fc.constantFrom(...named[name]) : hostileString).map((value) => ({
            text: encodeURIComponent(wellFormed(value)),
            isMade: true,
          })),
        },
        hostileEncoded.map((text) => ({ text, isMade: false })),
      ),
    );
    return fc.tuple(...segments).map((chosen) => ({
      text: names.reduce((text, name, index) => text.replace(`{${name}}`, () => chosen[index].text), path),
      // Empty segments, dots and other routes' names match other routes; invalid encodings match none.
      isElsewhere: chosen.some(
        ({ text, isMade }) => !isMade || ['', '.', '..', 'self', 'features'].includes(text),
      ),
    }));
  }

  /** @returns {fc.Arbitrary<string>} */
  function queryOf(parameters, toSchema) {
    // About two of many, otherwise hardly any query would be valid.
    const freq = Math.max(2, Math.floor(parameters.length / 2));
    const given = parameters.map(({ name, schema = {} }) =>
      rarely(
        fc.tuple(fc.constant(name), rarely(hostileEncoded, toSchema(schema, name).map(toQuery), 4)),
        fc.constant(undefined),
        freq,
      ),
    );
    const strange = rarely(
      fc.array(
        fc.tuple(
          fc.constantFrom(
            '',
            'limit',
            'limit[]',
            'q[a]',
            '__proto__',
            'constructor',
            'no_such',
            'cursor',
            'since',
            '%',
          ),
          hostileEncoded,
        ),
        { maxLength: 3 },
      ),
      fc.constant([]),
      12,
    );
    return fc.tuple(fc.tuple(...given), strange).map(([chosen, more]) => {
      const pairs = [.../** @type {[string, string][]} */ (chosen.filter(Boolean)), ...more].map(
        ([name, value]) => `${name}=${value}`,
      );
      return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
    });
  }

  function headersOf(parameters) {
    return fc
      .tuple(
        ...parameters.map(({ name }) =>
          rarely(
            fc
              .constantFrom(...(HEADERS[name.toLowerCase()] ?? ['x']))
              .map((value) => [name.toLowerCase(), value]),
            fc.constant(undefined),
            4,
          ),
        ),
      )
      .map((chosen) => Object.fromEntries(/** @type {[string, string][]} */ (chosen.filter(Boolean))));
  }

  /**
   * @param {fc.Arbitrary<FuzzRequest>} requests
   * @param {object} [operation]
   */
  function withToken(requests, operation) {
    const token = rarely(fc.constantFrom(...tokens.bad), fc.constantFrom(...tokens.goodFor(operation)), 60);
    return fc.tuple(requests, token, fc.ipV4()).map(([request, authorization, address]) => ({
      ...request,
      headers: {
        ...(authorization !== '' && { authorization }),
        // From many addresses, since one that keeps sending invalid tokens is throttled.
        'x-forwarded-for': address,
        ...request.headers,
      },
    }));
  }
}

function toQuery(value) {
  return encodeURIComponent(wellFormed(String(value)));
}

function wellFormed(text) {
  return String(text).replace(/\p{Surrogate}/gu, '\ufffd');
}
