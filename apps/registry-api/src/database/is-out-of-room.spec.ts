import { isOutOfRoom } from './is-out-of-room.js';

const withCode = (code: string) => Object.assign(new Error('from the database'), { code });

test.each(['53100', '53200', '53400'])('SQLSTATE %s is a lack of room', (code) => {
  expect(isOutOfRoom(withCode(code))).toBe(true);
});

test.each([withCode('53300'), withCode('23505'), new Error('other'), undefined])('%p is not', (error) => {
  expect(isOutOfRoom(error)).toBe(false);
});
