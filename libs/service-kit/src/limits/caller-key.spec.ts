import { callerKeyOf } from './caller-key.js';

const token = { id: 'id', name: 'name', scopes: [] };
const anonymous = { ...token, isAnonymous: true } as const;

test('callers with a token are known by its id, others by their network', () => {
  expect(callerKeyOf({ principal: token, ip: '192.0.2.1' })).toBe('id');
  const keys = ['192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2'].map((ip) =>
    callerKeyOf({ principal: anonymous, ip }),
  );
  expect(new Set(keys).size).toBe(3);
  expect(keys[2]).toBe(keys[3]);
});
