import fc from 'fast-check';
import { DEFAULT_CAPABILITIES } from '../fields/capabilities.js';
import { validateImport } from '../validation/validate-request.js';
import { convertClients } from './convert-clients.js';
import { type Product, PRODUCTS } from './products.js';
import { convert, sampleJson, WIDE } from '../../test/convert-samples.js';
import { hostileJson } from '../../test/hostile-json.js';

test('the second of two Clients with one id is invalid', () => {
  const one = { client_id: 'a', redirect_uris: ['https://a.example/'] };
  const [, second] = convert('oidc-provider', [one, one]);
  expect(second).toMatchObject({
    result: 'invalid',
    violations: [{ field: '/client_id', code: 'duplicate', message: 'the client at /0 has the same id' }],
  });
});

describe('hostile exports', () => {
  const NAMES = Object.keys(PRODUCTS) as Product[];

  test.each(NAMES)('%s: what is not an export is rejected, naming what is expected', (product) => {
    for (const document of [null, 7, 'text', {}, { clients: 'x' }, { items: {} }])
      expect(() => convert(product, document)).toThrow(/^not an export of .*: expected /);
  });

  test.each(NAMES)('%s: Clients of any shape never throw, and only valid ones are imported', (product) => {
    const names = fc.constantFrom(
      ...Object.keys(PRODUCTS[product].fields),
      '__proto__',
      'constructor',
      'attributes',
    );
    const client = fc.oneof(fc.dictionary(names, hostileJson, { maxKeys: 12 }), hostileJson);
    fc.assert(
      fc.property(fc.array(client, { maxLength: 4 }), (clients) => {
        const converted = convert(product, clients);
        expect(converted).toHaveLength(clients.length);
        for (const { declaration, result } of converted) {
          expect(declaration !== undefined).toBe(result === 'imported');
          if (declaration) expect(validateImport(declaration, WIDE).valid).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  test.each(NAMES)('%s: the value of a secret is nowhere in the result', (product) => {
    const secrets = Object.entries(PRODUCTS[product].fields).flatMap(([name, rule]) =>
      rule === 'secret' || (typeof rule === 'object' && 'secret' in rule) ? [name] : [],
    );
    expect(secrets.length).toBeGreaterThan(0);
    for (const value of ['s3cr3t-value', { deep: ['s3cr3t-value'] }]) {
      const client = Object.fromEntries(secrets.map((name) => [name, value]));
      expect(JSON.stringify(convert(product, [{ ...client, client_id: 'a' }]))).not.toContain('s3cr3t-value');
    }
  });

  test.each([
    'https://ops:s3cr3t-value@app.example/callback',
    `https://ops:${'x'.repeat(90)}s3cr3t-value@app.example/callback`,
    'https://ops:a/s3cr3t-value@app.example/callback',
    'app://s3cr3t-value@host',
    '//ops:s3cr3t-value@host/',
  ])('the password in the redirect URI %s is nowhere in the result', (uri) => {
    const [client] = convert('oidc-provider', [{ client_id: 'a', redirect_uris: [uri], client_uri: uri }]);
    expect(client!.result).toBe('invalid');
    expect(JSON.stringify(client)).not.toMatch(/s3cr3t-value|xxxxx/);
  });

  test('too many Clients are rejected', () => {
    expect(() =>
      convert(
        'hydra',
        Array.from({ length: 20_001 }, () => ({})),
      ),
    ).toThrow('it has more than 20000 clients; split it');
  });

  test('a Client with thousands of unknown fields has a short report', () => {
    const client = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x${index}`, 1]));
    const [{ dropped = [] } = {}] = convert('hydra', [client]);
    expect([dropped.length, dropped.at(-1)?.reason]).toEqual([201, '4800 more fields are not imported']);
  });
});

test('what the specification alone allows is validated by the default capabilities', () => {
  const { clients } = convertClients('hydra', sampleJson('hydra-clients.json'), {
    capabilities: DEFAULT_CAPABILITIES,
    newId: () => '',
  });
  expect(clients.map(({ result }) => result)).toEqual(['invalid', 'invalid']);
});
