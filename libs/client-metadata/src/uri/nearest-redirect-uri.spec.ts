import { nearestRedirectUri } from './nearest-redirect-uri.js';

const CB = 'https://shop.example/cb';

test('one common mistake is named, and where it is', () => {
  expect(nearestRedirectUri(`${CB}/`, ['https://shop.example/', CB])).toEqual({
    registered: CB,
    difference: 'a slash at the end',
    commonStart: CB.length,
    commonEnd: 0,
  });
});

test.each([
  ['https://shop.example/callback', [CB, 'https://other.example/callback'], CB, 22, 0],
  ['https://staging.shop.example/cb', ['https://other.example/', CB], CB, 9, 14],
  ['https://shop.example/a/cb', ['https://shop.example/b/cb'], 'https://shop.example/b/cb', 21, 3],
])(
  '%s is nearest to the one with the fewest other characters',
  (requested, registered, found, start, end) => {
    expect(nearestRedirectUri(requested, registered)).toEqual({
      registered: found,
      commonStart: start,
      commonEnd: end,
    });
  },
);

test('what both begin with does not count again at the end', () => {
  expect(nearestRedirectUri('aa', ['aaa'])).toEqual({ registered: 'aaa', commonStart: 2, commonEnd: 0 });
});

test('there is none without registered URIs', () => {
  expect(nearestRedirectUri(CB, [])).toBeUndefined();
});
